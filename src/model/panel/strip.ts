import type { Span } from '../../protocol';
import type { Session } from '../../store';

/** A recording on the strip of a whole notebook. Lengths are fractions of the strip. */
export interface Stretch {
  readonly session: Session;
  readonly left: number;
  readonly width: number;
  readonly bars: readonly Bar[];
  /** Beginnings of retraces, of the user's functions. */
  readonly retraces: number;
}

/** Where something went on; fractions of the stretch it is in. */
export interface Bar {
  readonly kind: Span['kind'];
  readonly left: number;
  readonly width: number;
}

/** Room for a recording however short, as a part of the whole. */
const LEAST = 0.02;
/** Between two recordings; how long nothing ran does not matter. */
const GAP = 0.006;

/** The recordings of a notebook one after the other, each as wide as it lasted; the time between them is left out. */
export function strip(sessions: readonly Session[]): Stretch[] {
  const least = Math.min(LEAST, 0.6 / Math.max(1, sessions.length));
  const gap = Math.min(GAP, 0.2 / Math.max(1, sessions.length));
  const room = 1 - sessions.length * least - (sessions.length - 1) * gap;
  const total = sessions.reduce((sum, one) => sum + lengthOf(one), 0);
  let left = 0;
  return sessions.map(session => {
    const width = least + (room * lengthOf(session)) / Math.max(total, 1e-9);
    const stretch = {
      session,
      left,
      width,
      bars: barsOf(session),
      retraces: session.recording.newest.tally.retraces
    };
    left += width + gap;
    return stretch;
  });
}

/** What was on the outside: nested work lies under it. */
function barsOf(session: Session): Bar[] {
  const { recording } = session;
  const seconds = lengthOf(session);
  return recording.newest.spans
    .filter(
      ({ depth, function: fn }) =>
        depth === 0 && recording.functions.get(fn)?.origin === 'user'
    )
    .map(({ kind, started, seconds: took }) => ({
      kind,
      left: Math.min(1, started / seconds),
      width: took / seconds
    }));
}

function lengthOf({ recording }: Session): number {
  const { seconds, spans } = recording.newest;
  return Math.max(seconds, 1e-4, ...spans.map(s => s.started + s.seconds));
}
