import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Focus, graphOf, untracedWords } from '../../model';
import type { Graph as GraphRecord } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { Empty } from '../empty';
import { useRevealBox, useSteadyBox } from './camera';
import { Canvas } from './canvas';
import { Details } from './details';
import { Search } from './search';
import { Stage } from './stage';
import { GraphTable } from './table';
import { DEFAULT_SHOW, Toolbar } from './toolbar';
import { useWishing } from './wishing';
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

function emptyWords({ function: fn, trace }: Focus): string {
  if (!trace) {
    return untracedWords(fn);
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
  const [show, setShow] = useState(DEFAULT_SHOW);
  const zoom = useZoom(view, graph);
  const steady = useSteadyBox(view, graph);
  const wishing = useWishing(graph, session, actions, box => {
    zoom.keep();
    steady(box);
  });
  useRevealBox(view, selection.pinned?.box ?? null);
  const { toggle, foresee } = wishing;
  return (
    <div class="jtv-graph-view">
      <Search {...props} choose={wishing.showMatch} />
      <Toolbar
        graph={graph}
        wishing={wishing}
        zoom={zoom}
        show={show}
        setShow={setShow}
      />
      {show.table ? (
        <GraphTable graph={graph} selection={selection} toggle={toggle} />
      ) : (
        <Stage
          view={view}
          graph={graph}
          zoom={zoom}
          busy={wishing.busy}
          withMap={show.map}
        >
          <Canvas
            graph={graph}
            selection={selection}
            scale={zoom.scale}
            colourBy={show.colours}
            toggle={toggle}
            foresee={foresee}
          />
        </Stage>
      )}
      <Details
        graph={graph}
        selection={selection}
        showCopy={wishing.showCopy}
      />
    </div>
  );
}
