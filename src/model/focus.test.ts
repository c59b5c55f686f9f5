import { beforeEach, describe, expect, it } from 'vitest';
import { aFunction, aGraph, aSession } from '../testing/records';
import { Session, DEFAULT_DRAWING, SessionStore } from '../store';
import { focusOf, graphOf, rankFunctions } from './focus';

describe('a session', () => {
  let store: SessionStore;
  beforeEach(() => {
    store = new SessionStore();
  });
  const session = (): Session => {
    const found = store.session('s1');
    if (!found) {
      throw new Error('no session');
    }
    return found;
  };
  const shown = (): unknown[] => {
    const { function: fn, trace } = focusOf(session());
    return [fn?.name, trace?.id];
  };

  it('ranks the costliest function first, and libraries apart', () => {
    const { recording } = store.put(aSession(), 'kernel');
    const { user, library } = rankFunctions(recording);
    expect(user.map(fn => fn.name)).toEqual(['loss', 'step']);
    expect(library.map(fn => fn.name)).toEqual(['_where']);
  });

  it('shows first what the kernel chose, else the costliest function', () => {
    store.put(aSession(), 'kernel');
    expect(shown()).toEqual(['step', 'f1#2']);
    store.put(aSession({ number: 2, selected: null }), 'kernel');
    expect(shown()).toEqual(['loss', 'f2#1']);
  });

  it('shows what the user chose; of a function, its newest trace', () => {
    const { selection } = store.put(aSession(), 'kernel');
    selection.show('f1', 'f1#1');
    expect(shown()).toEqual(['step', 'f1#1']);
    selection.show('f2', null);
    expect(shown()).toEqual(['loss', 'f2#1']);
    selection.show('f3', null);
    expect(shown()).toEqual(['_where', undefined]);
  });

  it('shows no operation of JAX that nobody asked for and that has no trace', () => {
    const iota = aFunction({ name: 'iota', origin: 'library', traces: 0 });
    const { selection } = store.put(
      aSession({ functions: [iota], traces: [], selected: null }),
      'kernel'
    );
    expect(shown()).toEqual([undefined, undefined]);
    selection.show('f1', null);
    expect(shown()).toEqual(['iota', undefined]);
  });

  it('draws an opened graph until its trace has grown', () => {
    store.put(aSession(), 'kernel');
    const opened = aGraph({ width: 999 });
    store.openGraph('s1', opened, DEFAULT_DRAWING);
    expect(graphOf(session(), 'f1#1')).toBe(opened);
    const grown = aGraph({ equations: 2 });
    store.put(aSession({ number: 2, graphs: [grown] }), 'kernel');
    expect(graphOf(session(), 'f1#1')).toEqual(grown);
  });
});
