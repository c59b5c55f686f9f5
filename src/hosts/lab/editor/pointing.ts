import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { SessionStore } from '../../../store';
import type { CellView } from './cell-view';

/** The pointer previews a line in all views; the cursor, moved by pointer or keyboard, pins it; Esc lets go. */
export function pointing(
  viewOf: (view: EditorView) => CellView,
  store: SessionStore
): Extension {
  const cursorLine = ({ state }: EditorView): number =>
    state.doc.lineAt(state.selection.main.head).number;
  const pin = (view: EditorView): void => {
    if (view.state.selection.main.empty) {
      viewOf(view).pin(cursorLine(view), store);
    }
  };
  let hovered: number | null = null;
  const hover = (view: EditorView, line: number | null): void => {
    if (line !== hovered) {
      hovered = line;
      viewOf(view).hover(line, store);
    }
  };
  return [
    EditorView.updateListener.of(({ view, transactions }) => {
      if (transactions.some(transaction => transaction.isUserEvent('select'))) {
        pin(view);
      }
    }),
    // None of them is prevented: the cursor moves, Esc leaves the cell.
    EditorView.domEventHandlers({
      click: (_, view) => {
        showOne(viewOf(view), cursorLine(view), store);
        pin(view);
      },
      keydown: ({ key }, view) => {
        if (key === 'Escape') {
          viewOf(view).sessions.forEach(({ selection }) => selection.clear());
        }
      },
      mousemove: ({ clientX, clientY }, view) => {
        const at = view.posAtCoords({ x: clientX, y: clientY }, false);
        const { number } = view.state.doc.lineAt(at);
        hover(view, viewOf(view).isTraced(number) ? number : null);
      },
      mouseleave: (_, view) => {
        hover(view, null);
      }
    })
  ];
}

/** A line that was traced brings its recording into views of the whole notebook, unless one of its recordings is there. */
function showOne(view: CellView, line: number, store: SessionStore): void {
  const { sessions } = view;
  const newest = sessions[sessions.length - 1];
  const isShown = sessions.some(({ id }) => id === store.shown?.id);
  if (newest && !isShown && view.isTraced(line)) {
    store.show(newest.id);
  }
}
