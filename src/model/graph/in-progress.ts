import type { Box, Graph, Trace } from '../../protocol';
import type { Session } from '../../store';
import { counted } from '../words/counted';
import { trans } from '../words/language';

const GAP = 22;
const HEIGHT = 31;
/** Advances of a character of the label and of the detail, and room at the sides. */
const LABEL_ADVANCE = 6.7;
const DETAIL_ADVANCE = 5.45;
const SIDES = 20;

/** A trace that goes on inside another one, which has no equation for it yet. */
export interface Nested {
  readonly id: string;
  readonly name: string;
  readonly equations: number;
}

/** What is being traced right now inside a trace; null if it has ended or does its own work. */
export function nestedIn(session: Session, trace: Trace): Nested | null {
  const { traces, functions, graphs } = session.recording;
  const inner =
    trace.status === 'running'
      ? traces.records.find(
          ({ parent, status, kind }) =>
            parent === trace.id && status === 'running' && kind !== 'call'
        )
      : undefined;
  if (!inner) {
    return null;
  }
  const drawn = graphs.get(inner.id)?.equations ?? 0;
  return {
    id: inner.id,
    name: functions.get(inner.function)?.name ?? inner.id,
    equations: Math.max(inner.equations.expanded, drawn)
  };
}

/** The graph of a trace that goes on, with what is being traced inside it as one box that counts up. */
export function withNested(
  graph: Graph,
  { id, name, equations }: Nested
): Graph {
  const detail = trans.__('tracing: %1 so far', counted(equations, 'equation'));
  const width =
    Math.max(name.length * LABEL_ADVANCE, detail.length * DETAIL_ADVANCE) +
    SIDES;
  const y = graph.height + GAP;
  const box: Box = {
    id: `tracing/${id}`,
    kind: 'port',
    label: name,
    detail,
    title: trans.__(
      '%1 is being traced; then it will be one equation here.',
      name
    ),
    x: Math.max(0, (graph.width - width) / 2),
    y,
    width,
    height: HEIGHT,
    name: '',
    notes: [],
    parent: null,
    open: false,
    part: false,
    heading: 0,
    repeat: 1,
    shown: 0,
    copies: [],
    phase: '',
    places: [],
    equations,
    bytes: 0,
    flops: null
  };
  return {
    ...graph,
    width: Math.max(graph.width, width),
    height: y + HEIGHT,
    // Last, because links name boxes by place.
    boxes: [...graph.boxes, box]
  };
}
