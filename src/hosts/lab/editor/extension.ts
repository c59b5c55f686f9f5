import {
  EditorState,
  Extension,
  RangeSetBuilder,
  StateEffect,
  StateField
} from '@codemirror/state';
import {
  Decoration,
  DecorationSet,
  EditorView,
  ViewPlugin
} from '@codemirror/view';
import { inlaysOf } from '../../../model';
import type { Unsubscribe } from '../../../store';
import { CellContext, CellView } from './cell-view';
import { InlayWidget } from './inlay-widget';
import { pointing } from './pointing';
import { markTooltip } from './tooltip';

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
    follower(context, view => {
      view.dispatch({ effects: refresh.of(null) });
    }),
    pointing(viewOf, context.store),
    markTooltip(viewOf)
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
    const { from, to } = state.doc.line(n);
    const line = view.lineAt(n);
    const lit = view.isLit(n);
    if (lit || line?.error) {
      const failed = line?.error ? ' jtv-cell-failed' : '';
      const name = `jtv-cell-line${lit ? ' jtv-cell-lit' : ''}${failed}`;
      builder.add(from, from, Decoration.line({ class: name }));
    }
    const inlays = line ? inlaysOf(line) : [];
    if (inlays.length > 0) {
      const widget = new InlayWidget(inlays);
      builder.add(to, to, Decoration.widget({ widget, side: 1 }));
    }
  }
  return { view, decorations: builder.finish() };
}

/** Redraws an editor when something changed that concerns its cell, at most once a frame: there may be hundreds. */
function follower(
  context: CellContext,
  redraw: (view: EditorView) => void
): Extension {
  return ViewPlugin.define(view => {
    let frame = 0;
    let seen = stamp(context, view);
    const look = (): void => {
      const now = stamp(context, view);
      const same =
        now.length === seen.length && now.every((part, i) => part === seen[i]);
      if (!same) {
        frame ||= requestAnimationFrame(() => {
          frame = 0;
          seen = stamp(context, view);
          redraw(view);
        });
      }
    };
    const subscriptions: Unsubscribe[] = [
      context.store.changed,
      context.store.selectionChanged,
      context.marks.changed
    ].map(signal => signal.subscribe(look));
    return {
      destroy: () => {
        cancelAnimationFrame(frame);
        subscriptions.forEach(unsubscribe => unsubscribe());
      }
    };
  });
}

/** Other parts mean another look. */
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
