import { expect, it } from 'vitest';
import { merge } from '../../store/recording';
import { aFunction, aSpan, aTrace, anUpdate } from '../../testing/records';
import { drawnLane } from './drawn-lane';
import { Lane, layOutTimeline } from './timeline';

/** A hundred retraces of 0.1 ms, one every 100 ms. */
function crowded(): Lane {
  const traces = Array.from({ length: 100 }, (_, i) =>
    aTrace({
      id: `f1#${i + 1}`,
      started: i / 10,
      reasons: [
        { kind: 'new_shape', path: 'x', before: `f32[${i}]`, after: 'f32[]' }
      ]
    })
  );
  const spans = traces.map(({ id, started }) =>
    aSpan({ trace: id, started, seconds: 1e-4 })
  );
  const update = anUpdate({
    seconds: 10,
    functions: [aFunction()],
    traces,
    spans
  });
  const [lane] = layOutTimeline(merge(null, update), false).lanes;
  if (!lane) {
    throw new Error('no lane');
  }
  return lane;
}

it('draws as much as can be told apart, and all of it when one looks nearer', () => {
  const lane = crowded();
  expect(lane.causes).toHaveLength(100);
  const small = drawnLane(lane, 120, new Set(), null);
  expect(small.spans).toHaveLength(50);
  expect(small.causes).toHaveLength(20);
  const large = drawnLane(lane, 1000, new Set(), null);
  expect(large.spans).toHaveLength(100);
  expect(large.causes).toHaveLength(100);
});

it('draws what keys lead to, and the cause of the trace that is shown', () => {
  const lane = crowded();
  const kept = new Set(lane.spans.slice(41, 42));
  const drawn = drawnLane(lane, 120, kept, 'f1#4');
  expect(drawn.spans).toHaveLength(51);
  expect(drawn.spans).toEqual(expect.arrayContaining([...kept]));
  expect(drawn.causes.map(({ trace }) => trace)).toContain('f1#4');
});
