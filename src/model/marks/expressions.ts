import type { Expression, FunctionRecord, Place, Trace } from '../../protocol';
import type { Recording } from '../../store';
import { counted } from '../words/counted';
import { trans } from '../words/language';
import { holdsPlace } from '../words/place';
import { tracedOutward } from './reach';

/**
 * The expressions of a function that staged equations, as the newest of these traces has them. What has no jaxpr of its own
 * (a helper, a body under `vmap`) staged into that of the trace around it.
 */
export function expressionsOf(
  recording: Recording,
  fn: FunctionRecord,
  traces: readonly Trace[]
): readonly Expression[] {
  const newestFirst = [...traces].sort((a, b) => b.started - a.started);
  for (const trace of newestFirst) {
    const staged = tracedOutward(recording, trace);
    const all = recording.expressions.get(staged?.id ?? '')?.expressions ?? [];
    const own = all.filter(one => holdsPlace(fn, one));
    if (own.length > 0) {
      return own;
    }
  }
  return [];
}

/**
 * The innermost expression at a place, once for each phase.
 *
 * @param column - in UTF-8 bytes from 0, as in the records.
 */
export function expressionsAt(
  expressions: readonly Expression[],
  line: number,
  column: number
): readonly Expression[] {
  const around = expressions.filter(one => holds(one, line, column));
  const inner = around.reduce<Expression | null>(
    (best, next) => (best && !isInside(next, best) ? best : next),
    null
  );
  return inner ? around.filter(one => sameSpan(one, inner)) : [];
}

function holds(one: Expression, line: number, column: number): boolean {
  const begins = one.line < line || (one.line === line && one.column <= column);
  const ends =
    line < one.end_line || (line === one.end_line && column < one.end_column);
  return begins && ends;
}

function isInside(one: Expression, other: Expression): boolean {
  const later =
    one.line > other.line ||
    (one.line === other.line && one.column >= other.column);
  const earlier =
    one.end_line < other.end_line ||
    (one.end_line === other.end_line && one.end_column <= other.end_column);
  return later && earlier;
}

function sameSpan(one: Expression, other: Expression): boolean {
  return isInside(one, other) && isInside(other, one);
}

/** Expressions that begin on a line, each with the part of it that stands there. */
export function expressionsOn(
  expressions: readonly Expression[],
  { line }: Place,
  text: string
): { readonly text: string; readonly words: string }[] {
  return expressions
    .filter(one => one.line === line)
    .map(one => ({ text: textOf(one, text), words: expressionWords(one) }));
}

/** The text of an expression, as far as it stands on its first line. */
export function textOf(one: Expression, line: string): string {
  const bytes = new TextEncoder().encode(line);
  const end = one.end_line === one.line ? one.end_column : bytes.length;
  const text = new TextDecoder().decode(bytes.slice(one.column, end));
  return one.end_line === one.line ? text : `${text.trimEnd()} …`;
}

/** `reduce_sum, div → f32[]`; `backward: 12 equations (mul, dot_general, …) → f32[5,3], batched`. */
export function expressionWords(one: Expression): string {
  const { primitives, equations, types, phase, mapped } = one;
  const listed = primitives.join(', ');
  const what =
    equations === primitives.length
      ? listed
      : `${counted(equations, 'equation')} (${listed}${primitives.length < MOST_PRIMITIVES ? '' : ', …'})`;
  const made = types.length > 0 ? ` → ${types.join(', ')}` : '';
  const words = `${phase ? `${phase}: ` : ''}${what}${made}`;
  return mapped ? trans.__('%1, with the batch of vmap', words) : words;
}

/** More are not told one by one. */
const MOST_PRIMITIVES = 6;

/** A column of a line of text, counted as the records do. */
export function byteColumn(line: string, column: number): number {
  return new TextEncoder().encode(line.slice(0, column)).length;
}

/** A column of the records, counted in the line's own characters. */
export function textColumn(line: string, bytes: number): number {
  const encoded = new TextEncoder().encode(line);
  return new TextDecoder().decode(encoded.slice(0, bytes)).length;
}
