import { expect, it } from 'vitest';
import { aFunction, aSpan, anUpdate } from '../testing/records';
import { merge } from '../store/recording';
import type { Span } from '../protocol';
import { Timeline, layOutTimeline } from './timeline';

const layOut = (spans: Span[], seconds = 10, library = false): Timeline =>
  layOutTimeline(
    merge(
      null,
      anUpdate({
        spans,
        seconds,
        functions: [aFunction(), aFunction({ id: 'lib', origin: 'library' })]
      })
    ),
    library
  );

it('gives each function of each thread its lane, in order of time', () => {
  const { lanes } = layOut([
    aSpan({ function: 'f2' }),
    aSpan({ depth: 1 }),
    aSpan({ function: 'f2', started: 1 }),
    aSpan({ thread: 'worker', started: 2 })
  ]);
  expect(lanes.map(l => [l.function, l.thread, l.depth])).toEqual([
    ['f2', 'MainThread', 0],
    ['f1', 'MainThread', 1],
    ['f1', 'worker', 0]
  ]);
});

it('folds functions of libraries away, unless asked', () => {
  const spans = [aSpan(), aSpan({ function: 'lib' })];
  expect(layOut(spans).lanes).toHaveLength(1);
  expect(layOut(spans, 10, true).lanes).toHaveLength(2);
});

it('places spans as fractions of the whole', () => {
  const [lane] = layOut([aSpan({ started: 2.5, seconds: 5 })]).lanes;
  expect(lane?.spans[0]).toMatchObject({ left: 0.25, width: 0.5, row: 0 });
});

it('puts what overlaps on rows of its own, and what only touches on one', () => {
  const [lane] = layOut([
    aSpan({ started: 0, seconds: 2 }),
    aSpan({ started: 1, seconds: 1 }),
    aSpan({ started: 1.9999, seconds: 1 })
  ]).lanes;
  expect(lane?.spans.map(span => span.row)).toEqual([0, 1, 0]);
  expect(lane?.rows).toBe(2);
});

it('reaches as far as the last span, and ticks in round numbers', () => {
  const { seconds, ticks } = layOut([aSpan({ started: 3, seconds: 9 })], 10);
  expect(seconds).toBe(12);
  expect(ticks).toEqual([0, 2, 4, 6, 8, 10, 12]);
});

it('stands an empty session', () => {
  const { lanes, ticks } = layOut([], 0);
  expect(lanes).toEqual([]);
  expect(ticks.length).toBeLessThan(12);
});
