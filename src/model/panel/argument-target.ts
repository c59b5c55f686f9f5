import type { Trace } from '../../protocol';
import type { Session, Target } from '../../store';
import { graphOf } from '../focus';

/** What lights up for an argument: its box in the graph and the line that names it; null where neither is known. */
export function argumentTarget(
  session: Session,
  trace: Trace,
  path: string
): Target | null {
  const [name = path] = /^\w+/.exec(path) ?? [];
  const parameter = session.recording.annotations.records.find(
    one =>
      one.trace === trace.id && one.binding === 'parameter' && one.name === name
  );
  const boxes = graphOf(session, trace.id)?.boxes ?? [];
  const box = boxes.find(
    ({ kind, label }) =>
      kind === 'argument' && (label === path || label === name)
  );
  const places = parameter
    ? [{ file: parameter.file, line: parameter.line }]
    : (box?.places ?? []);
  return box || places.length > 0
    ? { trace: trace.id, box: box?.id ?? null, places }
    : null;
}
