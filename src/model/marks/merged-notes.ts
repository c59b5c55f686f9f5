import type { FunctionRecord, Trace } from '../../protocol';
import type { Recording } from '../../store';
import { counted } from '../words/counted';
import { trans } from '../words/language';
import { LineNote, LineNotes, lineNotes, linesNotRun } from './line-notes';
import { traceNumber } from '../words/words';

/** More numbers of traces than these are counted. */
const NAMED = 3;

/** What is said of the lines of a function over all its traces: loops as in the newest, branches with those that left them out. */
export function mergedNotes(
  recording: Recording,
  fn: FunctionRecord,
  traces: readonly Trace[]
): LineNotes {
  const inOrder = [...traces].sort((a, b) => a.started - b.started);
  const newest = lineNotes(recording, fn, inOrder.slice(-1));
  const all = lineNotes(recording, fn, traces);
  const skippedBy = skippingTraces(recording, fn);
  const by = (line: number): Trace[] =>
    inOrder.filter(trace => skippedBy.get(line)?.has(trace.id));
  const isSkipped = (line: number): boolean =>
    by(line).length === traces.length;
  const notes = new Map<number, LineNote[]>();
  for (const [line, told] of all.notes) {
    const now = newest.notes.get(line) ?? [];
    const merged = now.filter(note => note.kind !== 'not_run');
    const left = told.find(note => note.kind === 'not_run');
    if (left) {
      const text = isSkipped(line)
        ? left.text
        : trans.__('%1 in %2', left.text, namesOf(by(line)));
      merged.push({ ...left, text });
    }
    notes.set(line, merged);
  }
  return { notes, skipped: new Set([...all.skipped].filter(isSkipped)) };
}

/** Ids of the traces that did not run a line. */
function skippingTraces(
  recording: Recording,
  fn: FunctionRecord
): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const mark of recording.lineMarks.records) {
    if (mark.function === fn.id) {
      for (const line of linesNotRun(mark, fn)) {
        found.set(line, (found.get(line) ?? new Set()).add(mark.trace));
      }
    }
  }
  return found;
}

function namesOf(traces: readonly Trace[]): string {
  return traces.length > NAMED
    ? counted(traces.length, 'trace')
    : traces.map(traceNumber).join(', ');
}
