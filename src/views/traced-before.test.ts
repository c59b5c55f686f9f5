import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FunctionRecord } from '../protocol';
import { Session, SessionStore } from '../store';
import { aFunction, aSession, anUpdate } from '../testing/records';
import { Screen, actions, cleanUp, showPanel } from '../testing/screen';

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
  store.put(
    anUpdate({ session: 's2', started_at: 2000, functions: [...functions] }),
    'kernel'
  );
  const others = {
    all: store.sessions,
    find: (id: string) => store.session(id),
    show
  };
  return showPanel(store, actions({ others }));
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
