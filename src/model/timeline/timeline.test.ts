import { expect, it } from 'vitest';
import { aFunction, aSession, aSpan, anUpdate } from '../../testing/records';
import { merge } from '../../store/recording';
import type { Span } from '../../protocol';
import { Timeline, layOutTimeline, ticksBetween } from './timeline';

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

it('reaches as far as the last span', () => {
  expect(layOut([aSpan({ started: 3, seconds: 9 })], 10).seconds).toBe(12);
});

it('stands an empty session', () => {
  expect(layOut([], 0).lanes).toEqual([]);
});

it.each([
  [0, 12, '0 s|2 s|4 s|6 s|8 s|10 s|12 s'],
  [0, 0.5, '0 s|100 ms|200 ms|300 ms|400 ms|500 ms'],
  [1.2, 1.206, '1.200 s|1.201 s|1.202 s|1.203 s|1.204 s|1.205 s|1.206 s'],
  [0.0101, 0.0107, '10.1 ms|10.2 ms|10.3 ms|10.4 ms|10.5 ms|10.6 ms|10.7 ms'],
  [0, 5e-6, '0 s|1 µs|2 µs|3 µs|4 µs|5 µs']
])(
  'ticks at round times, each told from the next: %f to %f',
  (from, to, all) => {
    expect(ticksBetween(from, to, 8).map(tick => tick.text)).toEqual(
      all.split('|')
    );
  }
);

const retraced = (): Timeline =>
  layOutTimeline(
    merge(
      null,
      aSession({
        seconds: 10,
        spans: [
          aSpan(),
          aSpan({ trace: 'f1#2', started: 5 }),
          aSpan({ kind: 'compile', trace: 'f1#2', started: 6 }),
          aSpan({ trace: 'f1#2', started: 7, thread: 'worker' })
        ],
        hits: [
          { function: 'f1', count: 3, since: 1, until: 2 },
          { function: 'f2', count: 1, since: 1, until: 2 }
        ]
      })
    ),
    false
  );

it('leads from the trace that was compared with to the retrace', () => {
  expect(retraced().lanes[0]?.causes).toEqual([
    { trace: 'f1#2', words: 'x f32[3] → f32[4]', left: 0.5, from: 0 }
  ]);
});

it('shows hits once, where they came', () => {
  const [main, worker] = retraced().lanes;
  expect(main?.hits).toMatchObject([{ left: 0.1, width: 0.1 }]);
  expect(worker?.hits).toEqual([]);
});
