import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SessionStore, Toggle } from '../store';
import { aSession, anUpdate } from '../testing/records';
import { actions, cleanUp, showPanel } from '../testing/screen';

let store: SessionStore;
beforeEach(() => {
  store = new SessionStore();
});
afterEach(cleanUp);

const hello = (recording = false) => ({
  package_version: '0.1.0',
  recording,
  updates: [],
  schema_version: 1
});

it('says what to do where no notebook is open', () => {
  expect(showPanel(null).get('status').textContent).toBe(
    'Open a notebook or a console to see its traces.'
  );
});

it('follows the newest recording; another one that is chosen stays until a new one begins', () => {
  const screen = showPanel(store);
  store.put(aSession(), 'kernel');
  screen.paint();
  expect(screen.all('combobox', 'Recording')).toEqual([]);
  store.put(
    anUpdate({ session: 's2', started_at: 2000, verdict: 'The newer one.' }),
    'kernel'
  );
  screen.paint();
  expect(screen.get('status').textContent).toBe('The newer one.');
  const [select] = screen.all('combobox');
  (select as HTMLSelectElement).value = 's1';
  select?.dispatchEvent(new Event('change', { bubbles: true }));
  screen.paint();
  expect(screen.get('status').textContent).toBe('step was traced twice.');
  store.put(
    anUpdate({ session: 's3', started_at: 3000, verdict: 'The third one.' }),
    'kernel'
  );
  screen.paint();
  expect(screen.get('status').textContent).toBe('The third one.');
});

it('lets one record every cell, as soon as there is a kernel to do it', () => {
  const record = vi.fn();
  const screen = showPanel(store, actions({ record }));
  const box = screen.get('checkbox') as HTMLInputElement;
  expect(box.disabled).toBe(true);
  store.greet(hello(true), true);
  screen.paint();
  expect([box.disabled, box.checked]).toEqual([false, true]);
  box.click();
  expect(record).toHaveBeenCalledExactlyOnceWith(false);
});

it('turns the marks in cells off and on, where cells can have them', () => {
  expect(showPanel(store).all('checkbox', 'Marks in cells')).toEqual([]);
  const marks = new Toggle(true);
  const screen = showPanel(store, actions(), marks);
  const box = screen.get('checkbox', 'Marks in cells') as HTMLInputElement;
  box.click();
  expect(marks.on).toBe(false);
  marks.set(true);
  screen.paint();
  expect(box.checked).toBe(true);
});

it.each([
  [99, 'newer than JupyterLab', 'where JupyterLab is installed'],
  [0, 'older than JupyterLab', 'where the kernel runs']
])(
  'says in one sentence what to upgrade, and shows what it has (schema %d)',
  (schemaVersion, age, where) => {
    store.put(aSession(), 'notebook');
    const other = { ...hello(), schema_version: schemaVersion };
    if (schemaVersion > 1) {
      store.refuse(other);
    } else {
      store.greet(other, true);
    }
    const [words, verdict] = showPanel(store).all('status');
    expect(words?.textContent).toContain(`jax_trace_viz 0.1.0 is ${age}`);
    expect(words?.textContent).toContain(where);
    expect(verdict?.textContent).toBe('step was traced twice.');
  }
);

it.each([
  ['running', 0, 'None so far.'],
  ['ok', 1, 'Nothing beyond what the line above says.'],
  ['ok', 0, '✓ No findings.']
] as const)(
  'praises the absence of findings where there was no retrace (%s, %d retraces)',
  (state, retraces, words) => {
    const tally = { traces: 2, retraces, seconds: 1, trace: null };
    store.put(aSession({ state, tally, findings: [] }), 'kernel');
    expect(showPanel(store).node.textContent).toContain(words);
  }
);
