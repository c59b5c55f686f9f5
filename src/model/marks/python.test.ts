import { describe, expect, it } from 'vitest';
import { Token, tokenize } from './python';

const SOURCE = `@partial(jax.jit, static_argnames="n")
def f(x, n=2):  # a comment
    """Doc
    string with # and 'quotes'."""
    y = x ** 1.5e-3 if n is None else f"{x:'>3}"
    s = 'it\\'s' + r"\\d" + '''one line'''
    größe = 0xff
    return y`.split('\n');

const kinds = (tokens: readonly Token[] | undefined, kind: string): string[] =>
  (tokens ?? []).filter(t => t.kind === kind).map(t => t.text);

describe('tokenize', () => {
  const lines = tokenize(SOURCE);

  it('loses and adds nothing', () => {
    const text = lines.map(tokens => tokens.map(t => t.text).join(''));
    expect(text).toEqual(SOURCE);
  });

  it('tells keywords, names, numbers and comments apart', () => {
    expect(kinds(lines[0], 'meta')).toEqual(['@partial']);
    expect(kinds(lines[1], 'keyword')).toEqual(['def']);
    expect(kinds(lines[1], 'definition')).toEqual(['f']);
    expect(kinds(lines[1], 'comment')).toEqual(['# a comment']);
    expect(kinds(lines[4], 'keyword')).toEqual(['if', 'is', 'else']);
    expect(kinds(lines[4], 'atom')).toEqual(['None']);
    expect(kinds(lines[4], 'number')).toEqual(['1.5e-3']);
    expect(kinds(lines[6], 'number')).toEqual(['0xff']);
  });

  it('follows a string over lines, and ends it where it ends', () => {
    expect(kinds(lines[2], 'string')).toEqual(['"""', 'Doc']);
    expect(kinds(lines[3], 'comment')).toEqual([]);
    expect(kinds(lines[5], 'string')).toEqual([
      "'it\\'s'",
      'r"\\d"',
      "'''",
      "one line'''"
    ]);
    expect(kinds(lines[7], 'keyword')).toEqual(['return']);
  });

  it('takes no time over a long line', () => {
    const line = `x = "${'\\"'.repeat(50_000)}`;
    expect(
      tokenize([line])[0]
        ?.map(t => t.text)
        .join('')
    ).toBe(line);
  });
});
