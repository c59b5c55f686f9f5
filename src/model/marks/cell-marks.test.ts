import { describe, expect, it } from 'vitest';
import { SessionStore } from '../../store';
import {
  FILE,
  aFunction,
  aTrace,
  anAnnotation,
  anUpdate,
  place
} from '../../testing/records';
import type { Annotation, LineMark, StaleValue, Update } from '../../protocol';
import { functionAt } from './cell-marks';
import { RanCode, markedFunctions } from './cell-recordings';
import { inlaysOf } from './inlays';

let sessions = 0;

function ran(fields: Partial<Update>): RanCode {
  sessions += 1;
  const update = anUpdate({ session: `s${sessions}`, ...fields });
  return { session: new SessionStore().put(update, 'kernel'), file: FILE };
}

const texts = (code: RanCode[], line: number, room?: number): string[] => {
  const marked = markedFunctions(code).flatMap(
    ({ lines }) => lines.get(line) ?? []
  );
  return marked
    .flatMap(one => inlaysOf(one, room))
    .map(({ sign, name, text }) =>
      [name, sign?.glyph, text].filter(Boolean).join(' ')
    );
};

describe('markedFunctions', () => {
  const traced = ran({
    functions: [aFunction()],
    traces: [aTrace(), aTrace({ id: 'f1#2', started: 1 })],
    annotations: [
      anAnnotation({ line: 4, type: 'f32[3]' }),
      anAnnotation({ line: 4, type: 'f32[4]', trace: 'f1#2' })
    ]
  });

  it('merges all traces of a function', () => {
    expect(texts([traced], 4)).toEqual(['● f32[3] → f32[4]']);
  });

  it('tells on each line that binds a name what it was there', () => {
    const bound = (line: number, type: string, trace: string): Annotation =>
      anAnnotation({ line, type, trace, binding: 'earlier' });
    const code = ran({
      functions: [aFunction()],
      traces: [aTrace(), aTrace({ id: 'f1#2', started: 1 })],
      annotations: [
        anAnnotation({ line: 6, type: 'f32[]', binding: 'local' }),
        anAnnotation({
          line: 6,
          type: 'f32[]',
          binding: 'local',
          trace: 'f1#2'
        }),
        bound(4, 'f32[3]', 'f1#1'),
        bound(5, '… f32[6]', 'f1#1'),
        bound(4, 'f32[4]', 'f1#2'),
        bound(5, '… f32[8]', 'f1#2')
      ]
    });
    expect([4, 5, 6].map(line => texts([code], line))).toEqual([
      ['● f32[3] → f32[4]'],
      ['● … f32[6] → … f32[8]'],
      ['● f32[]']
    ]);
  });

  it('keeps to the functions of the file that are the user’s', () => {
    const other = ran({
      functions: [
        aFunction({ file: 'other.py' }),
        aFunction({ id: 'f2', origin: 'library' })
      ],
      traces: [aTrace(), aTrace({ id: 'f2#1', function: 'f2' })]
    });
    expect(markedFunctions([other])).toEqual([]);
  });

  it('shows the newest session that traced, not one of hits alone', () => {
    const hits = ran({ functions: [aFunction({ traces: 0 })] });
    const newer = ran({
      functions: [aFunction()],
      traces: [aTrace()],
      annotations: [anAnnotation({ line: 4, type: 'f32[9]' })]
    });
    expect(texts([traced, hits], 4)).toEqual(['● f32[3] → f32[4]']);
    expect(texts([traced, newer, hits], 4)).toEqual(['● f32[9]']);
  });

  it('tells what changed since, as later sessions of hits alone do', () => {
    const change = (before: string, after: string): StaleValue => ({
      name: 'rate',
      kind: 'value',
      before,
      after,
      place: place(5),
      trace: null,
      computed: false
    });
    const hits = (...stale: StaleValue[]): RanCode =>
      ran({ functions: [aFunction({ traces: 0, stale })] });
    const first = hits(change('12.0', '3.0'));
    const second = hits(change('12.0', '4.0'));
    expect(texts([traced, first], 5)).toEqual(['! rate became 3.0']);
    expect(texts([traced, first, second], 5)).toEqual(['! rate became 4.0']);
    expect(texts([traced, first, hits()], 4)).toEqual(['● f32[3] → f32[4]']);
    expect(texts([first, traced], 5)).toEqual([]);
  });

  it('tells in a few words that the same value was transformed in one trace', () => {
    const held = (trace: string, ...tracers: string[]): Annotation =>
      anAnnotation({ line: 4, type: 'f32[]', trace, tracers });
    const told = (...marks: Annotation[]): string[] =>
      texts(
        [
          ran({
            functions: [aFunction()],
            traces: [aTrace(), aTrace({ id: 'f1#2', started: 1 })],
            annotations: marks
          })
        ],
        4
      );
    expect(told(held('f1#1'), held('f1#2', 'jvp'))).toEqual([
      '● f32[] · also ∂'
    ]);
    expect(told(held('f1#1', 'jvp'), held('f1#2'))).toEqual([
      '● f32[] · also ∂'
    ]);
    expect(
      told(held('f1#1', 'jvp'), held('f1#2', 'vmap, axis 0 of 8'))
    ).toEqual(['● f32[] · ∂ → vmap×8']);
  });

  it('tells apart what a helper had in several runs of one trace, and what changed between traces', () => {
    const helper = (...types: readonly (readonly string[])[]): RanCode => {
      const runs = types.flatMap((own, outer) =>
        own.map((type, i) => ({ type, outer, id: `f1/call${outer}${i}` }))
      );
      return ran({
        functions: [aFunction()],
        traces: [
          ...types.map((_, i) => aTrace({ id: `f2#${i}`, function: 'f2' })),
          ...runs.map(({ id, outer }) =>
            aTrace({ id, kind: 'call', parent: `f2#${outer}` })
          )
        ],
        annotations: runs.map(({ id, type }) =>
          anAnnotation({ line: 4, trace: id, type })
        )
      });
    };
    const told = (code: RanCode): string[] => texts([code], 4);
    expect(told(helper(['f32[1]', 'f32[7]']))).toEqual(['● f32[1] and f32[7]']);
    expect(told(helper(['f32[1]', 'f32[2]', 'f32[7]']))).toEqual([
      '● …, f32[2] and f32[7]'
    ]);
    expect(told(helper(['f32[1]', 'f32[1]'], ['f32[7]']))).toEqual([
      '● f32[1] → f32[7]'
    ]);
    const [marked] = markedFunctions([helper(['f32[1]', 'f32[7]'])]);
    const [line] = marked?.lines.values() ?? [];
    expect(line && inlaysOf(line).map(({ spoken }) => spoken)).toEqual([
      'x: traced, f32[7]; also: traced, f32[1]'
    ]);
  });

  it('names names where a line has several', () => {
    const code = ran({
      functions: [aFunction()],
      traces: [aTrace()],
      annotations: [
        anAnnotation({ line: 4, name: 'h', status: 'static', value: '28' }),
        anAnnotation({ line: 4, name: 'w', status: 'static', value: '30' })
      ]
    });
    expect(texts([code], 4)).toEqual(['h ■ 28', 'w ■ 30']);
    expect(texts([code], 4, 12)).toEqual(['h ■ 28', '+1 more']);
    expect(texts([code], 4, 0)).toEqual(['h ■ 28', '+1 more']);
  });

  it('keeps what changed between traces where there is no room for all', () => {
    const part = { line: 4, name: 'depth', status: 'static' } as const;
    const code = ran({
      functions: [aFunction()],
      traces: [aTrace(), aTrace({ id: 'f1#2', started: 1 })],
      annotations: [
        anAnnotation({ line: 4, name: 'model' }),
        anAnnotation({ line: 4, name: 'model', trace: 'f1#2' }),
        anAnnotation({ line: 4, name: 'x' }),
        anAnnotation({ line: 4, name: 'x', trace: 'f1#2', type: 'f32[4]' }),
        anAnnotation({ ...part, value: '2' }),
        anAnnotation({ ...part, value: '3', trace: 'f1#2' })
      ]
    });
    const [model, x, depth] = texts([code], 4);
    expect([model, x, depth]).toEqual([
      'model ● f32[3]',
      'x ● f32[3] → f32[4]',
      'depth ■ 2 → 3'
    ]);
    expect(texts([code], 4, 40)).toEqual([x, depth, '+1 more']);
    expect(texts([code], 4, 20)).toEqual([depth, '+2 more']);
  });

  it('tells where tracing stands, failed, and what ran again and again', () => {
    const code = ran({
      functions: [aFunction()],
      traces: [
        aTrace({ status: 'running', at_line: 5 }),
        aTrace({
          id: 'f1#2',
          error: {
            type: 'E',
            message: 'no: never',
            file: FILE,
            line: 4,
            end_line: 4,
            column: 0,
            end_column: 0
          }
        })
      ],
      annotations: [
        anAnnotation({ line: 5, name: 'i', runs: 2 }),
        anAnnotation({ line: 5, name: 'i', runs: 3, trace: 'f1#2' })
      ]
    });
    expect(texts([code], 5)).toEqual(['● f32[3]', 'ran 2–3×', 'tracing here']);
    expect(texts([code], 4)).toEqual(['✕ E']);
  });

  it('tells which traces left a branch out, and loops as they are now', () => {
    const mark = (fields: Partial<LineMark>): LineMark => ({
      function: 'f1',
      trace: 'f1#1',
      file: FILE,
      line: 4,
      end_line: 5,
      kind: 'not_run',
      times: 0,
      at_least: false,
      equations: 0,
      ...fields
    });
    const loop = { kind: 'unrolled', line: 7, equations: 4 } as const;
    const lineMarks = [
      mark({}),
      mark({ line: 9, end_line: 9 }),
      mark({ line: 9, end_line: 9, trace: 'f1#2' }),
      mark({ ...loop, times: 2 }),
      mark({ ...loop, times: 3, trace: 'f1#2' })
    ];
    const code = ran({
      functions: [aFunction({ line: 3, end_line: 9, source: '\n'.repeat(6) })],
      traces: [aTrace({ id: 'f1#2', started: 1 }), aTrace()],
      line_marks: lineMarks
    });
    expect(texts([code], 4)).toEqual(['not run in #1']);
    expect(texts([code], 5)).toEqual([]);
    expect(texts([code], 7)).toEqual(['unrolled ×3, 4 equations']);
    expect(texts([code], 9)).toEqual(['not run']);
    const [marked] = markedFunctions([code]);
    const skipped = [...(marked?.lines.values() ?? [])]
      .filter(line => line.skipped)
      .map(({ place }) => place.line);
    expect(skipped).toEqual([9]);
  });

  it('finds the innermost function of a line', () => {
    const code = ran({
      functions: [
        aFunction({ line: 3, end_line: 9 }),
        aFunction({ id: 'f2', qualname: 'step.body', line: 5, end_line: 6 })
      ],
      traces: [aTrace(), aTrace({ id: 'f2#1', function: 'f2' })]
    });
    const functions = markedFunctions([code]);
    const at = (line: number) => functionAt(functions, line)?.fn.id;
    expect([2, 3, 5, 6, 7, 10].map(at)).toEqual([
      undefined,
      'f1',
      'f2',
      'f2',
      'f1',
      undefined
    ]);
  });
});
