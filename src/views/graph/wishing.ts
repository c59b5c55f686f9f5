import { useEffect, useRef } from 'preact/hooks';
import { boxOf, showCopy, showMatch, toggleGroup, trans } from '../../model';
import type { Box, Graph, Match } from '../../protocol';
import { DEFAULT_DRAWING, Drawing, Session } from '../../store';
import type { Actions } from '../actions';
import { Asking, useAsking } from '../asking';
import { targetOf } from './box';

/** What can be asked of the kernel that drew a graph, and how the last question went. */
export interface Wishing extends Pick<Asking, 'busy' | 'words' | 'cancel'> {
  readonly toggle: (box: Box) => void;
  /** Has the kernel draw ahead what `toggle` will ask for. */
  readonly foresee: (box: Box) => void;
  readonly showCopy: (box: Box, copy: number) => void;
  /** Draws what a search found, and selects it. */
  readonly showMatch: (match: Match) => void;
  /** Asks for the picture with what XLA made of it, or without. */
  readonly overlay: (on: boolean) => void;
  /** Has a picture that grew while the trace went on laid out as a whole; null where it is already. */
  readonly tidy: (() => void) | null;
}

interface Props {
  readonly graph: Graph;
  readonly session: Session;
  readonly actions: Actions;
  /** The trace that the picture is compared with. */
  readonly other: string | null;
}

/** @param props - with `before`, called with the box that was clicked, before the picture changes. */
export function useWishing(
  props: Props & { readonly before: (box: Box) => void }
): Wishing {
  const { graph, session, before } = props;
  const { drawing, send, foresee, ...asking } = useQuestion(props);
  const wanted = useRef<Match | null>(null);
  useEffect(() => {
    const box = wanted.current && boxOf(graph, wanted.current);
    wanted.current = null;
    if (box) {
      select(session, graph, box);
    }
  }, [graph, session]);
  const { boxes: asked } = drawing;
  return {
    ...asking,
    toggle: box => {
      before(box);
      send({ boxes: toggleGroup(asked, box) });
    },
    foresee: box => foresee({ boxes: toggleGroup(asked, box) }),
    showCopy: (box, copy) => {
      before(box);
      send({ boxes: showCopy(asked, box.id, copy) });
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
        send({ boxes: showMatch(asked, match) });
      }
    },
    overlay: on => send({ overlay: on }),
    tidy: isGrown(session, graph) ? () => send({}) : null
  };
}

/** Whether a picture is as it grew: the trace is over, the recording goes on, and nobody asked for another picture. */
function isGrown(session: Session, { trace }: Graph): boolean {
  const { newest, traces } = session.recording;
  const over = traces.get(trace)?.status !== 'running';
  const asked = session.openedGraphs.has(trace);
  return newest.state === 'running' && over && !asked && !session.cutOff;
}

interface Question extends Pick<Asking, 'busy' | 'words' | 'cancel'> {
  /** As the graph is drawn, or will be when the question is answered. */
  readonly drawing: Drawing;
  readonly send: (change: Partial<Drawing>) => void;
  readonly foresee: (change: Partial<Drawing>) => void;
}

/** Asks for a graph to be drawn otherwise, and says how that goes. */
function useQuestion(props: Props): Question {
  const { graph, session, actions, other } = props;
  const { busy, words, say, ask, cancel } = useAsking();
  const pending = useRef(DEFAULT_DRAWING);
  const drawn = session.openedGraphs.get(graph.trace)?.drawing;
  const drawing = busy ? pending.current : (drawn ?? DEFAULT_DRAWING);
  return {
    busy,
    words,
    cancel,
    drawing,
    send: change => {
      const open = session.cutOff ? null : actions.openGraph;
      if (open) {
        const next = (pending.current = { ...drawing, ...change, other });
        ask(signal => open(session.id, graph.trace, next, signal));
      } else {
        say(
          trans.__('Opening a group needs a running kernel that recorded it.')
        );
      }
    },
    foresee: change => {
      if (!session.cutOff && !busy) {
        const next = { ...drawing, ...change, other };
        actions.foreseeGraph?.(session.id, graph.trace, next);
      }
    }
  };
}

function select({ selection }: Session, graph: Graph, box: Box): void {
  selection.pin(targetOf(graph, box));
}
