import { describe, expect, it } from 'vitest';
import type { Expression } from '../../protocol';
import { merge } from '../../store/recording';
import { FILE, aFunction, aTrace, anUpdate } from '../../testing/records';
import {
  byteColumn,
  expressionWords,
  expressionsAt,
  expressionsOf,
  textColumn,
  textOf
} from './expressions';
import { piecesOf } from './pieces';
import { tokenize } from './python';

const LINE = '    é = jnp.sin(x * 2) + x';

function anExpression(
  text: string,
  fields: Partial<Expression> = {}
): Expression {
  const column = byteColumn(LINE, LINE.indexOf(text));
  return {
    file: FILE,
    line: 5,
    column,
    end_line: 5,
    end_column: column + byteColumn(text, text.length),
    equations: 1,
    primitives: ['mul'],
    types: ['f32[]'],
    phase: '',
    mapped: false,
    ...fields
  };
}

const INNER = anExpression('x * 2');
const CALL = anExpression('jnp.sin(x * 2)', { primitives: ['sin'] });
const WHOLE = anExpression('jnp.sin(x * 2) + x', { primitives: ['add'] });
const ALL = [WHOLE, CALL, INNER];

function at(text: string): readonly Expression[] {
  return expressionsAt(ALL, 5, byteColumn(LINE, LINE.indexOf(text)));
}

describe('expressionsAt', () => {
  it('finds the innermost expression around a place', () => {
    expect(at('x * 2')).toEqual([INNER]);
    expect(at('sin')).toEqual([CALL]);
    expect(at('+')).toEqual([WHOLE]);
    expect(at('é')).toEqual([]);
  });

  it('gives one expression for each phase of differentiation', () => {
    const forward = anExpression('x * 2', { phase: 'forward' });
    const backward = anExpression('x * 2', { phase: 'backward' });
    expect(expressionsAt([WHOLE, forward, backward], 5, INNER.column)).toEqual([
      forward,
      backward
    ]);
  });

  it('looks over several lines', () => {
    const long = anExpression('jnp.sin(x * 2)', { end_line: 7, end_column: 2 });
    expect(expressionsAt([long], 6, 0)).toEqual([long]);
    expect(expressionsAt([long], 7, 2)).toEqual([]);
  });
});

describe('expressionsOf', () => {
  it('takes those of the newest trace, and for a helper of the trace around it', () => {
    const outer = aFunction({ id: 'f2', line: 20, end_line: 30 });
    const helper = aFunction({ line: 3, end_line: 6 });
    const older = aTrace({ id: 'f2#1', function: 'f2' });
    const newer = aTrace({ id: 'f2#2', function: 'f2', started: 1 });
    const call = aTrace({ id: 'f1/call1', parent: 'f2#2', jaxpr: null });
    const elsewhere = anExpression('x * 2', { line: 25, end_line: 25 });
    const recording = merge(
      null,
      anUpdate({
        functions: [outer, helper],
        traces: [older, newer, call],
        expressions: [
          { trace: 'f2#1', expressions: [CALL] },
          { trace: 'f2#2', expressions: [INNER, elsewhere] }
        ]
      })
    );
    expect(expressionsOf(recording, helper, [call])).toEqual([INNER]);
    expect(expressionsOf(recording, outer, [older, newer])).toEqual([
      elsewhere
    ]);
  });
});

describe('words', () => {
  it('say what was staged and what comes out', () => {
    expect(expressionWords(INNER)).toBe('mul → f32[]');
    const many = anExpression('x * 2', {
      equations: 12,
      primitives: ['mul', 'add'],
      types: ['f32[5]'],
      phase: 'backward',
      mapped: true
    });
    expect(expressionWords(many)).toBe(
      'backward: 12 equations (mul, add) → f32[5], with the batch of vmap'
    );
  });

  it('columns count bytes, and the text is cut by them', () => {
    expect(textOf(CALL, LINE)).toBe('jnp.sin(x * 2)');
    expect(textColumn(LINE, CALL.column)).toBe(LINE.indexOf('jnp'));
    expect(textOf({ ...CALL, end_line: 6 }, LINE)).toBe('jnp.sin(x * 2) + x …');
  });
});

describe('piecesOf', () => {
  it('cuts the text where expressions begin and end', () => {
    const [tokens = []] = tokenize([LINE.slice(4)]);
    const pieces = piecesOf(tokens, ALL, 5, 4);
    expect(pieces.map(({ text }) => text).join('')).toBe(LINE.slice(4));
    const staged = new Map<string | null, string>();
    for (const { text, staged: words } of pieces) {
      staged.set(words, (staged.get(words) ?? '') + text);
    }
    expect(Object.fromEntries(staged)).toEqual({
      null: 'é = ',
      'sin → f32[]': 'jnp.sin()',
      'mul → f32[]': 'x * 2',
      'add → f32[]': ' + x'
    });
  });
});
