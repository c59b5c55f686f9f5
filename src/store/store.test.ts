import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aGraph, anUpdate } from '../testing/records';
import type { Hello, Update } from '../protocol';
import { DEFAULT_DRAWING } from './session';
import { SessionStore } from './store';

const hello = (updates: Update[] = [], recording = false): Hello => ({
  package_version: '0.1.0',
  recording,
  updates,
  schema_version: 1
});

describe('SessionStore', () => {
  let store: SessionStore;
  beforeEach(() => {
    store = new SessionStore();
  });
  const isCutOff = (): boolean | undefined => store.session('s1')?.cutOff;

  it('keeps sessions in order of their beginning', () => {
    store.put(anUpdate({ session: 'b', started_at: 2 }), 'notebook');
    store.put(anUpdate({ session: 'a', started_at: 1 }), 'notebook');
    expect(store.sessions.map(session => session.id)).toEqual(['a', 'b']);
    expect(store.newest?.id).toBe('b');
  });

  it('knows the latest recording of a cell', () => {
    store.put(anUpdate({ session: 'new', started_at: 2 }), 'notebook');
    store.put(anUpdate({ session: 'old', started_at: 1 }), 'notebook');
    expect(store.ofCell('c5')?.id).toBe('new');
    expect(store.ofCell('c6')).toBeNull();
  });

  it('takes from an output only what the kernel has not told', () => {
    const [mine, saved] = [
      { id: 'mine', execution_count: 1, file: null, checksum: null },
      { id: 'saved', execution_count: 1, file: null, checksum: null }
    ];
    store.put(anUpdate({ number: 2, cell: mine }), 'kernel');
    store.put(anUpdate({ number: 2, cell: saved }), 'notebook');
    expect(store.ofCell('mine')).not.toBeNull();
    store.put(anUpdate({ number: 3, cell: saved }), 'notebook');
    expect(store.ofCell('saved')).not.toBeNull();
  });

  it('keeps the selection and opened graphs of a session that goes on', () => {
    const { selection } = store.put(anUpdate(), 'kernel');
    const graph = aGraph();
    const drawing = { ...DEFAULT_DRAWING, boxes: ['g1'] };
    store.openGraph('s1', graph, drawing);
    const after = store.put(anUpdate({ number: 2 }), 'kernel');
    expect(after.selection).toBe(selection);
    expect(after.openedGraphs.get('f1#1')).toEqual({ graph, drawing });
  });

  it('tells its subscribers of data and of selections, until they leave', () => {
    const listener = vi.fn();
    const leave = store.changed.subscribe(listener);
    const selected = vi.fn();
    store.selectionChanged.subscribe(selected);
    const { selection } = store.put(anUpdate(), 'kernel');
    expect(listener).toHaveBeenCalledTimes(1);
    selection.show('f1', null);
    expect(selected).toHaveBeenCalledTimes(1);
    leave();
    store.setStatus('absent');
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('names the sessions that lost an update', () => {
    const part = anUpdate({ number: 3, complete: false });
    store.put(part, 'kernel');
    expect(store.incomplete()).toEqual(['s1']);
    store.kernelRestarted();
    expect(store.incomplete()).toEqual([]);
  });

  describe('a session that says it is running', () => {
    const running = anUpdate({ state: 'running' });

    it('may go on as long as nothing is known of the kernel', () => {
      store.put(running, 'notebook');
      expect(isCutOff()).toBe(false);
    });

    it('goes on when the kernel holds it', () => {
      store.put(running, 'notebook');
      store.greet(hello([running]), true);
      expect(isCutOff()).toBe(false);
    });

    it('was cut off when the kernel has forgotten it', () => {
      store.put(running, 'notebook');
      store.greet(hello(), true);
      expect(isCutOff()).toBe(true);
    });

    it('is not judged by a greeting that names no sessions', () => {
      store.put(running, 'kernel');
      store.greet(hello([], true), false);
      expect(isCutOff()).toBe(false);
      expect(store.connection).toMatchObject({
        status: 'connected',
        recording: true
      });
    });

    it.each(['none', 'absent'] as const)(
      'was cut off when the kernel is %s, whichever is known first',
      status => {
        store.put(running, 'notebook');
        store.setStatus(status);
        store.put({ ...running, session: 's2' }, 'notebook');
        expect(isCutOff()).toBe(true);
        expect(store.session('s2')?.cutOff).toBe(true);
      }
    );

    it('was cut off when the kernel restarts', () => {
      store.greet(hello([running]), true);
      store.kernelRestarted();
      expect(isCutOff()).toBe(true);
    });

    it('goes on when the kernel is heard of again', () => {
      store.setStatus('absent');
      store.put(running, 'notebook');
      store.put({ ...running, number: 2 }, 'kernel');
      expect(isCutOff()).toBe(false);
    });
  });
});
