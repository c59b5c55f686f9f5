import { describe, expect, it } from 'vitest';
import type { LineMark } from '../../protocol';
import { merge } from '../../store/recording';
import { aFunction, aTrace, anUpdate } from '../../testing/records';
import { lineNotes } from './line-notes';

const fn = aFunction();
const mark = (fields: Partial<LineMark>): LineMark => ({
  function: fn.id,
  trace: 'f1#1',
  file: fn.file ?? '',
  line: 4,
  end_line: 5,
  kind: 'unrolled',
  times: 3,
  at_least: false,
  equations: 6,
  ...fields
});

describe('lineNotes', () => {
  const first = aTrace({ id: 'f1#1' });
  const texts = (marks: LineMark[]): unknown => {
    const recording = merge(null, anUpdate({ line_marks: marks }));
    const { notes, skipped } = lineNotes(recording, fn, [first]);
    return [
      [...notes].map(([line, told]) => [line, ...told.map(n => n.text)]),
      [...skipped]
    ];
  };

  it('counts the rounds of a loop and what they staged', () => {
    expect(
      texts([mark({}), mark({ line: 9, at_least: true, equations: 1 })])
    ).toEqual([
      [
        [4, 'unrolled ×3, 6 equations'],
        [9, 'unrolled at least ×3, 1 equation']
      ],
      []
    ]);
  });

  it('marks all lines of a branch that was not taken, and says it once', () => {
    expect(texts([mark({ kind: 'not_run', times: 0 })])).toEqual([
      [[4, 'not run']],
      [4, 5]
    ]);
  });

  it('ends with the function, whatever a mark in a saved notebook says', () => {
    const endless = { kind: 'not_run', line: -9e15, end_line: 9e15 } as const;
    const [, skipped] = texts([mark(endless)]) as [unknown, number[]];
    expect([skipped[0], skipped.length]).toEqual([
      fn.line,
      fn.source?.split('\n').length
    ]);
  });

  it('adds up side effects over the traces of a function', () => {
    const effect = { kind: 'side_effect', times: 1 } as const;
    expect(texts([mark(effect), mark({ ...effect, trace: 'f1#2' })])).toEqual([
      [[4, 'ran 2×, at trace time only']],
      []
    ]);
  });

  it('tells branches of the shown trace only, and of this function', () => {
    expect(texts([mark({ trace: 'f1#2' }), mark({ function: 'f2' })])).toEqual([
      [],
      []
    ]);
  });
});
