import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SessionStore } from '../store';
import { aSession, anUpdate } from '../testing/records';
import { Screen, actions, cleanUp, press, showPanel } from '../testing/screen';

let store: SessionStore;
beforeEach(() => {
  store = new SessionStore();
});
afterEach(cleanUp);

/** Observers of the page are called in microtasks. */
async function settle(screen: Screen): Promise<void> {
  screen.paint();
  await Promise.resolve();
}

/** Puts the focus on a word, and on to what its meaning offers. */
async function onMeaning(
  screen: Screen
): Promise<{ head: HTMLElement; more: HTMLElement }> {
  const head = screen.get('button', 'Hits');
  head.focus();
  await settle(screen);
  const more = screen.get('button', 'All words');
  more.focus();
  return { head, more };
}

it('keeps the focus in the panel when what had it is replaced', async () => {
  store.put(aSession(), 'kernel');
  store.put(aSession({ session: 's2', started_at: 2000 }), 'kernel');
  const screen = showPanel(store);
  const tab = screen.all('tab')[0] ?? screen.node;
  tab.focus();
  store.show('s1');
  await settle(screen);
  expect(tab.isConnected).toBe(false);
  expect(document.activeElement?.className).toBe('jtv-fold-body');
});

it('keeps the focus beside a button that cannot be used any more', async () => {
  store.put(aSession(), 'kernel');
  const screen = showPanel(store);
  const [clear] = screen
    .all('button')
    .filter(button => button.title.startsWith('Clear:'));
  clear?.focus();
  clear?.click();
  await settle(screen);
  expect(store.sessions).toEqual([]);
  expect(document.activeElement).toBe(screen.get('group', 'JAX Trace'));
  // It is no stop of its own.
  (document.activeElement as HTMLElement).blur();
  expect(screen.get('group', 'JAX Trace').hasAttribute('tabindex')).toBe(false);
});

it('leaves the focus alone where the user took it away before', async () => {
  store.put(aSession(), 'kernel');
  store.put(aSession({ session: 's2', started_at: 2000 }), 'kernel');
  const screen = showPanel(store);
  const tab = screen.all('tab')[0] ?? screen.node;
  tab.focus();
  tab.blur();
  await settle(screen);
  store.show('s1');
  await settle(screen);
  expect(tab.isConnected).toBe(false);
  expect(document.activeElement).toBe(document.body);
});

it('lets the focus go on from a meaning that goes meanwhile', async () => {
  store.put(aSession(), 'kernel');
  const screen = showPanel(store);
  const { more } = await onMeaning(screen);
  // In a browser the view is painted before the focus has come to where it goes.
  const relatedTarget = screen.get('button', 'Cost▾');
  const leaving = { bubbles: true, relatedTarget };
  more.dispatchEvent(new FocusEvent('focusout', leaving));
  await settle(screen);
  expect(more.isConnected).toBe(false);
  expect(document.activeElement).toBe(document.body);
});

it.each(['Escape', 'Close help'])(
  'goes back to where the help was asked for (%s)',
  async how => {
    store.put(aSession(), 'kernel');
    const screen = showPanel(store);
    const tab = screen.all('tab')[0] ?? screen.node;
    tab.focus();
    press(tab, '?');
    await settle(screen);
    const close = screen.get('button', 'Close help');
    expect(document.activeElement).toBe(close);
    if (how === 'Escape') {
      press(close, 'Escape');
    } else {
      close.click();
    }
    await settle(screen);
    expect(document.activeElement).toBe(tab);
  }
);

it('goes back to a word whose meaning led to all words', async () => {
  store.put(aSession(), 'kernel');
  const screen = showPanel(store);
  const { head, more } = await onMeaning(screen);
  more.click();
  await settle(screen);
  press(screen.get('button', 'Close help'), 'Escape');
  await settle(screen);
  expect(document.activeElement).toBe(head);
});

it('goes back from a meaning to its word', async () => {
  store.put(aSession(), 'kernel');
  const screen = showPanel(store);
  const { head, more } = await onMeaning(screen);
  press(more, 'Escape');
  await settle(screen);
  expect(screen.all('button', 'All words')).toEqual([]);
  expect(document.activeElement).toBe(head);
});

it('goes back to what can be used again', async () => {
  let done = (): void => undefined;
  const exportAs = vi.fn(() => new Promise<void>(made => (done = made)));
  store.put(anUpdate(), 'kernel');
  const screen = showPanel(store, actions({ exportAs }));
  screen.get('button', 'Export this recording').click();
  await settle(screen);
  const button = screen.get('button', 'HTML report');
  button.focus();
  button.click();
  await settle(screen);
  expect(button).toHaveProperty('disabled', true);
  expect(document.activeElement?.contains(button)).toBe(true);
  done();
  await Promise.resolve();
  await settle(screen);
  expect(document.activeElement).toBe(button);
});
