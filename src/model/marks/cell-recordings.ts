import type { FunctionRecord, StaleValue } from '../../protocol';
import type { Session } from '../../store';
import { addTo } from '../groups';
import { oncePerFile } from '../once';
import { staleByLine } from './baked-in';
import { MarkedFunction, MarkedLine, markedFunction } from './cell-marks';
import { trans } from '../words/language';
import type { LineNote } from './line-notes';
import { shortTitle } from '../words/session-title';

/** A session in which a cell's code ran, and the file name that it had there. */
export interface RanCode {
  readonly session: Session;
  readonly file: string;
}

/**
 * What the lines of a cell show: each function as the cell's own recording traced it, so that marks agree with the output
 * below them; else as the newest recording that did, which its first line names.
 *
 * @param ran - the sessions in which the text ran that the cell still has, the newest last.
 */
export function markedFunctions(ran: readonly RanCode[]): MarkedFunction[] {
  const found = new Map<string, SeenFunction[]>();
  for (const { session, file } of ran) {
    for (const seen of functionsOf(session, file)) {
      addTo(found, seen.key, seen);
    }
  }
  const all = [...found.values()].flatMap(seen => chosen(seen) ?? []);
  return all.map(({ marked, note }) => {
    // What is said of a function goes for those inside it too.
    const outer = all.some(other => isInside(marked, other.marked));
    return note && !outer && marked.lines.size > 0
      ? withNote(marked, note)
      : marked;
  });
}

function isInside(one: MarkedFunction, other: MarkedFunction): boolean {
  return (
    one !== other &&
    other.lines.size > 0 &&
    other.first <= one.first &&
    one.last <= other.last
  );
}

/** The functions of a cell as one session traced them. */
export function markedIn({ session, file }: RanCode): MarkedFunction[] {
  return functionsOf(session, file).flatMap(({ marked }) => marked ?? []);
}

/** A function in one session. */
interface SeenFunction {
  readonly key: string;
  /** Whether the session recorded the cell that the function is written in. */
  readonly own: boolean;
  /** What had changed when calls were answered from the cache. */
  readonly stale: readonly StaleValue[];
  /** Null where the session has no trace of it, as when all calls were hits. */
  readonly marked: MarkedFunction | null;
}

const functionsOf = oncePerFile((session, file): SeenFunction[] => {
  const { functions, newest } = session.recording;
  return functions.records
    .filter(fn => fn.file === file && fn.origin === 'user')
    .map(fn => ({
      key: `${fn.line} ${fn.qualname}`,
      own: newest.cell.file === file,
      stale: fn.stale,
      marked: markedFunction(session, fn)
    }));
});

/** A function as one session traced it, and which session that was, where it does not go without saying. */
interface Chosen {
  readonly marked: MarkedFunction;
  readonly note: LineNote | null;
}

/** @param seen - one function in several sessions, the newest last; all that came after the chosen one may add to it. */
function chosen(seen: readonly SeenFunction[]): Chosen | null {
  const traced = seen.filter(({ marked }) => marked !== null);
  const newest = traced[traced.length - 1];
  const used = traced.filter(({ own }) => own).pop() ?? newest;
  if (!used?.marked || !newest?.marked) {
    return null;
  }
  const after = seen.slice(seen.indexOf(used) + 1);
  const again = after.findIndex(({ marked }) => marked !== null);
  const hits = again < 0 ? after : after.slice(0, again);
  const marked = withChanges(
    used.marked,
    hits.flatMap(({ stale }) => stale)
  );
  if (!used.own) {
    return { marked, note: madeBy(marked) };
  }
  const isNewest = newest === used;
  return { marked, note: isNewest ? null : tracedAgain(newest.marked) };
}

function madeBy({ session, fn }: MarkedFunction): LineNote {
  const cell = shortTitle(session);
  return recordingNote(
    trans.__('in %1', cell),
    trans.__(
      'What %1 was in the recording of %2, the newest that traced it.',
      fn.name,
      cell
    )
  );
}

function tracedAgain({ session, fn }: MarkedFunction): LineNote {
  const cell = shortTitle(session);
  return recordingNote(
    trans.__('traced again in %1', cell),
    trans.__(
      'The marks say what %1 was in the recording of this cell. %2 traced it again.',
      fn.name,
      cell
    )
  );
}

function recordingNote(text: string, title: string): LineNote {
  return { kind: 'recording', text, title };
}

/** With what is said of the function as a whole, where it begins. */
function withNote(marked: MarkedFunction, note: LineNote): MarkedFunction {
  const { fn, first } = marked;
  const at = first + headOf(fn.source ?? '');
  const line = marked.lines.get(at) ?? emptyLine(fn, at);
  const lines = new Map(marked.lines);
  lines.set(at, { ...line, notes: [...line.notes, note] });
  return { ...marked, lines };
}

/** How many lines of decorators stand above a function. */
function headOf(source: string): number {
  const lines = source.split('\n');
  return Math.max(
    0,
    lines.findIndex(line => /^\s*(async\s+)?def\b/.test(line))
  );
}

/** With what later sessions, which did not trace the function again, tell of values that changed. */
function withChanges(
  marked: MarkedFunction,
  changes: readonly StaleValue[]
): MarkedFunction {
  if (changes.length === 0) {
    return marked;
  }
  const lines = new Map(marked.lines);
  for (const [line, notes] of staleByLine([...marked.fn.stale, ...changes])) {
    const before = lines.get(line) ?? emptyLine(marked.fn, line);
    const kept = before.notes.filter(({ kind }) => kind !== 'stale');
    lines.set(line, { ...before, notes: [...kept, ...notes] });
  }
  return { ...marked, lines };
}

function emptyLine({ file }: FunctionRecord, line: number): MarkedLine {
  return {
    place: { file: file ?? '', line },
    marks: [],
    notes: [],
    skipped: false,
    runs: [Infinity, 0],
    running: false,
    error: null
  };
}
