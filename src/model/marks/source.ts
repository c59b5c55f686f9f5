import type {
  Annotation,
  Expression,
  FunctionRecord,
  Place,
  Trace
} from '../../protocol';
import type { Recording } from '../../store';
import { bakedInByLine, staleByLine } from './baked-in';
import { expressionsOf } from './expressions';
import { formatCount } from '../words/format';
import { trans } from '../words/language';
import { LineNote, lineNotes } from './line-notes';
import type { NameMark } from './forms';
import { annotationsByLine, saysTheSame } from './marks';
import { holdsPlace } from '../words/place';
import { Token, tokenize } from './python';

/** The source of one function. */
export interface SourceSection {
  readonly fn: FunctionRecord;
  readonly lines: readonly SourceLine[];
  /** The expressions that staged equations. */
  readonly expressions: readonly Expression[];
  /** How much of each line's indentation is not shown. */
  readonly indent: number;
}

/** One line with what is known of it in one trace. */
export interface SourceLine {
  readonly place: Place;
  readonly tokens: readonly Token[];
  readonly marks: readonly Annotation[];
  /** What it reads from outside that is fixed in the program. */
  readonly baked: readonly NameMark[];
  /** How often the line ran in this trace, where it is known. */
  readonly runs: number;
  /** What is said of the line as a whole. */
  readonly notes: readonly LineNote[];
  /** Whether it did not run while the trace was made. */
  readonly skipped: boolean;
  /** Whether the newest equation of a running trace came from here. */
  readonly running: boolean;
  /** What failed here. */
  readonly error: string | null;
}

/**
 * The function that is shown, then those others of the user's whose lines its trace went through. Marks are from the trace
 * and from those inside it.
 */
export function sourceSections(
  recording: Recording,
  fn: FunctionRecord,
  trace: Trace | null
): SourceSection[] {
  const inside = trace ? insideOf(recording, trace) : [];
  const traces = trace ? [trace, ...newestOf(inside)] : [];
  const sections: SourceSection[] = [];
  for (const shown of [fn, ...passedThrough(recording, fn, trace)]) {
    const runs = inside.filter(one => one.function === shown.id).length;
    const lines = sourceLines(recording, shown, traces, runs);
    if (lines) {
      const expressions = expressionsOf(recording, shown, traces);
      const indent = sharedIndent(shown.source ?? '');
      sections.push({ fn: shown, lines, expressions, indent });
    }
  }
  return sections;
}

/** The newest of each function. */
function newestOf(traces: readonly Trace[]): Trace[] {
  return [...new Map(traces.map(trace => [trace.function, trace])).values()];
}

/** The traces that a trace caused. */
function insideOf(recording: Recording, outer: Trace): Trace[] {
  const inside = new Set([outer.id]);
  return recording.traces.records.filter(trace => {
    const isInside = trace.parent !== null && inside.has(trace.parent);
    if (isInside) {
      inside.add(trace.id);
    }
    return isInside;
  });
}

/** Each file's in order of their lines; a function inside another one is seen there. */
function passedThrough(
  recording: Recording,
  shown: FunctionRecord,
  trace: Trace | null
): FunctionRecord[] {
  const id = trace?.id ?? '';
  const lines = recording.listings.get(id)?.lines ?? [];
  const boxes = recording.graphs.get(id)?.boxes ?? [];
  // The end of a long listing is left out; boxes stand for all equations.
  const places = [
    ...lines.flatMap(({ place }) => place ?? []),
    ...boxes.flatMap(box => box.places)
  ];
  const found: FunctionRecord[] = [];
  const candidates = recording.functions.records
    .filter(fn => fn.origin === 'user' && fn.source !== null)
    .sort((a, b) => order(a.file, b.file) || order(a.line, b.line));
  for (const fn of candidates) {
    const known = [shown, ...found].some(other => contains(other, fn));
    if (!known && places.some(place => holdsPlace(fn, place))) {
      found.push(fn);
    }
  }
  return found;
}

function order<T extends string | number>(a: T | null, b: T | null): number {
  return a === b ? 0 : a !== null && b !== null && a < b ? -1 : 1;
}

function contains(
  outer: FunctionRecord,
  { file, line }: FunctionRecord
): boolean {
  return file !== null && line !== null && holdsPlace(outer, { file, line });
}

/**
 * The lines of a function as they stood when it ran, or null where its source is not known.
 *
 * @param runs - how often it ran inside the trace that is shown: what its names were the last time is told.
 */
function sourceLines(
  recording: Recording,
  fn: FunctionRecord,
  traces: readonly Trace[],
  runs: number
): SourceLine[] | null {
  const { source, file, line: first } = fn;
  if (source === null || file === null || first === null) {
    return null;
  }
  const texts = dedent(source);
  const ids = new Set(traces.map(trace => trace.id));
  const marks = annotationsByLine(fn, ids, recording.annotations.records);
  const own = traces.filter(trace => trace.function === fn.id);
  const baked = bakedInByLine(fn, own, traces);
  const stale = staleByLine(fn.stale);
  const { notes, skipped } = lineNotes(recording, fn, traces);
  const head = first + texts.findIndex(text => !/^\s*@/.test(text));
  return tokenize(texts).map((tokens, i) => {
    const line = first + i;
    const own = withoutRepetitions(marks.get(line) ?? []);
    const told = notes.get(line) ?? [];
    return {
      place: { file, line },
      tokens,
      marks: own,
      baked: baked.get(line) ?? [],
      notes: [
        ...(line === head && runs > 1 ? [lastOf(runs, fn)] : []),
        ...told,
        ...(stale.get(line) ?? [])
      ],
      skipped: skipped.has(line),
      runs: Math.max(0, ...own.map(mark => mark.runs)),
      running: traces.some(t => t.status === 'running' && t.at_line === line),
      error: errorAt(traces, file, line)
    };
  });
}

function lastOf(runs: number, { name }: FunctionRecord): LineNote {
  const count = formatCount(runs);
  return {
    kind: 'recording',
    text: trans.__('the last of %1 runs', count),
    title: trans.__(
      '%1 ran %2 times in this trace. The marks say what its names were the last time.',
      name,
      count
    )
  };
}

/** What a line says of each name, once. */
function withoutRepetitions(marks: readonly Annotation[]): Annotation[] {
  return marks.filter(
    (mark, i) => !marks.slice(0, i).some(other => saysTheSame(other, mark))
  );
}

export function errorAt(
  traces: readonly Trace[],
  file: string,
  line: number
): string | null {
  const error = traces.find(
    ({ error: e }) => e?.file === file && e.line === line
  )?.error;
  return error ? `${error.type}: ${error.message.split('\n')[0]}` : null;
}

/** The lines of a source without the indentation that they share. */
function dedent(source: string): string[] {
  const shared = sharedIndent(source);
  const lines = source.replace(/\n$/, '').split('\n');
  return lines.map(line => line.slice(shared));
}

function sharedIndent(source: string): number {
  const indents = source
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => line.length - line.trimStart().length);
  return indents.length > 0 ? Math.min(...indents) : 0;
}
