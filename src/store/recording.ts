import type {
  Annotation,
  Compilation,
  Expressions,
  FunctionRecord,
  Graph,
  LineMark,
  Listing,
  Trace,
  Update
} from '../protocol';
import { Table } from './table';

/** Everything told about one session so far. Immutable; `merge` makes the next one. */
export interface Recording {
  /** The update with the highest number: what is told as a whole (state, verdict, findings, spans) is read from it. */
  readonly newest: Update;
  readonly functions: Table<FunctionRecord>;
  readonly traces: Table<Trace>;
  readonly compilations: Table<Compilation>;
  readonly annotations: Table<Annotation>;
  readonly lineMarks: Table<LineMark>;
  /** By trace. */
  readonly expressions: Table<Expressions>;
  /** By trace, as are the listings. */
  readonly graphs: Table<Graph>;
  readonly listings: Table<Listing>;
  readonly arrived: Arrived;
}

/** Which updates have arrived: all up to `upTo`, and beyond a hole those `ahead`. */
export interface Arrived {
  readonly upTo: number;
  readonly ahead: ReadonlySet<number>;
}

/** Whether an update is missing, so that a complete one must be asked for. */
export function hasGap(recording: Recording): boolean {
  return recording.arrived.ahead.size > 0;
}

export function merge(before: Recording | null, update: Update): Recording {
  const { number, complete } = update;
  const base = before ?? EMPTY;
  return {
    newest: before && before.newest.number > number ? before.newest : update,
    functions: base.functions.merge(update.functions, number, complete),
    traces: base.traces.merge(update.traces, number, complete),
    compilations: base.compilations.merge(
      update.compilations,
      number,
      complete
    ),
    annotations: base.annotations.merge(update.annotations, number, complete),
    lineMarks: base.lineMarks.merge(update.line_marks, number, complete),
    expressions: base.expressions.merge(update.expressions, number, complete),
    graphs: base.graphs.merge(update.graphs, number, complete),
    listings: base.listings.merge(update.listings, number, complete),
    arrived: advance(base.arrived, number, complete)
  };
}

/** All of it as one update, as if it had been told at once. */
export function snapshot(recording: Recording): Update {
  return {
    ...recording.newest,
    complete: true,
    functions: [...recording.functions.records],
    traces: [...recording.traces.records],
    compilations: [...recording.compilations.records],
    annotations: [...recording.annotations.records],
    line_marks: [...recording.lineMarks.records],
    expressions: [...recording.expressions.records],
    graphs: [...recording.graphs.records],
    listings: [...recording.listings.records]
  };
}

const annotationKey = (a: Annotation): string =>
  JSON.stringify([a.function, a.trace, a.file, a.line, a.name, a.binding]);

const lineMarkKey = (m: LineMark): string =>
  JSON.stringify([m.trace, m.file, m.line, m.kind]);

const EMPTY: Omit<Recording, 'newest'> = {
  functions: new Table(f => f.id),
  traces: new Table(t => t.id),
  compilations: new Table(c => c.id),
  annotations: new Table(annotationKey),
  lineMarks: new Table(lineMarkKey),
  expressions: new Table(e => e.trace),
  graphs: new Table(g => g.trace),
  listings: new Table(l => l.trace),
  arrived: { upTo: 0, ahead: new Set() }
};

function advance(
  { upTo, ahead }: Arrived,
  number: number,
  complete: boolean
): Arrived {
  let reached = complete ? Math.max(upTo, number) : upTo;
  const waiting = new Set(ahead).add(number);
  while (waiting.has(reached + 1)) {
    reached += 1;
  }
  return {
    upTo: reached,
    ahead: new Set([...waiting].filter(n => n > reached))
  };
}
