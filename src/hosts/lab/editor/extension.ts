import {
  EditorState,
  Extension,
  RangeSetBuilder,
  StateEffect,
  StateField
} from '@codemirror/state';
import { Decoration, DecorationSet, EditorView } from '@codemirror/view';
import { inlaysOf } from '../../../model';
import { CellContext, CellView } from './cell-view';
import { follower } from './follower';
import { InlayWidget } from './inlay-widget';
import { pointing } from './pointing';
import { markTooltip } from './tooltip';

/** Marks should not make a cell scroll sideways, but say something on long lines too; in characters. */
const COLUMNS = 90;
const LEAST_ROOM = 24;

interface Shown {
  readonly view: CellView;
  readonly decorations: DecorationSet;
}

/**
 * Marks in one cell's editor.
 *
 * They follow the store and stand only while the text is the one that ran: an edit takes them away, undoing it brings them
 * back.
 */
export function cellMarks(context: CellContext): Extension {
  const { store } = context;
  const refresh = StateEffect.define();
  const field = StateField.define<Shown>({
    create: state => show(context, state),
    update: (shown, transaction) =>
      transaction.docChanged || transaction.effects.some(e => e.is(refresh))
        ? show(context, transaction.state)
        : shown,
    provide: own =>
      EditorView.decorations.from(own, ({ decorations }) => decorations)
  });
  const viewOf = (view: EditorView): CellView => view.state.field(field).view;
  return [
    field,
    follower({
      stream: store.changed,
      signals: [store.selectionChanged, context.marks.changed],
      stamp: view => stamp(context, view),
      redraw: view => {
        view.dispatch({ effects: refresh.of(null) });
      }
    }),
    pointing(viewOf, store),
    markTooltip(viewOf, store)
  ];
}

/** An exception in an editor's state would stop the drawing of the whole notebook. */
function show(context: CellContext, state: EditorState): Shown {
  try {
    return draw(CellView.read(context, state), state);
  } catch (error) {
    reportError(error);
    return { view: CellView.EMPTY, decorations: Decoration.none };
  }
}

function draw(view: CellView, state: EditorState): Shown {
  const builder = new RangeSetBuilder<Decoration>();
  for (let n = 1; n <= state.doc.lines && !view.isEmpty; n++) {
    const { from, to, length } = state.doc.line(n);
    const line = view.lineAt(n);
    const lit = view.isLit(n);
    const names = [
      lit ? 'jtv-cell-lit' : '',
      line?.error ? 'jtv-cell-failed' : '',
      line?.skipped ? 'jtv-cell-skipped' : ''
    ].filter(Boolean);
    if (names.length > 0) {
      const name = names.join(' ');
      builder.add(from, from, Decoration.line({ class: name }));
    }
    const room = Math.max(LEAST_ROOM, COLUMNS - length);
    const inlays = line ? inlaysOf(line, room) : [];
    if (inlays.length > 0) {
      const widget = new InlayWidget(inlays);
      builder.add(to, to, Decoration.widget({ widget, side: 1 }));
    }
  }
  return { view, decorations: builder.finish() };
}

function stamp(
  { cell, code, marks }: CellContext,
  view: EditorView
): unknown[] {
  const ran = code.ranIn(cell, () => view.state.doc.toString());
  return [
    marks.on,
    ...ran.flatMap(({ session }) => [
      session.recording,
      session.selection.target
    ])
  ];
}
