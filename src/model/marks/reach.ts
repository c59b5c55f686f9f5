import type { FunctionRecord, Place, Trace } from '../../protocol';
import { Recording, Session, samePlace } from '../../store';
import { focusOf } from '../focus';
import { oncePerFile } from '../once';

/** The lines of a file from which a session's traces staged equations, as far as their jaxprs and graphs are at hand. */
export const stagedLines = oncePerFile(findStaged);

function findStaged({ recording }: Session, file: string): ReadonlySet<number> {
  const listed = recording.listings.records.flatMap(({ lines }) =>
    lines.flatMap(({ place }) => place ?? [])
  );
  const drawn = recording.graphs.records.flatMap(({ boxes }) =>
    boxes.flatMap(({ places }) => places)
  );
  return new Set(
    [...listed, ...drawn]
      .filter(place => place.file === file)
      .map(({ line }) => line)
  );
}

/**
 * The trace to show so that a line lights something up; null where the views show one already.
 *
 * @param fn - the function that the line belongs to, if that is known.
 */
export function traceThrough(
  session: Session,
  fn: FunctionRecord | null,
  place: Place
): Trace | null {
  const { function: shown, trace } = focusOf(session);
  if ((fn && shown?.id === fn.id) || (trace && staged(session, trace, place))) {
    return null;
  }
  const { records } = session.recording.traces;
  const own = newest(records.filter(one => one.function === fn?.id));
  const found =
    (own && tracedOutward(session.recording, own)) ??
    newest(records.filter(one => staged(session, one, place)));
  return found?.id === trace?.id ? null : found;
}

function staged({ recording }: Session, { id }: Trace, at: Place): boolean {
  const lines = recording.listings.get(id)?.lines ?? [];
  const boxes = recording.graphs.get(id)?.boxes ?? [];
  return (
    lines.some(({ place }) => place && samePlace(place, at)) ||
    boxes.some(({ places }) => places.some(place => samePlace(place, at)))
  );
}

function newest(traces: readonly Trace[]): Trace | null {
  return traces.reduce<Trace | null>(
    (last, next) => (last && last.started > next.started ? last : next),
    null
  );
}

/** A helper has no jaxpr of its own: its equations are in that of the trace around it. */
export function tracedOutward(
  recording: Recording,
  trace: Trace
): Trace | null {
  let outer: Trace | null = trace;
  while (outer?.jaxpr === null && outer.parent !== null) {
    outer = recording.traces.get(outer.parent) ?? null;
  }
  return outer;
}
