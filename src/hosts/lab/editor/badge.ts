import {
  EditorState,
  Extension,
  StateEffect,
  StateField
} from '@codemirror/state';
import { EditorView, Panel, showPanel } from '@codemirror/view';
import { Badge, badgeOf, failedTraces } from '../../../model';
import type { Session } from '../../../store';
import type { CellContext } from './cell-view';
import { follower } from './follower';

interface Shown {
  readonly session: Session;
  readonly badge: Badge;
}

/** A badge below the code of a cell that traced, whatever became of its text since. A click asks why. */
export function cellBadge(context: CellContext): Extension {
  const { cell, code, store, badges } = context;
  const refresh = StateEffect.define();
  const read = (state: EditorState): Shown | null => {
    const session = badges.on
      ? code.lastRun(cell, () => state.doc.toString())
      : null;
    const recording = session?.recording;
    const badge =
      recording && badgeOf(recording.newest.tally, failedTraces(recording));
    return session && badge ? { session, badge } : null;
  };
  const field = StateField.define<Shown | null>({
    create: read,
    update: (shown, { effects, state }) =>
      effects.some(effect => effect.is(refresh)) ? read(state) : shown,
    provide: own => showPanel.from(own, shown => (shown ? panel : null))
  });
  const shownIn = ({ state }: EditorView): Shown | null => state.field(field);
  const panel = (view: EditorView): Panel =>
    badgePanel(view, shownIn, context.openWhy);
  return [
    field,
    follower({
      stream: store.changed,
      signals: [badges.changed],
      stamp: ({ state }) => {
        const shown = read(state);
        return [shown?.session.id, shown?.badge.title];
      },
      redraw: view => {
        view.dispatch({ effects: refresh.of(null) });
      }
    })
  ];
}

function badgePanel(
  view: EditorView,
  shownIn: (view: EditorView) => Shown | null,
  openWhy: (session: Session) => void
): Panel {
  const dom = document.createElement('div');
  dom.className = 'jtv-badge jtv-colours';
  const button = document.createElement('button');
  button.type = 'button';
  const glyph = document.createElement('span');
  const words = document.createElement('span');
  button.append(glyph, ' ', words);
  dom.append(button);
  button.addEventListener('click', () => {
    const shown = shownIn(view);
    if (shown) {
      openWhy(shown.session);
    }
  });
  button.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') {
      // The notebook would move the focus into the editor first, and the key would be typed there.
      event.stopPropagation();
    }
  });
  const paint = (): void => {
    const badge = shownIn(view)?.badge;
    if (badge) {
      glyph.className = `jtv-glyph jtv-tone-${badge.sign.tone}`;
      glyph.textContent = badge.sign.glyph;
      words.textContent = badge.text;
      button.title = badge.title;
    }
  };
  paint();
  return { dom, update: paint };
}
