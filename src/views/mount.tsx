import { JSX, render } from 'preact';
import type { Session, SessionStore, Toggle, Unsubscribe } from '../store';
import type { Actions, PanelActions } from './actions';
import { Painter } from './painter';
import { PanelView } from './panel-view';
import { FoldedSession } from './folded-session';
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
      session.selection.changed.subscribe(() => painter.now())
    ]
  );
}

/**
 * Shows a notebook's newest session in a node, and follows the notebook.
 *
 * @param marks - whether the host's editors show marks; null where it has none.
 */
export function mountPanel(
  node: HTMLElement,
  store: SessionStore | null,
  actions: PanelActions,
  marks: Toggle | null
): Unsubscribe {
  return mount(
    node,
    () => <PanelView store={store} actions={actions} marks={marks} />,
    painter => [
      ...(marks ? [marks.changed.subscribe(() => painter.now())] : []),
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
  const subscriptions = follow(painter);
  return () => {
    subscriptions.forEach(unsubscribe => unsubscribe());
    painter.dispose();
    render(null, node);
  };
}
