import { useEffect, useRef } from 'preact/hooks';
import { Wishes, boxOf, showCopy, showMatch, toggleGroup } from '../../model';
import type { Box, Graph, Match } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { useAsking } from '../asking';

/** What can be asked of the kernel that drew a graph, and how the last question went. */
export interface Wishing {
  readonly busy: boolean;
  /** Why the last question was not answered; empty if it was. */
  readonly words: string;
  readonly toggle: (box: Box) => void;
  readonly showCopy: (box: Box, copy: number) => void;
  /** Draws what a search found, and selects it. */
  readonly showMatch: (match: Match) => void;
}

/** @param before - called with the box that was clicked, before the picture changes. */
export function useWishing(
  graph: Graph,
  session: Session,
  actions: Actions,
  before: (box: Box) => void
): Wishing {
  const { busy, words, send } = useQuestion(graph, session, actions);
  const asked = session.openedGraphs.get(graph.trace)?.asked ?? [];
  const wanted = useRef<Match | null>(null);
  useEffect(() => {
    const box = wanted.current && boxOf(graph, wanted.current);
    wanted.current = null;
    if (box) {
      select(session, graph, box);
    }
  }, [graph, session]);
  return {
    busy,
    words,
    toggle: box => {
      before(box);
      send(toggleGroup(asked, box));
    },
    showCopy: (box, copy) => {
      before(box);
      send(showCopy(asked, box.id, copy));
    },
    showMatch: match => {
      const drawn = boxOf(graph, match);
      const copies = match.open_boxes.filter(wish => wish.includes('#'));
      if (
        drawn?.id === match.box &&
        copies.every(wish => asked.includes(wish))
      ) {
        select(session, graph, drawn);
      } else {
        wanted.current = match;
        send(showMatch(asked, match));
      }
    }
  };
}

/** Asks for a graph with other groups open, and says how that goes. */
function useQuestion(
  graph: Graph,
  session: Session,
  actions: Actions
): { busy: boolean; words: string; send: (wishes: Wishes) => void } {
  const { busy, words, say, ask } = useAsking();
  const send = (wishes: Wishes): void => {
    const open = session.cutOff ? null : actions.openGraph;
    if (open) {
      ask(() => open(session.id, graph.trace, [...wishes]));
    } else {
      say('Opening a group needs a running kernel that recorded it.');
    }
  };
  return { busy, words, send };
}

function select({ selection }: Session, { trace }: Graph, box: Box): void {
  if (selection.pinned?.box !== box.id) {
    selection.toggle({ trace, box: box.id, places: box.places });
  }
}
