import type { Expression } from '../../protocol';
import {
  byteColumn,
  expressionWords,
  expressionsAt,
  textColumn
} from './expressions';
import type { Token } from './python';

/** A stretch of one line's text that belongs to one expression, or to none. */
export interface Piece extends Token {
  /** What the innermost expression around it staged; null where there is none. */
  readonly staged: string | null;
}

/**
 * The text of a line, cut where expressions that staged equations begin and end.
 *
 * @param tokens - of the line as it is shown.
 * @param line - its number.
 * @param indent - how much of its indentation is not shown.
 */
export function piecesOf(
  tokens: readonly Token[],
  expressions: readonly Expression[],
  line: number,
  indent: number
): Piece[] {
  const own = expressions.filter(
    one => one.line <= line && line <= one.end_line
  );
  if (own.length === 0) {
    return tokens.map(token => ({ ...token, staged: null }));
  }
  const text = ' '.repeat(indent) + tokens.map(token => token.text).join('');
  const ends = own.flatMap(one => [
    ...(one.line === line ? [one.column] : []),
    ...(one.end_line === line ? [one.end_column] : [])
  ]);
  const cuts = new Set(ends.map(column => textColumn(text, column)));
  let at = indent;
  return tokens.flatMap(token =>
    cutUp(at, (at += token.text.length), cuts).map(([from, to]) => ({
      kind: token.kind,
      text: text.slice(from, to),
      staged: wordsAt(own, line, byteColumn(text, from))
    }))
  );
}

/** The stretches from one place to another between cuts. */
function cutUp(
  from: number,
  to: number,
  cuts: ReadonlySet<number>
): [number, number][] {
  const inside = [...cuts].filter(cut => from < cut && cut < to);
  const ends = [from, ...inside.sort((a, b) => a - b), to];
  return ends.slice(1).map((end, i) => [ends[i] ?? from, end]);
}

function wordsAt(
  expressions: readonly Expression[],
  line: number,
  column: number
): string | null {
  const found = expressionsAt(expressions, line, column);
  return found.length > 0 ? found.map(expressionWords).join('\n') : null;
}
