import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Arranged, SessionStore } from '../../store';
import { aFunction, aSession, aTrace } from '../../testing/records';
import {
  Screen,
  actions,
  cleanUp,
  press,
  showPanel
} from '../../testing/screen';

let store: SessionStore;
beforeEach(() => {
  store = new SessionStore();
});
afterEach(cleanUp);

const put = (session: string, startedAt: number, fields = {}): void => {
  store.put(aSession({ session, started_at: startedAt, ...fields }), 'kernel');
};
const titles = (screen: Screen): string[] =>
  [...screen.node.querySelectorAll('.jtv-fold-title')].map(
    node => node.firstChild?.nextSibling?.nextSibling?.textContent ?? ''
  );
const rows = (screen: Screen): string[] =>
  [...screen.node.querySelectorAll('.jtv-functions th[scope=row]')].map(
    node => node.querySelector('button')?.textContent ?? ''
  );
const type = (screen: Screen, text: string): void => {
  const input = screen.node.querySelector('input[type=search]');
  if (input instanceof HTMLInputElement) {
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    screen.paint();
  }
};

it('has a section for each question; a folded one stays so in other recordings', () => {
  const arranged = new Arranged();
  put('s1', 1);
  const screen = showPanel(store, actions(), null, arranged);
  expect(titles(screen)).toEqual([
    'Findings',
    'Functions',
    'Trace',
    'Where traces come from',
    'Baked in',
    'Recordings'
  ]);
  screen.get('button', '▾ Functions3').click();
  put('s2', 2);
  screen.paint();
  expect(screen.all('table', 'Functions')).toEqual([]);
  expect(arranged.now.folded).toContain('functions');
});

it('finds functions, and says what to do where there are none', () => {
  put('s1', 1);
  put('s2', 2);
  const screen = showPanel(store);
  type(screen, 'los');
  expect(rows(screen)).toEqual(['loss']);
  type(screen, 'no such name');
  expect(screen.node.textContent).toContain('No function matches');
  screen.get('button', 'Clear the search').click();
  screen.paint();
  expect(rows(screen)).toEqual(['loss', 'step']);
});

it('adds up all recordings, and keeps a function on top', () => {
  const arranged = new Arranged();
  put('s1', 1);
  put('s2', 2, { functions: [aFunction()], traces: [aTrace()] });
  const screen = showPanel(store, actions(), null, arranged);
  screen.get('checkbox', 'All recordings').click();
  screen.paint();
  expect(rows(screen)).toEqual(['loss', 'step']);
  screen.get('button', 'Keep step on top').click();
  screen.paint();
  expect(rows(screen)).toEqual(['step', 'loss']);
  expect(arranged.now.pinned).toHaveLength(1);
});

it('marks the function that is shown among those of all recordings, and stays in its recording', () => {
  const arranged = new Arranged();
  put('s1', 1);
  put('s2', 2, { functions: [aFunction()], traces: [aTrace()] });
  store.show('s1');
  const screen = showPanel(store, actions(), null, arranged);
  const chosen = (): string[] =>
    [...screen.node.querySelectorAll('[data-shown=true] th button')].map(
      node => node.textContent
    );
  screen.get('checkbox', 'All recordings').click();
  screen.paint();
  expect(chosen()).toContain('step');
  screen.get('button', 'loss').click();
  screen.paint();
  screen.get('button', 'step').click();
  screen.paint();
  expect(store.shown?.id).toBe('s1');
  expect(chosen()).toContain('step');
});

it('shows where traces come from as a tree, by keyboard too', () => {
  put('s1', 1);
  const arranged = new Arranged();
  arranged.toggle('stack');
  const screen = showPanel(store, actions(), null, arranged);
  const names = (): (string | null)[] =>
    screen.all('treeitem').map(item => item.getAttribute('aria-label'));
  expect(names()[0]).toContain('line 9, 3 traces');
  expect(names()[1]).toContain('step, 2 traces');
  const [line] = screen.all('treeitem');
  line?.focus();
  press(line ?? screen.node, 'ArrowLeft');
  screen.paint();
  expect(names()).toHaveLength(1);
  press(line ?? screen.node, 'ArrowRight');
  screen.paint();
  press(line ?? screen.node, 'ArrowDown');
  press(document.activeElement ?? screen.node, 'Enter');
  expect(store.shown?.selection.trace).toBe('f1#2');
});

it('says no cost of what is still traced', () => {
  const trace = aTrace({ status: 'running', seconds: 0 });
  put('s1', 1, { state: 'running', complete: false, traces: [trace] });
  const arranged = new Arranged();
  arranged.toggle('stack');
  const screen = showPanel(store, actions(), null, arranged);
  const costs = (): (string | undefined)[] =>
    screen.all('treeitem').map(item => item.ariaLabel?.split(', ').pop());
  expect(costs()).toEqual(['…', '…']);
  put('s1', 1, { number: 9, traces: [aTrace({ seconds: 0.05 })] });
  screen.paint();
  expect(costs()).toEqual(['50 ms', '50 ms']);
});

