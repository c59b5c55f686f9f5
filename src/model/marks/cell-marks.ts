import type { Expression, FunctionRecord, Place, Trace } from '../../protocol';
import type { Recording, Session } from '../../store';
import { bakedInByLine, staleByLine } from './baked-in';
import { expressionsOf } from './expressions';
import type { NameMark } from './forms';
import { annotationsByLine, mergeMarks } from './marks';
import type { LineNote } from './line-notes';
import { mergedNotes } from './merged-notes';
import { errorAt } from './source';

/** A function written in a cell, as one session traced it; all traces of that session are merged. */
export interface MarkedFunction {
  readonly session: Session;
  readonly fn: FunctionRecord;
  /** First and last line, counted as in `Place`. */
  readonly first: number;
  readonly last: number;
  /** By line; lines without anything to tell are left out. */
  readonly lines: ReadonlyMap<number, MarkedLine>;
  /** The expressions that staged equations in the newest trace. */
  readonly expressions: readonly Expression[];
}

export interface MarkedLine {
  readonly place: Place;
  readonly marks: readonly NameMark[];
  /** What is said of the line as a whole. */
  readonly notes: readonly LineNote[];
  /** Whether no trace ran it. */
  readonly skipped: boolean;
  /** The least and the most that the line ran in one trace, where it is known. */
  readonly runs: readonly [number, number];
  /** Whether a trace that goes on stands here. */
  readonly running: boolean;
  /** What failed here. */
  readonly error: string | null;
}

/** The innermost function that a line belongs to. */
export function functionAt(
  functions: readonly MarkedFunction[],
  line: number
): MarkedFunction | null {
  return functions
    .filter(({ first, last }) => first <= line && line <= last)
    .reduce<MarkedFunction | null>(
      (inner, next) =>
        inner && inner.last - inner.first <= next.last - next.first
          ? inner
          : next,
      null
    );
}

/** Null where no trace of the function is known, as when all calls were hits. */
export function markedFunction(
  session: Session,
  fn: FunctionRecord
): MarkedFunction | null {
  const { file, line: first, end_line: last } = fn;
  const traces = session.recording.traces.records.filter(
    trace => trace.function === fn.id
  );
  if (file === null || first === null) {
    return null;
  }
  // Before Python 3.12 a helper has no trace of its own: what it staged is told by the traces that called it.
  const { records } = session.recording.traces;
  const staging = traces.length > 0 ? traces : records;
  const expressions = expressionsOf(session.recording, fn, staging);
  if (traces.length === 0 && expressions.length === 0) {
    return null;
  }
  const lines = markedLines(session, fn, traces, file);
  return { session, fn, first, last: last ?? first, lines, expressions };
}

function markedLines(
  { recording }: Session,
  fn: FunctionRecord,
  traces: readonly Trace[],
  file: string
): Map<number, MarkedLine> {
  const ids = new Set(traces.map(trace => trace.id));
  const names = annotationsByLine(fn, ids, recording.annotations.records);
  const baked = bakedInByLine(fn, traces, recording.traces.records);
  const stale = staleByLine(fn.stale);
  const { notes, skipped } = mergedNotes(recording, fn, traces);
  const callerOf = (id: string): string => callerIn(recording, id);
  const staging = traces.find(trace => trace.status === 'running')?.at_line;
  const failed = traces.flatMap(({ error }) =>
    error?.file === file ? (error.line ?? []) : []
  );
  const found = new Map<number, MarkedLine>();
  for (const line of [
    ...names.keys(),
    ...baked.keys(),
    ...stale.keys(),
    ...notes.keys(),
    ...skipped,
    ...failed,
    ...(staging ? [staging] : [])
  ]) {
    const told = names.get(line) ?? [];
    const runs = told.map(mark => mark.runs);
    found.set(line, {
      place: { file, line },
      marks: [...mergeMarks(told, callerOf), ...(baked.get(line) ?? [])],
      notes: [...(notes.get(line) ?? []), ...(stale.get(line) ?? [])],
      skipped: skipped.has(line),
      runs: [Math.min(...runs, Infinity), Math.max(...runs, 0)],
      running: line === staging,
      error: errorAt(traces, file, line)
    });
  }
  return found;
}

/** The trace that JAX caused in which a trace happened: of a helper that plain Python called, the one around it. */
function callerIn(recording: Recording, id: string): string {
  const trace = recording.traces.get(id);
  return trace?.kind === 'call' && trace.parent !== null
    ? callerIn(recording, trace.parent)
    : id;
}
