import { options } from 'preact';
import { Mock, vi } from 'vitest';
import type { Update } from '../protocol';
import { Arranged, Session, SessionStore, Toggle } from '../store';
import {
  Actions,
  NO_ACTIONS,
  PanelActions,
  mountPanel,
  mountSession
} from '../views';

// Preact draws what its components change in a microtask; here it waits for `paint`.
options.debounceRendering = draw => setTimeout(draw);

const idle = (): void => undefined;
// jsdom lays nothing out, so nothing is ever resized; of the first size a browser tells as well.
globalThis.ResizeObserver = class {
  constructor(private readonly _tell: ResizeObserverCallback) {}
  observe(): void {
    this._tell([], this);
  }
  readonly unobserve = idle;
  readonly disconnect = idle;
};
Element.prototype.scrollIntoView = idle;

/** A mounted view, looked at as a person with a screen reader meets it. */
export interface Screen {
  readonly node: HTMLElement;
  readonly store: SessionStore;
  readonly actions: Actions;
  /** Everything with this role, and this name if one is given. */
  all(role: string, name?: string): HTMLElement[];
  /** The only thing with this role and name. */
  get(role: string, name?: string): HTMLElement;
  /** Lets the view paint what changed. */
  paint(): void;
  unmount(): void;
}

const SELECTORS: Record<string, string> = {
  button: 'button,[role=button]',
  checkbox: 'input[type=checkbox]',
  columnheader: 'th[scope=col]',
  combobox: 'select',
  list: 'ul',
  listitem: 'li',
  row: 'tr',
  table: 'table'
};

export function actions(fields: Partial<PanelActions> = {}): PanelActions {
  return { ...NO_ACTIONS, saveFile: vi.fn<Actions['saveFile']>(), ...fields };
}

/** The groups that were last asked to be open. */
export function drawn(
  openGraph: Mock<NonNullable<Actions['openGraph']>>
): readonly string[] {
  return openGraph.mock.lastCall?.[2].boxes ?? [];
}

export function showSession(
  update: Update,
  fields: { actions?: Actions; folded?: boolean } = {}
): Screen & { readonly session: () => Session } {
  const store = new SessionStore();
  const session = store.put(update, 'kernel');
  const own = fields.actions ?? actions();
  const screen = show(store, own, node =>
    mountSession(node, {
      store,
      session,
      actions: own,
      folded: fields.folded ?? false
    })
  );
  return { ...screen, session: () => store.session(session.id) ?? session };
}

export function showPanel(
  store: SessionStore | null,
  own: PanelActions = actions(),
  marks: Toggle | null = null,
  arranged = new Arranged()
): Screen {
  return show(store ?? new SessionStore(), own, node =>
    mountPanel(node, { store, actions: own, marks, arranged })
  );
}

function show(
  store: SessionStore,
  own: Actions,
  mount: (node: HTMLElement) => () => void
): Screen {
  vi.useFakeTimers();
  const node = document.createElement('div');
  document.body.replaceChildren(node);
  const unmount = mount(node);
  const all: Screen['all'] = (role, name) =>
    [
      ...node.querySelectorAll<HTMLElement>(
        `[role=${role}]${SELECTORS[role] ? `,${SELECTORS[role]}` : ''}`
      )
    ].filter(found => name === undefined || nameOf(found) === name);
  const screen: Screen = {
    node,
    store,
    actions: own,
    all,
    get: (role, name) => {
      const [found, ...more] = all(role, name);
      if (!found || more.length > 0) {
        throw new Error(
          `${more.length + (found ? 1 : 0)} × ${role} “${name ?? ''}”: ${all(role).map(nameOf).join(', ')}`
        );
      }
      return found;
    },
    paint: () => vi.advanceTimersByTime(200),
    unmount
  };
  screen.paint();
  return screen;
}

/** To be called after each test: a draw that is still waited for would hold up those of the next test. */
export function cleanUp(): void {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
}

function nameOf(node: HTMLElement): string {
  const labelledBy = node.getAttribute('aria-labelledby');
  const label = labelledBy
    ? document.getElementById(labelledBy)
    : node.closest('label');
  return (
    node.getAttribute('aria-label') ??
    (label ?? node).textContent.replace(/\s+/g, ' ').trim()
  );
}

export function press(node: Element, key: string): boolean {
  return node.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  );
}
