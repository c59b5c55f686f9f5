import { JSX, render } from 'preact';
import type { Session, SessionStore, Unsubscribe } from '../store';
import type { Actions } from './actions';
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
  let shown = session;
  return mount(node, store, () => {
    shown = store.session(session.id) ?? shown;
    return folded ? (
      <FoldedSession session={shown} actions={actions} />
    ) : (
      <SessionView session={shown} actions={actions} />
    );
  });
}

/** Shows a notebook's newest session in a node, and follows the notebook. */
export function mountPanel(
  node: HTMLElement,
  store: SessionStore | null,
  actions: Actions
): Unsubscribe {
  return mount(node, store, () => (
    <PanelView store={store} actions={actions} />
  ));
}

function mount(
  node: HTMLElement,
  store: SessionStore | null,
  view: () => JSX.Element
): Unsubscribe {
  node.classList.add('jtv-root');
  const paint = (): void => render(view(), node);
  const painter = new Painter(paint);
  paint();
  const unsubscribe = store?.subscribe(() => painter.request());
  return () => {
    unsubscribe?.();
    painter.dispose();
    render(null, node);
  };
}
