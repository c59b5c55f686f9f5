import { beforeEach, expect, it, vi } from 'vitest';
import type { Answer } from '../protocol';
import { aGraph, anUpdate } from '../testing/records';
import { DrawnGraphs } from './drawn-graphs';
import { DEFAULT_DRAWING } from './session';
import { SessionStore } from './store';

const answer = { graph: aGraph() } as Answer;
const ask = vi.fn(() => Promise.resolve<Answer | undefined>(answer));
const closed = { ...DEFAULT_DRAWING, boxes: ['-g'] };
let store: SessionStore;
let graphs: DrawnGraphs;

const shown = (): unknown => store.session('s1')?.openedGraphs.get('f1#1');

beforeEach(() => {
  ask.mockClear();
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
