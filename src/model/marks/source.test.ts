import { describe, expect, it } from 'vitest';
import {
  FILE,
  aFunction,
  aListing,
  aTrace,
  anAnnotation,
  anUpdate,
  place
} from '../../testing/records';
import { Recording, merge } from '../../store/recording';
import type { Update } from '../../protocol';
import { sourceSections } from './source';

const outer = aFunction({
  line: 3,
  end_line: 6,
  source: '    @jax.jit\n    @other\n    def step(x):\n        return g(x)\n'
});
const helper = aFunction({
  id: 'f2',
  name: 'g',
  line: 20,
  end_line: 21,
  source: 'def g(x):\n    return x\n'
});

const record = (fields: Partial<Update>): Recording =>
  merge(null, anUpdate({ functions: [outer, helper], ...fields }));

const text = (recording: Recording, section = 0): string[] =>
  (sourceSections(recording, outer, aTrace())[section]?.lines ?? []).map(line =>
    line.tokens.map(t => t.text).join('')
  );

describe('sourceSections', () => {
  it('shows the function without the indentation it stands in', () => {
    expect(text(record({}))).toEqual([
      '@jax.jit',
      '@other',
      'def step(x):',
      '    return g(x)'
    ]);
  });

  it('shows parameters at the def, once if nothing bound them anew', () => {
    const recording = record({
      annotations: [
        anAnnotation({ line: 3 }),
        anAnnotation({ line: 3, binding: 'local' }),
        anAnnotation({ line: 3, binding: 'local', type: 'f32[9]' })
      ]
    });
    const [section] = sourceSections(recording, outer, aTrace());
    const marked = section?.lines.map(line => line.marks.map(m => m.type));
    expect(marked).toEqual([[], [], ['f32[3]', 'f32[9]'], []]);
  });

  it('says of a function that ran several times in the trace that the last run is told', () => {
    const notes = (...ids: string[]): string[] => {
      const recording = record({
        traces: [
          aTrace(),
          ...ids.map(id =>
            aTrace({ id, function: 'f2', kind: 'call', parent: 'f1#1' })
          )
        ],
        listings: [
          aListing({
            lines: [{ text: '', depth: 0, place: place(21), equation: 0 }]
          })
        ]
      });
      const [, inner] = sourceSections(recording, outer, aTrace());
      return (inner?.lines ?? []).flatMap(line =>
        line.notes.map(({ text: said }) => `${line.place.line} ${said}`)
      );
    };
    expect(notes('f2/call1')).toEqual([]);
    expect(notes('f2/call1', 'f2/call2')).toEqual(['20 the last of 2 runs']);
  });

  it('shows what else the trace went through, with its own marks', () => {
    const inner = aTrace({ id: 'f2#1', function: 'f2', parent: 'f1#1' });
    const recording = record({
      traces: [aTrace(), inner],
      annotations: [
        anAnnotation({ function: 'f2', trace: 'f2#1', line: 20, runs: 4 })
      ],
      listings: [
        aListing({
          lines: [{ text: '', depth: 0, place: place(21), equation: 0 }]
        })
      ]
    });
    const sections = sourceSections(recording, outer, aTrace());
    expect(sections.map(({ fn }) => fn.name)).toEqual(['step', 'g']);
    expect(sections[1]?.lines[0]?.runs).toBe(4);
  });

  it('shows a function inside another one only there', () => {
    const inside = aFunction({ id: 'f3', name: 'body', line: 5, end_line: 6 });
    const recording = record({
      functions: [outer, inside],
      listings: [
        aListing({
          lines: [{ text: '', depth: 0, place: place(6), equation: 0 }]
        })
      ]
    });
    expect(sourceSections(recording, outer, aTrace())).toHaveLength(1);
  });

  it('says where tracing is and where it failed', () => {
    const running = aTrace({ status: 'running', at_line: 6 });
    const failed = aTrace({
      status: 'error',
      error: {
        type: 'TypeError',
        message: 'no\nmore',
        file: FILE,
        line: 6,
        end_line: 6,
        column: 4,
        end_column: 8
      }
    });
    const line = (trace: typeof running): unknown =>
      sourceSections(record({}), outer, trace)[0]?.lines[3];
    expect(line(running)).toMatchObject({ running: true, error: null });
    expect(line(failed)).toMatchObject({
      running: false,
      error: 'TypeError: no'
    });
  });

  it('has nothing to show where the source is not known', () => {
    const unknown = aFunction({ source: null });
    expect(sourceSections(record({}), unknown, null)).toEqual([]);
  });
});
