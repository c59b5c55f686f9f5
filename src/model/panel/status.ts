import type { Session } from '../../store';
import { Badge, badgeOf, failedTraces } from '../badge';
import { counted } from '../words/counted';
import { trans } from '../words/language';

/** What a notebook's recordings come to, in a few words; null where nothing was traced. */
export function statusOf(sessions: readonly Session[]): Badge | null {
  const tallies = sessions.map(({ recording }) => recording.newest.tally);
  const retraced = tallies.filter(({ retraces }) => retraces > 0);
  const sum = (
    some: typeof tallies,
    value: 'traces' | 'retraces' | 'seconds'
  ): number => some.reduce((total, tally) => total + tally[value], 0);
  const failed = sessions.map(({ recording }) => failedTraces(recording));
  const all = {
    traces: sum(tallies, 'traces'),
    retraces: sum(tallies, 'retraces'),
    // What the seconds of a tally are of depends on whether it has retraces.
    seconds: sum(retraced.length > 0 ? retraced : tallies, 'seconds'),
    trace: null
  };
  const badge = badgeOf(
    all,
    failed.reduce((total, count) => total + count, 0)
  );
  return (
    badge && {
      ...badge,
      title: trans.__(
        '%1 in %2 of this notebook. Open JAX Trace.',
        badge.text,
        counted(sessions.length, 'recording')
      )
    }
  );
}
