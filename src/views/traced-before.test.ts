import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FunctionRecord, Update } from '../protocol';
import { Session, SessionStore } from '../store';
import { aFunction, aSession, anUpdate } from '../testing/records';
import { Screen, actions, cleanUp, showPanel } from '../testing/screen';
import type { PanelActions } from './actions';
import { mountSession } from './mount';

let store: SessionStore;
let traced: Session;
const show = vi.fn();
beforeEach(() => {
  store = new SessionStore();
  traced = store.put(aSession(), 'kernel');
});
afterEach(cleanUp);

/** What a person is told of a later recording of these functions. */
function later(functions: readonly FunctionRecord[]): Screen {
  store.put(called(functions), 'kernel');
  return showPanel(store, leading());
}

const called = (functions: readonly FunctionRecord[]): Update =>
  anUpdate({ session: 's2', started_at: 2000, functions: [...functions] });

/** Actions as JupyterLab has them: of the recordings that there are at the time. */
function leading(): PanelActions {
  return {
    ...actions(),
    get others() {
      const { sessions: all, cameOrWent } = store;
      return { all, cameOrWent, find: (id: string) => store.session(id), show };
    }
  };
}

const hit = (fields: Partial<FunctionRecord> = {}) =>
  aFunction({ id: 'f7', traces: 0, ...fields });

it('names the cell that traced what only came from the cache, and leads there', () => {
  const screen = later([hit()]);
  expect(screen.node.textContent).toContain(
    'step was last traced in cell [5].'
  );
  screen.get('button', 'Show that recording').click();
  expect(show).toHaveBeenCalledExactlyOnceWith(traced, 'f1', null);
});

it('names all that were traced there', () => {
  store.put(
    aSession({
      session: 's1b',
      started_at: 1500,
      functions: [aFunction(), aFunction({ id: 'f2', name: 'loss', line: 9 })]
    }),
    'kernel'
  );
  const screen = later([hit(), hit({ id: 'f8', line: 9 })]);
  expect(screen.node.textContent).toContain(
    'step, loss were last traced in cell [5].'
  );
});

it.each([
  ['it traced by itself', [hit({ traces: 1 })]],
  ['another function was traced before', [hit({ line: 99 })]],
  ['nothing was called', [hit({ calls: 0 })]]
])('leads nowhere where %s', (_, functions) => {
  expect(later(functions).all('button', 'Show that recording')).toEqual([]);
});

it('is told in the output of a cell whichever of the two a notebook loads first', () => {
  vi.useFakeTimers();
  store = new SessionStore();
  const node = document.createElement('div');
  const session = store.put(called([hit()]), 'notebook');
  mountSession(node, { store, session, actions: leading() });
  expect(node.textContent).not.toContain('was last traced');
  store.put(aSession({ session: 's0' }), 'notebook');
  vi.advanceTimersByTime(200);
  expect(node.textContent).toContain('step was last traced in cell [5].');
});