it('sets two recordings side by side', () => {
  const arranged = new Arranged();
  arranged.toggle('sessions');
  put('s1', 1);
  put('s2', 2, { functions: [aFunction({ calls: 9 })] });
  const screen = showPanel(store, actions(), null, arranged);
  for (const box of screen.all('checkbox').slice(-2)) {
    box.click();
    screen.paint();
  }
  const compared = screen.get('table', 'All functions');
  expect(compared.textContent).toMatch(/calls69▲ more/);
});

it('compares two recordings, and says how to choose others', () => {
  const arranged = new Arranged();
  arranged.toggle('sessions');
  for (const id of [1, 2, 3]) {
    put(`s${id}`, id);
  }
  const screen = showPanel(store, actions(), null, arranged);
  const boxes = (): HTMLInputElement[] => [
    ...screen.node.querySelectorAll<HTMLInputElement>('.jtv-sessions input')
  ];
  for (const i of [0, 1]) {
    boxes()[i]?.click();
    screen.paint();
  }
  expect(boxes().map(box => box.disabled)).toEqual([false, false, true]);
  expect(screen.node.textContent).toContain('untick one of the two');
  boxes()[0]?.click();
  screen.paint();
  expect(boxes().map(box => box.disabled)).toEqual([false, false, false]);
});

it('closes the forms of export on Esc, and goes back to their button', () => {
  put('s1', 1);
  const screen = showPanel(store);
  const forms = (): HTMLElement[] => screen.all('button', 'JSON document');
  for (const from of ['Export this recording', 'SVG of the graph']) {
    screen.get('button', 'Export this recording').click();
    screen.paint();
    expect(forms()).toHaveLength(1);
    press(screen.get('button', from), 'Escape');
    screen.paint();
    expect(forms()).toEqual([]);
    expect(document.activeElement).toBe(
      screen.get('button', 'Export this recording')
    );
  }
});

it('stands still while it is paused, and can be cleared', () => {
  put('s1', 1);
  const screen = showPanel(store);
  screen.get('button', 'Pause the view; recording goes on').click();
  put('s2', 2, { verdict: 'Something new.' });
  screen.paint();
  expect(screen.node.textContent).not.toContain('Something new.');
  expect(screen.node.textContent).toContain('something new was recorded');
  screen.get('button', 'Go on with the view').click();
  screen.paint();
  expect(screen.node.textContent).toContain('Something new.');
  const [clear] = screen
    .all('button')
    .filter(button => button.title.startsWith('Clear:'));
  clear?.click();
  screen.paint();
  expect(store.sessions).toEqual([]);
});

it('goes back and forward by keys, but not while one types', () => {
  put('s1', 1);
  const screen = showPanel(store);
  store.shown?.selection.show('f2', null);
  const key = (target: Element): void => {
    target.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: 'ArrowLeft',
        altKey: true,
        bubbles: true,
        cancelable: true
      })
    );
  };
  key(screen.get('combobox'));
  expect(store.shown?.selection.function).toBe('f2');
  key(screen.all('tab')[0] ?? screen.node);
  expect(store.shown?.selection.function).toBeNull();
});

it('explains its keys, signs and words', () => {
  put('s1', 1);
  const screen = showPanel(store);
  press(screen.all('tab')[0] ?? screen.node, '?');
  screen.paint();
  const text = screen.node.querySelector('.jtv-help')?.textContent;
  for (const word of ['traced', 'static', 'baked in', 'weak type', 'Alt+←']) {
    expect(text).toContain(word);
  }
  press(screen.get('button', 'Close help'), 'Escape');
  screen.paint();
  expect(screen.node.querySelector('.jtv-help')).toBeNull();
});

it('leads from a word to its explanation, as often as one asks', () => {
  put('s1', 1);
  const screen = showPanel(store);
  for (const [name, word] of [
    ['Hits', 'hit'],
    ['Compiles', 'compilation'],
    ['Hits', 'hit']
  ] as const) {
    const head = screen.get('button', name);
    head.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    screen.paint();
    screen.get('button', 'All words').click();
    screen.paint();
    expect(document.activeElement?.textContent).toBe(word);
  }
  press(screen.get('button', 'Close help'), 'Escape');
  screen.paint();
  press(screen.all('tab')[0] ?? screen.node, '?');
  screen.paint();
  expect(document.activeElement).toBe(screen.get('button', 'Close help'));
});

it('gives its hint once', () => {
  const arranged = new Arranged();
  put('s1', 1);
  const screen = showPanel(store, actions(), null, arranged);
  screen.get('button', 'Got it').click();
  screen.paint();
  expect(screen.all('button', 'Got it')).toEqual([]);
  expect(arranged.now.hinted).toBe(true);
});

it('exports what it shows by the kernel that recorded it', () => {
  const exportAs = vi.fn(() => Promise.resolve());
  put('s1', 1);
  const screen = showPanel(store, actions({ exportAs }));
  screen.get('button', 'Export this recording').click();
  screen.paint();
  expect(screen.node.textContent).toContain(
    'the values of static arguments and plain Python variables; not the values of arrays'
  );
  screen.get('button', 'HTML report').click();
  expect(exportAs).toHaveBeenCalledWith(
    store.shown,
    'html',
    expect.any(AbortSignal)
  );
  store.setStatus('absent');
  screen.paint();
  const html = screen.get('button', 'HTML report') as HTMLButtonElement;
  expect(html.disabled).toBe(true);
  expect(screen.node.textContent).toContain('need the kernel that recorded');
});
