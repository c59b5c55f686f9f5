import type { Annotation, FunctionRecord, Place, Trace } from '../protocol';
import { Token, tokenize } from './python';

/** One line of a function's source with what is known of it in one trace. */
export interface SourceLine {
  readonly place: Place;
  readonly tokens: readonly Token[];
  readonly marks: readonly Annotation[];
  /** How often the line ran in this trace, where it is known. */
  readonly runs: number;
  /** Whether the newest equation of a running trace came from here. */
  readonly running: boolean;
  /** What failed here. */
  readonly error: string | null;
}

/** The lines of a function as they stood when it ran, or null where its source is not known. */
export function sourceLines(
  fn: FunctionRecord,
  trace: Trace | null,
  annotations: readonly Annotation[]
): SourceLine[] | null {
  const { source, file, line: first } = fn;
  if (source === null || file === null || first === null) {
    return null;
  }
  const marks = marksByLine(fn, trace, annotations);
  return tokenize(dedent(source)).map((tokens, i) => {
    const line = first + i;
    const own = marks.get(line) ?? [];
    return {
      place: { file, line },
      tokens,
      marks: own,
      runs: Math.max(0, ...own.map(mark => mark.runs)),
      running: trace?.status === 'running' && trace.at_line === line,
      error: errorAt(trace, file, line)
    };
  });
}

function marksByLine(
  fn: FunctionRecord,
  trace: Trace | null,
  annotations: readonly Annotation[]
): Map<number, Annotation[]> {
  const byLine = new Map<number, Annotation[]>();
  for (const mark of annotations) {
    if (mark.trace === trace?.id && mark.file === fn.file) {
      byLine.set(mark.line, [...(byLine.get(mark.line) ?? []), mark]);
    }
  }
  return byLine;
}

function errorAt(
  trace: Trace | null,
  file: string,
  line: number
): string | null {
  const error = trace?.error;
  return error?.file === file && error.line === line
    ? `${error.type}: ${error.message.split('\n')[0]}`
    : null;
}

/** Takes away the indentation that all lines share. */
function dedent(source: string): string {
  const lines = source.replace(/\n$/, '').split('\n');
  const indents = lines
    .filter(line => line.trim() !== '')
    .map(line => line.length - line.trimStart().length);
  const shared = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map(line => line.slice(shared)).join('\n');
}
