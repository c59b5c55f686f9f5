import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionStatus, SessionStore } from '../store';
import { aFunction, aSession, anUpdate } from '../testing/records';
import { Screen, actions, cleanUp, showPanel } from '../testing/screen';
import type { PanelActions } from './actions';

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

const all = {
  load: vi.fn<() => Promise<void>>(),
  record: vi.fn<(on: boolean) => void>(),
  insertMagic: vi.fn<() => void>(),
  findKernel: vi.fn<() => void>()
};

function show(
  status: ConnectionStatus | 'recording',
  fields: Partial<PanelActions> = all
): Screen {
  if (status === 'connected' || status === 'recording') {
    store.greet(hello(status === 'recording'), true);
  } else {
    store.setStatus(status);
  }
  return showPanel(store, actions(fields));
}

const buttons = (screen: Screen): string[] =>
  [...screen.node.querySelectorAll('.jtv-steps button')].map(
    button => button.textContent
  );

const settle = async (screen: Screen): Promise<void> => {
  for (let i = 0; i < 5; i++) {
    await Promise.resolve();
  }
  screen.paint();
};

describe('where nothing is recorded', () => {
  it.each([
    ['none', 'There is no kernel.', ['Choose a kernel']],
    ['foreign', 'does not run Python', ['Choose another kernel']],
    ['dead', 'The kernel is gone.', ['Restart the kernel']],
    ['asking', 'Asking the kernel…', []],
    [
      'absent',
      'has not loaded jax_trace_viz',
      ['Load it and record all cells']
    ],
    [
      'connected',
      'Nothing recorded yet.',
      ['Record all cells', 'Insert %%jaxtrace in this cell']
    ],
    ['recording', 'Nothing recorded yet.', []]
  ] as const)('says what helps: %s', (status, words, offered) => {
    const screen = show(status);
    expect(screen.get('status').textContent).toContain(words);
    expect(buttons(screen)).toEqual(offered);
  });

  it('says how to do it by hand too', () => {
    expect(show('absent', {}).node.textContent).toContain(
      '%load_ext jax_trace_viz'
    );
    expect(show('connected', {}).node.textContent).toContain('%%jaxtrace');
    expect(buttons(show('connected', {}))).toEqual([]);
  });

  it('loads the package, and says what stands in the way', async () => {
    const load = vi.fn<() => Promise<void>>();
    load.mockRejectedValueOnce(new Error('It is not installed.'));
    const screen = show('absent', { load });
    const [button] =
      screen.node.querySelectorAll<HTMLButtonElement>('.jtv-steps button');
    button?.click();
    screen.paint();
    expect([button?.disabled, button?.textContent]).toEqual([
      true,
      'Waiting for the kernel…'
    ]);
    await settle(screen);
    expect(screen.get('alert').textContent).toBe('It is not installed.');
    expect(button?.disabled).toBe(false);
  });

  it('records and inserts', () => {
    const screen = show('connected');
    screen.get('button', 'Record all cells').click();
    screen.get('button', 'Insert %%jaxtrace in this cell').click();
    expect(all.record).toHaveBeenLastCalledWith(true);
    expect(all.insertMagic).toHaveBeenCalledTimes(1);
  });
});

describe('where a recording is shown', () => {
  it.each([
    ['none', ['Choose a kernel']],
    ['foreign', []],
    ['absent', ['Load it and record all cells']],
    ['dead', ['Restart the kernel']],
    ['connected', []]
  ] as const)('says how to go on: %s', (status, offered) => {
    store.put(aSession(), 'kernel');
    expect(buttons(show(status))).toEqual(offered);
  });

  it('offers to record all cells if this one ran nothing of the user’s', () => {
    const library = aFunction({ origin: 'library' });
    store.put(anUpdate({ functions: [library] }), 'kernel');
    expect(buttons(show('connected'))).toEqual(['Record all cells']);
    expect(buttons(show('recording'))).toEqual([]);
  });
});
