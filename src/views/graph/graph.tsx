import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Focus, graphOf, toggleGroup } from '../../model';
import type { Box, Graph as GraphRecord } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { useAsking } from '../asking';
import { Empty } from '../empty';
import { findBox } from './box';
import { Canvas } from './canvas';
import { Details } from './details';
import { useZoom } from './zoom';

interface Props {
  readonly session: Session;
  readonly focus: Focus;
  readonly actions: Actions;
  /** Why there may be no graph. */
  readonly missing: string;
}

/** The computation graph of the trace that is shown. */
export function Graph({
  session,
  focus,
  actions,
  missing
}: Props): JSX.Element {
  const { trace } = focus;
  const graph = trace && graphOf(session, trace.id);
  if (!graph || graph.boxes.length === 0) {
    return <Empty words={missing || emptyWords(focus)} />;
  }
  return (
    <GraphView
      key={graph.trace}
      graph={graph}
      session={session}
      actions={actions}
    />
  );
}

function emptyWords({ trace }: Focus): string {
  if (!trace) {
    return 'This function was not traced: all its calls were cache hits.';
  }
  return trace.status === 'running'
    ? 'Nothing has been staged yet.'
    : 'No graph was kept for this trace.';
}

function GraphView(props: {
  graph: GraphRecord;
  session: Session;
  actions: Actions;
}): JSX.Element {
  const { graph, session, actions } = props;
  const { selection } = session;
  const view = useRef<HTMLDivElement>(null);
  const zoom = useZoom(view, graph);
  const { busy, words, toggle } = useGroups(graph, session, actions);
  useRevealBox(view, selection.pinned?.box ?? null);
  return (
    <div class="jtv-graph-view">
      <div class="jtv-toolbar">
        <p class="jtv-note" role="status">
          {words || graph.note}
        </p>
        <div class="jtv-buttons">
          <button type="button" onClick={zoom.out}>
            Zoom out
          </button>
          <button type="button" onClick={zoom.in}>
            Zoom in
          </button>
          <button type="button" onClick={zoom.fit}>
            Fit
          </button>
        </div>
      </div>
      <div
        ref={view}
        class="jtv-graph-scroll"
        aria-busy={busy}
        onWheel={zoom.onWheel}
        onPointerDown={zoom.onPointerDown}
      >
        <Canvas
          graph={graph}
          selection={selection}
          scale={zoom.scale}
          toggle={toggle}
        />
      </div>
      <Details graph={graph} selection={selection} />
    </div>
  );
}

/** Opens and closes groups by asking the kernel, and says how that goes. */
function useGroups(
  graph: GraphRecord,
  session: Session,
  actions: Actions
): { busy: boolean; words: string; toggle: (box: Box) => void } {
  const { busy, words, say, ask } = useAsking();
  const toggle = (box: Box): void => {
    const open = session.cutOff ? null : actions.openGraph;
    if (open) {
      const boxes = toggleGroup(session, graph.trace, box);
      ask(() => open(session.id, graph.trace, boxes));
    } else {
      say('Opening a group needs a running kernel that recorded it.');
    }
  };
  return { busy, words, toggle };
}

function useRevealBox(
  view: RefObject<HTMLDivElement>,
  box: string | null
): void {
  useEffect(() => {
    const node = box && findBox(view.current, box);
    if (node && view.current) {
      const outer = view.current.getBoundingClientRect();
      const inner = node.getBoundingClientRect();
      if (inner.bottom < outer.top || inner.top > outer.bottom) {
        view.current.scrollTop += inner.top - outer.top - outer.height / 3;
      }
    }
  }, [view, box]);
}
