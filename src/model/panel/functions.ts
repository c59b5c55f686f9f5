import type { FunctionRecord, Trace } from '../../protocol';
import type { Session, Sorting } from '../../store';
import { retracesIn } from './retraces';

/** A function in one recording, or in all of a notebook. */
export interface FunctionRow {
  /** The same for the same code in other recordings. */
  readonly key: string;
  /** As the newest of the recordings has it. */
  readonly fn: FunctionRecord;
  readonly session: Session;
  readonly calls: number;
  readonly traces: number;
  readonly hits: number;
  readonly compiles: number;
  /** Null where traces were left out, so that nobody can count. */
  readonly retraces: number | null;
  readonly seconds: FunctionRecord['seconds'];
}

/** The functions of these recordings, each once. */
export function functionRows(sessions: readonly Session[]): FunctionRow[] {
  const rows = new Map<string, FunctionRow>();
  for (const session of sessions) {
    const { recording } = session;
    const retraces = retracesIn(recording);
    const met = new Set<string>();
    for (const fn of recording.functions.records) {
      const key = keyOf(session, fn, met);
      met.add(key);
      const row = { ...countsOf(session, fn, retraces), key };
      const before = rows.get(key);
      rows.set(key, before ? sum(before, row) : row);
    }
  }
  return [...rows.values()];
}

export function rowCost({ seconds }: FunctionRow): number {
  return seconds.trace + seconds.lower + seconds.compile;
}

export function sortRows(
  rows: readonly FunctionRow[],
  { by, descending }: Sorting
): FunctionRow[] {
  const value = VALUES[by];
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => sign * value(a, b));
}

/** Every word must stand in the function's name or its file's. */
export function findRows(
  rows: readonly FunctionRow[],
  query: string
): FunctionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ fn }) => {
    const text = `${fn.qualname} ${fn.name} ${fn.file ?? ''}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
}

const VALUES: Record<
  Sorting['by'],
  (a: FunctionRow, b: FunctionRow) => number
> = {
  name: (a, b) => a.fn.name.localeCompare(b.fn.name),
  traces: (a, b) => a.traces - b.traces,
  hits: (a, b) => a.hits - b.hits,
  compiles: (a, b) => a.compiles - b.compiles,
  cost: (a, b) => rowCost(a) - rowCost(b)
};

function countsOf(
  session: Session,
  fn: FunctionRecord,
  retraces: readonly Trace[]
): Omit<FunctionRow, 'key'> {
  const own = session.recording.traces.records.filter(
    ({ function: id, kind }) => id === fn.id && kind !== 'call'
  );
  return {
    fn,
    session,
    calls: fn.calls,
    traces: fn.traces,
    hits: fn.cache_hits,
    compiles: fn.compiles,
    retraces:
      own.length === fn.traces
        ? retraces.filter(trace => trace.function === fn.id).length
        : null,
    seconds: fn.seconds
  };
}

/**
 * A cell keeps its id when its text changes; the name of its code does not stay.
 *
 * @param met - keys of other functions of the same recording: lambdas may share a line.
 */
function keyOf(
  { recording }: Session,
  fn: FunctionRecord,
  met: ReadonlySet<string>
): string {
  const { cell, cells } = recording.newest;
  const written = [cell, ...cells].find(({ file }) => file === fn.file);
  const place = written?.id ? `cell ${written.id}` : (fn.file ?? '');
  const key = `${place}:${fn.line ?? 0}:${fn.qualname}`;
  return met.has(key) ? `${key}:${fn.id}` : key;
}

function sum(before: FunctionRow, next: FunctionRow): FunctionRow {
  return {
    ...next,
    calls: before.calls + next.calls,
    traces: before.traces + next.traces,
    hits: before.hits + next.hits,
    compiles: before.compiles + next.compiles,
    retraces:
      before.retraces === null || next.retraces === null
        ? null
        : before.retraces + next.retraces,
    seconds: {
      trace: before.seconds.trace + next.seconds.trace,
      lower: before.seconds.lower + next.seconds.lower,
      compile: before.seconds.compile + next.seconds.compile
    }
  };
}
