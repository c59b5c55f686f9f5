import { describe, expect, it } from 'vitest';
import type { Annotation, Constant } from '../../protocol';
import { aFunction, aTrace, anAnnotation } from '../../testing/records';
import { annotationsByLine, constantsByLine, mergeMarks } from './marks';

const SOURCE = [
  '@jax.jit',
  'def step(x, w=w):  # w',
  '    "w is no name here"',
  '    y = g(x, w=2) + x.w',
  "    z = cfg['w'] @ w",
  '    return z @ w'
].join('\n');
const fn = aFunction({ line: 3, end_line: 8, source: SOURCE });

describe('annotationsByLine', () => {
  it('puts parameters below the decorators, and leaves out other traces', () => {
    const told = [
      anAnnotation({ line: 3 }),
      anAnnotation({ line: 6, name: 'y' }),
      anAnnotation({ line: 6, trace: 'f1#9' }),
      anAnnotation({ line: 6, file: 'other.py' })
    ];
    const byLine = annotationsByLine(fn, new Set(['f1#1']), told);
    expect([...byLine].map(([line, marks]) => [line, marks.length])).toEqual([
      [4, 1],
      [6, 1]
    ]);
  });
});

describe('mergeMarks', () => {
  const seen = (fields: Partial<Annotation>): Annotation =>
    anAnnotation({ name: 'n', ...fields });

  it('tells each name once, what it is now before what it was', () => {
    const [mark, ...others] = mergeMarks([
      seen({ type: 'f32[3]', trace: 'f1#1' }),
      seen({ type: 'f32[3]', trace: 'f1#1', binding: 'local' }),
      seen({ type: 'f32[4]', trace: 'f1#2' }),
      seen({ type: 'f32[3]', trace: 'f1#3' })
    ]);
    expect(others).toEqual([]);
    expect(mark?.forms.map(({ text, traces }) => [text, traces])).toEqual([
      ['f32[3]', ['f1#1', 'f1#3']],
      ['f32[4]', ['f1#2']]
    ]);
  });

  it('tells static values apart, and a value from its type', () => {
    const [mark] = mergeMarks([
      seen({ status: 'static', value: '28', type: 'int', trace: 'f1#1' }),
      seen({ status: 'static', value: '30', type: 'int', trace: 'f1#2' }),
      seen({ status: 'traced', type: 'i32[]', trace: 'f1#3' })
    ]);
    expect(mark?.forms.map(({ sign, text }) => sign.glyph + text)).toEqual([
      '●i32[]',
      '■30',
      '■28'
    ]);
  });
});

describe('constantsByLine', () => {
  const baked = (name: string | null): Constant => ({
    name,
    source: 'global',
    type: 'f32[1000,1000]',
    bytes: 4_000_000
  });
  const linesOf = (...names: (string | null)[]): [number, string][] =>
    [...constantsByLine(fn, [aTrace({ constants: names.map(baked) })])].flatMap(
      ([line, marks]) => marks.map(({ name }): [number, string] => [line, name])
    );

  it('finds the line that reads a name: no comment, text, keyword or attribute', () => {
    expect(linesOf('w')).toEqual([[7, 'w']]);
  });

  it('finds keys in whichever quotes, and attributes', () => {
    expect(linesOf("cfg['w']", 'x.w')).toEqual([
      [7, "cfg['w']"],
      [6, 'x.w']
    ]);
    const other = aFunction({ line: 1, source: 'def f():\n    cfg["w"]' });
    const trace = aTrace({ constants: [baked("cfg['w']")] });
    expect([...constantsByLine(other, [trace]).keys()]).toEqual([2]);
  });

  it('says nothing of arrays whose name is not known or not there', () => {
    expect(linesOf(null, 'v', 'cf')).toEqual([]);
  });

  it('tells how large it is', () => {
    const trace = aTrace({ constants: [baked('w')] });
    const [mark] = constantsByLine(fn, [trace]).get(7) ?? [];
    expect(mark?.forms[0]).toMatchObject({
      sign: { glyph: '◆' },
      text: '4 MB',
      type: 'f32[1000,1000]'
    });
  });
});
