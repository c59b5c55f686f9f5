import type {
  Annotation,
  Constant,
  FunctionRecord,
  Trace
} from '../../protocol';
import { addTo } from '../groups';
import { formatBytes } from '../words/format';
import { detailsOf, holderTag, typeWords } from '../words/holders';
import { Form, Forms, NameMark } from './forms';
import { tokenize } from './python';
import { BAKED_IN, markSign } from '../words/words';

/** Annotations by the line they are shown at. */
export function annotationsByLine(
  { source, line: first, file }: FunctionRecord,
  traces: ReadonlySet<string>,
  annotations: readonly Annotation[]
): Map<number, Annotation[]> {
  const texts = (source ?? '').split('\n');
  const byLine = new Map<number, Annotation[]>();
  for (const mark of annotations) {
    if (mark.file === file && traces.has(mark.trace)) {
      const line = belowDecorators(texts, first ?? 1, mark.line);
      addTo(byLine, line, mark);
    }
  }
  return byLine;
}

/** Parameters may be told at the line where their function begins, and are shown where they stand. */
function belowDecorators(
  texts: readonly string[],
  first: number,
  line: number
): number {
  let below = line;
  while (/^\s*@/.test(texts[below - first] ?? '')) {
    below += 1;
  }
  return below;
}

/** A parameter that its function does not bind anew is the same at entry and at return. */
export function saysTheSame(a: Annotation, b: Annotation): boolean {
  return (
    a.name === b.name &&
    a.status === b.status &&
    a.type === b.type &&
    a.value === b.value &&
    sameTexts(detailsOf(a), detailsOf(b))
  );
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/**
 * The marks of one line: each name once, with all that it was.
 *
 * @param callerOf - the trace in which a helper ran, by the id of its run; any other trace is its own.
 */
export function mergeMarks(
  annotations: readonly Annotation[],
  callerOf: (trace: string) => string = trace => trace
): NameMark[] {
  const forms = new Forms();
  for (const mark of annotations) {
    const { name, status, value, trace } = mark;
    const type = typeWords(mark);
    forms.add(name, {
      sign: markSign(status),
      type,
      value,
      text: value ?? type,
      tag: holderTag(mark.tracers),
      details: detailsOf(mark),
      parts: mark.parts,
      traces: [trace],
      within: [callerOf(trace)]
    });
  }
  return forms.marks();
}

/** Arrays that were baked in, at the first line of the function that reads them by name. */
export function constantsByLine(
  fn: FunctionRecord,
  traces: readonly Trace[]
): Map<number, NameMark[]> {
  const forms = new Forms();
  for (const trace of traces) {
    for (const constant of trace.constants) {
      if (constant.name !== null) {
        forms.add(constant.name, constantForm(constant, trace));
      }
    }
  }
  const byLine = new Map<number, NameMark[]>();
  for (const mark of forms.marks()) {
    const line = firstReading(fn, mark.name);
    if (line) {
      addTo(byLine, line, mark);
    }
  }
  return byLine;
}

function constantForm({ type, bytes }: Constant, { id }: Trace): Form {
  const text = formatBytes(bytes);
  return {
    sign: BAKED_IN,
    type,
    value: text,
    text,
    tag: '',
    details: [],
    parts: [],
    traces: [id],
    within: [id]
  };
}

/** The line of a function's body whose code names a value: `w`, `self.w`, `cfg['w']`. */
function firstReading(fn: FunctionRecord, name: string): number | null {
  const code = codeLines(fn.source ?? '');
  const head = code.findIndex(line => /\b(def|lambda)\b/.test(line));
  const word = new RegExp(`(?<![\\w.])${escaped(name)}(?![\\w(]|\\s*=(?!=))`);
  const at = code.findIndex(
    (line, i) => (i > head || line.includes('lambda')) && word.test(line)
  );
  return at < 0 ? null : (fn.line ?? 1) + at;
}

/** Lines without comments; strings stay only where they are keys. */
function codeLines(source: string): string[] {
  return tokenize(source.split('\n')).map(tokens =>
    tokens
      .map(({ kind, text }, i) => {
        const isKey = /\[\s*$/.test(tokens[i - 1]?.text ?? '');
        const dropped = kind === 'comment' || (kind === 'string' && !isKey);
        return dropped ? ' ' : kind === 'string' ? requoted(text) : text;
      })
      .join('')
  );
}

/** With the quotes that `repr` gives a key. */
function requoted(text: string): string {
  const [, word] = /^"([^"'\\]*)"$/.exec(text) ?? [];
  return word === undefined ? text : `'${word}'`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
