import { beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from '../protocol';
import { aGraph, anUpdate } from '../testing/records';
import { DrawnGraphs } from './drawn-graphs';
import { DEFAULT_DRAWING } from './session';
import { SessionStore } from './store';

const answer = { graph: aGraph() } as Answer;
const ask = vi.fn((_: unknown, signal: AbortSignal) => {
  asked.push(signal);
  return Promise.resolve<Answer | undefined>(answer);
});
/** Of each request, whether nobody waits for it any more. */
let asked: AbortSignal[] = [];
const stopped = (): boolean[] => asked.map(({ aborted }) => aborted);
const closed = { ...DEFAULT_DRAWING, boxes: ['-g'] };
let store: SessionStore;
let graphs: DrawnGraphs;

const shown = (): unknown => store.session('s1')?.openedGraphs.get('f1#1');

beforeEach(() => {
  ask.mockClear();
  asked = [];
  store = new SessionStore();
  store.put(anUpdate(), 'kernel');
  graphs = new DrawnGraphs(store, ask);
});

it('asks once for what was foreseen, and for what was shown before', async () => {
  graphs.foresee('s1', 'f1#1', closed);
  await graphs.open('s1', 'f1#1', closed);
  await graphs.open('s1', 'f1#1', DEFAULT_DRAWING);
  await graphs.open('s1', 'f1#1', closed);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(shown()).toEqual({ graph: answer.graph, drawing: closed });
});

it('asks anew when the session has gone on', async () => {
  await graphs.open('s1', 'f1#1', closed);
  store.put(anUpdate({ number: 2 }), 'kernel');
  await graphs.open('s1', 'f1#1', closed);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('shows nothing that nobody waits for, and keeps no failure', async () => {
  await graphs.open('s1', 'f1#1', closed, AbortSignal.abort());
  expect(shown()).toBeUndefined();
  ask.mockRejectedValueOnce(new Error('no'));
  await expect(graphs.open('s1', 'f1#1', DEFAULT_DRAWING)).rejects.toThrow(
    'no'
  );
  await graphs.open('s1', 'f1#1', DEFAULT_DRAWING);
  expect(shown()).toEqual({ graph: answer.graph, drawing: DEFAULT_DRAWING });
});

/** Never answered, unless it is taken back. */
function hang(_: unknown, signal: AbortSignal): Promise<undefined> {
  asked.push(signal);
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Cancelled.')));
  });
}

it('has the kernel stop when the last one who waits does not any more', async () => {
  ask.mockImplementationOnce(hang);
  const [one, other] = [new AbortController(), new AbortController()];
  const opened = [one, other].map(({ signal }) =>
    graphs.open('s1', 'f1#1', closed, signal)
  );
  one.abort();
  expect(stopped()).toEqual([false]);
  other.abort();
  expect(stopped()).toEqual([true]);
  await graphs.open('s1', 'f1#1', closed);
  expect(shown(), 'asked anew').toEqual({
    graph: answer.graph,
    drawing: closed
  });
  for (const one of opened) {
    await expect(one).rejects.toThrow('Cancelled.');
  }
});

it('has what was only foreseen make room for what is asked for', async () => {
  ask.mockImplementationOnce(hang);
  graphs.foresee('s1', 'f1#1', closed);
  await graphs.open('s1', 'f1#1', DEFAULT_DRAWING);
  expect(stopped()).toEqual([true, false]);
});
