import { expect, it } from 'vitest';
import { SessionStore } from '../../store';
import { aFunction, aGraph, aTrace, anUpdate } from '../../testing/records';
import { nestedIn, withNested } from './in-progress';

const outer = aTrace({ id: 'f1#1', function: 'f1', status: 'running' });
const inner = aTrace({
  id: 'f2#1',
  function: 'f2',
  parent: 'f1#1',
  status: 'running',
  kind: 'jit',
  equations: { distinct: 7, expanded: 7 }
});

const session = (innermost: typeof inner): ReturnType<SessionStore['put']> =>
  new SessionStore().put(
    anUpdate({
      functions: [aFunction({ id: 'f2', name: 'inner' })],
      traces: [outer, innermost]
    }),
    'kernel'
  );

it('is a box that counts up, below what is staged', () => {
  const nested = nestedIn(session(inner), outer);
  expect(nested).toEqual({ id: 'f2#1', name: 'inner', equations: 7 });
  const graph = aGraph();
  const drawn = nested && withNested(graph, nested);
  const box = drawn?.boxes.at(-1);
  expect(box).toMatchObject({
    label: 'inner',
    detail: 'tracing: 7 equations so far'
  });
  expect(box?.y).toBeGreaterThan(graph.height);
  expect(drawn?.height).toBe((box?.y ?? 0) + (box?.height ?? 0));
  expect(drawn?.boxes.slice(0, -1)).toEqual(graph.boxes);
});

it('is gone when the inner trace has ended, or is only a helper', () => {
  expect(nestedIn(session({ ...inner, status: 'ok' }), outer)).toBeNull();
  expect(nestedIn(session({ ...inner, kind: 'call' }), outer)).toBeNull();
  expect(nestedIn(session(inner), { ...outer, status: 'ok' })).toBeNull();
});
