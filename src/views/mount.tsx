import { JSX, render } from 'preact';
import type {
  Arranged,
  Session,
  SessionStore,
  Toggle,
  Unsubscribe
} from '../store';
import type { Actions, PanelActions } from './actions';
import { Painter } from './painter';
import { PanelView } from './panel-view';
import { FoldedSession } from './folded-session';
import { keepFocus } from './keep-focus';
import { SessionView } from './session-view';

export interface SessionOptions {
  readonly store: SessionStore;
  readonly session: Session;
  readonly actions: Actions;
  /** Shows one line at first, the rest when asked for. */
  readonly folded?: boolean;
}

/** Shows one session in a node, and follows it. */
export function mountSession(
  node: HTMLElement,
  { store, session, actions, folded = false }: SessionOptions
): Unsubscribe {
  const View = folded ? FoldedSession : SessionView;
  let shown = session;
  const newest = (): Session => store.session(session.id) ?? shown;
  return mount(
    node,
    () => {
      shown = newest();
      return <View session={shown} actions={actions} />;
    },
    painter => [
      store.changed.subscribe(() => {
        // Many outputs may follow the same store, and what changed is mostly one session.
        if (newest() !== shown) {
          painter.request();
        }
      }),
      store.answered.subscribe(() => painter.now()),
      session.selection.changed.subscribe(() => painter.now()),
      whenUsed(node, () => store.show(session.id)),
      onKey(node, walking(store))
    ]
  );
}

/** What is used in a cell's output is shown in views of the whole notebook too. */
function whenUsed(node: HTMLElement, used: () => void): Unsubscribe {
  const events = ['click', 'keydown'];
  // Afterwards: what a click selects and that it shows the session are one step to go back from.
  const later = (): void => void setTimeout(used);
  for (const event of events) {
    node.addEventListener(event, later, true);
  }
  return () => {
    for (const event of events) {
      node.removeEventListener(event, later, true);
    }
  };
}

type Keys = Partial<Record<string, () => void>>;

/** The way back and forward; keys are those of browsers. */
function walking(store: SessionStore): Keys {
  return {
    'Alt+ArrowLeft': () => store.go('back'),
    'Alt+ArrowRight': () => store.go('forward')
  };
}

/** Calls what belongs to a key, unless somebody is typing. */
function onKey(node: HTMLElement, keys: Keys): Unsubscribe {
  const listener = (event: KeyboardEvent): void => {
    const { target, key, altKey, ctrlKey, metaKey } = event;
    const types = target instanceof Element && target.matches(TYPING);
    const act = keys[altKey ? `Alt+${key}` : key];
    if (act && !types && !ctrlKey && !metaKey) {
      event.preventDefault();
      act();
    }
  };
  node.addEventListener('keydown', listener);
  return () => node.removeEventListener('keydown', listener);
}

/** Where keys are text. */
const TYPING = 'input:not([type=checkbox]), textarea, select';

export interface PanelOptions {
  /** Null where no notebook is open. */
  readonly store: SessionStore | null;
  readonly actions: PanelActions;
  /** Whether the host's editors show marks; null where it has none. */
  readonly marks: Toggle | null;
  readonly arranged: Arranged;
}

/** Shows a notebook's newest session in a node, and follows the notebook. */
export function mountPanel(
  node: HTMLElement,
  options: PanelOptions
): Unsubscribe {
  const { store, marks, arranged } = options;
  return mount(
    node,
    () => <PanelView {...options} />,
    painter => [
      arranged.changed.subscribe(() => painter.now()),
      ...(marks ? [marks.changed.subscribe(() => painter.now())] : []),
      onKey(node, {
        '?': () => arranged.set({ help: !arranged.now.help }),
        ...(store ? walking(store) : {})
      }),
      ...(store
        ? [
            store.answered.subscribe(() => painter.now()),
            store.changed.subscribe(() => painter.request()),
            store.selectionChanged.subscribe(() => painter.now())
          ]
        : [])
    ]
  );
}

/** @param follow - subscribes the painter to what the view depends on. */
function mount(
  node: HTMLElement,
  view: () => JSX.Element,
  follow: (painter: Painter) => Unsubscribe[]
): Unsubscribe {
  node.classList.add('jtv-root');
  const paint = (): void => render(view(), node);
  const painter = new Painter(paint);
  paint();
  const subscriptions = [keepFocus(node), ...follow(painter)];
  return () => {
    subscriptions.forEach(unsubscribe => unsubscribe());
    painter.dispose();
    render(null, node);
  };
}
