import { expect, it } from 'vitest';
import type { Update } from '../../protocol';
import { SessionStore } from '../../store';
import {
  FILE,
  aFunction,
  aTrace,
  anAnnotation,
  anUpdate,
  place
} from '../../testing/records';
import { RanCode, markedFunctions, markedIn } from './cell-recordings';
import { inlaysOf } from './inlays';

/** A recording of a cell, in which the function of the cell [5] got an argument of a type; null: only cache hits. */
function recorded(
  count: number,
  type: string | null,
  became?: string
): RanCode {
  const cell = {
    id: `c${count}`,
    execution_count: count,
    file: count === 5 ? FILE : `cell-${count}.py`,
    checksum: null
  };
  const change = {
    name: 'rate',
    kind: 'value',
    before: '1',
    after: became ?? '',
    place: place(5),
    trace: null,
    computed: false
  } as const;
  const update = anUpdate({
    session: `s${count}`,
    cell,
    functions: [
      aFunction({ traces: type ? 1 : 0, stale: became ? [change] : [] })
    ],
    traces: type ? [aTrace()] : [],
    annotations: type ? [anAnnotation({ line: 4, type })] : []
  });
  return { session: new SessionStore().put(update, 'kernel'), file: FILE };
}

const texts = (ran: readonly RanCode[], line: number): string[] =>
  markedFunctions(ran)
    .flatMap(({ lines }) => lines.get(line) ?? [])
    .flatMap(one => inlaysOf(one))
    .map(({ text }) => text);

it('says what a function was in the recording of its own cell, and who traced it since', () => {
  const own = recorded(5, 'f32[3]');
  expect(texts([own], 4)).toEqual(['f32[3]']);
  expect(texts([own, recorded(14, 'f32[9]')], 4)).toEqual([
    'f32[3]',
    'traced again in cell [14]'
  ]);
});

it('says whose marks they are, where another cell traced a function', () => {
  const others = [recorded(6, 'f32[3]'), recorded(7, 'f32[9]')];
  expect(texts(others, 4)).toEqual(['f32[9]', 'in cell [7]']);
  expect(texts([...others, recorded(8, null)], 4)).toEqual([
    'f32[9]',
    'in cell [7]'
  ]);
});

it('says so once, and only where there is something to tell', () => {
  const inner = aFunction({
    id: 'f2',
    qualname: 'step.<lambda>',
    line: 5,
    source: 'return jax.tree.map(lambda x: x, x)'
  });
  const recording = (annotations: Update['annotations']): RanCode => {
    const update = anUpdate({
      cell: { id: 'c7', execution_count: 7, file: 'b.py', checksum: null },
      functions: [aFunction(), inner],
      traces: [aTrace(), aTrace({ id: 'f2#1', function: 'f2' })],
      annotations
    });
    return { session: new SessionStore().put(update, 'kernel'), file: FILE };
  };
  const both = recording([
    anAnnotation({ line: 4 }),
    anAnnotation({ line: 5, function: 'f2', trace: 'f2#1' })
  ]);
  expect(texts([both], 4)).toEqual(['f32[3]', 'in cell [7]']);
  expect(texts([both], 5)).toEqual(['f32[3]']);
  expect(texts([recording([])], 4)).toEqual([]);
});

it('tells what changed as long as calls were answered by what is told', () => {
  const own = recorded(5, 'f32[3]');
  const hits = recorded(6, null, '2');
  const later = [recorded(7, 'f32[9]'), recorded(8, null, '3')];
  expect(texts([own, hits], 5)).toEqual(['rate became 2']);
  expect(texts([own, hits, ...later], 5)).toEqual(['rate became 2']);
  expect(texts([own, ...later], 5)).toEqual([]);
});

it('finds the functions of one recording among several', () => {
  const later = recorded(14, 'f32[9]');
  expect(markedIn(later).map(({ session }) => session.id)).toEqual(['s14']);
  expect(markedIn(recorded(15, null))).toEqual([]);
});
