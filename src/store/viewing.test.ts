import { beforeEach, expect, it } from 'vitest';
import { aTrace, anUpdate, place } from '../testing/records';
import type { Hello, Update } from '../protocol';
import { SessionStore } from './store';
import type { Target } from './selection';

let store: SessionStore;
beforeEach(() => {
  store = new SessionStore();
});

const put = (session: string, fields: Partial<Update> = {}) =>
  store.put(
    anUpdate({ session, started_at: Number(session.slice(1)), ...fields }),
    'kernel'
  );
const box = (id: string): Target => ({ trace: 'f1#1', box: id, places: [] });
const line = (number: number): Target => ({
  trace: null,
  box: null,
  places: [place(number)]
});
const where = (): (string | null | undefined)[] => {
  const { look } = store.viewing;
  return [look?.session, look?.function, look?.pinned?.box ?? null];
};
const hello = (...updates: Update[]): Hello => ({
  package_version: '0.1.0',
  recording: false,
  updates,
  schema_version: 1
});

it('goes back to what was shown before, and forward again', () => {
  const { selection } = put('s1');
  selection.show('f1', 'f1#1');
  selection.toggle(box('b1'));
  selection.show('f2', null);
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', 'b1']);
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', null]);
  store.go('back');
  expect(where()).toEqual(['s1', null, null]);
  expect(store.viewing.history.canGoBack).toBe(false);
  store.go('forward');
  store.go('forward');
  expect(where()).toEqual(['s1', 'f1', 'b1']);
  expect(store.viewing.history.canGoForward).toBe(true);
  selection.show('f3', null);
  expect(store.viewing.history.canGoForward).toBe(false);
});

it('goes back from one recording to another', () => {
  put('s1').selection.show('f1', null);
  put('s2');
  store.show('s1');
  store.go('back');
  expect(where()[0]).toBe('s2');
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', null]);
});

it('makes one step of a trace in another recording, and of why it happened', () => {
  put('s1').selection.show('f1', null);
  const second = put('s2');
  store.show('s1');
  store.showWhy(second, aTrace({ id: 'f2#1', function: 'f2' }));
  expect(where()).toEqual(['s2', 'f2', null]);
  expect(second.selection.whyAsked).toBe(1);
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', null]);
  store.showTrace(second, 'f3', null);
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', null]);
});

it('goes back from recordings that came by themselves to what was chosen before', () => {
  put('s1').selection.show('f1', null);
  put('s2');
  put('s3');
  expect(where()[0]).toBe('s3');
  store.go('back');
  expect(where()).toEqual(['s1', 'f1', null]);
  store.go('forward');
  expect(where()[0]).toBe('s3');
});

it('does not make a step of every line that the cursor runs through, nor of the pointer', () => {
  const { selection } = put('s1');
  selection.show('f1', 'f1#1');
  const before = store.viewing.history.canGoBack;
  for (const number of [3, 4, 5]) {
    selection.pin(line(number));
  }
  selection.hover(line(9));
  expect(store.viewing.history.canGoBack).toBe(before);
});

it('keeps the steps of another recording out of it', () => {
  const { selection } = put('s1');
  put('s2').selection.show('f1', null);
  selection.show('f9', null);
  expect(where()).toEqual(['s2', 'f1', null]);
  store.go('back');
  expect(where()).toEqual(['s2', null, null]);
  expect(store.viewing.history.canGoBack).toBe(false);
});

it('shows again what another page showed, as soon as it is known, until a cell is recorded', () => {
  store.wish({ session: 's1', function: 'f2', trace: 'f2#1', pinned: null });
  const told = (id: number): Update =>
    anUpdate({ session: `s${id}`, started_at: id });
  store.put(told(2), 'notebook');
  store.greet(hello(told(1), told(2), told(3)), true);
  expect(where()).toEqual(['s1', 'f2', null]);
  put('s4');
  expect(where()[0]).toBe('s4');
});

it('stands still while it is paused, and loses nothing', () => {
  put('s1', { state: 'running' });
  store.pause(true);
  expect(store.hasWaiting).toBe(false);
  put('s1', { number: 2, verdict: 'More.' });
  put('s2');
  expect(store.hasWaiting).toBe(true);
  expect(store.sessions.map(({ id }) => id)).toEqual(['s1']);
  expect(store.shown?.recording.newest.number).toBe(1);
  expect(store.latest('s1')?.recording.newest.number).toBe(2);
  store.pause(false);
  expect(store.sessions.map(({ id }) => id)).toEqual(['s1', 's2']);
});

it('forgets what has ended when it is cleared, and does not take it back', () => {
  put('s1').selection.show('f1', null);
  put('s2', { state: 'running' });
  store.clear();
  store.greet(hello(anUpdate({ session: 's1' })), false);
  expect(store.sessions.map(({ id }) => id)).toEqual(['s2']);
  put('s2', { number: 2 });
  expect(store.shown?.recording.newest.state).toBe('ok');
});
