import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import {
  COLOURINGS,
  ColourBy,
  Focus,
  graphOf,
  legendOf,
  untracedWords
} from '../../model';
import type { Graph as GraphRecord } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { Empty } from '../empty';
import { useRevealBox, useSteadyBox } from './camera';
import { Canvas } from './canvas';
import { Details } from './details';
import { Search } from './search';
import { GraphTable } from './table';
import { useWishing } from './wishing';
import { Zoom, useZoom } from './zoom';

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
  const [colourBy, setColourBy] = useState<ColourBy>('kind');
  const [asTable, setAsTable] = useState(false);
  const zoom = useZoom(view, graph);
  const steady = useSteadyBox(view, graph);
  const wishing = useWishing(graph, session, actions, box => {
    zoom.keep();
    steady(box);
  });
  useRevealBox(view, selection.pinned?.box ?? null);
  const shared = { graph, selection, toggle: wishing.toggle };
  return (
    <div class="jtv-graph-view">
      <Search {...props} choose={wishing.showMatch} />
      <div class="jtv-toolbar">
        <p class="jtv-note" role="status">
          {wishing.words || graph.note || legendOf(graph, colourBy)}
        </p>
        <ColourChoice by={colourBy} choose={setColourBy} />
        <ZoomButtons zoom={zoom} />
        <TableButton on={asTable} set={setAsTable} />
      </div>
      {asTable ? (
        <GraphTable {...shared} />
      ) : (
        <div
          ref={view}
          class="jtv-graph-scroll"
          aria-busy={wishing.busy}
          onKeyDown={zoom.onKeyDown}
          onWheel={zoom.onWheel}
          onPointerDown={zoom.onPointerDown}
        >
          <Canvas {...shared} scale={zoom.scale} colourBy={colourBy} />
        </div>
      )}
      <Details
        graph={graph}
        selection={selection}
        showCopy={wishing.showCopy}
      />
    </div>
  );
}

function TableButton(props: {
  on: boolean;
  set: (on: boolean) => void;
}): JSX.Element {
  const { on, set } = props;
  return (
    <button
      type="button"
      class="jtv-button"
      aria-pressed={on}
      onClick={() => set(!on)}
    >
      Table
    </button>
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }): JSX.Element {
  return (
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
  );
}

function ColourChoice(props: {
  by: ColourBy;
  choose: (by: ColourBy) => void;
}): JSX.Element {
  return (
    <label class="jtv-colour-choice">
      <span>Colours: </span>
      <select
        value={props.by}
        onChange={event => props.choose(event.currentTarget.value as ColourBy)}
      >
        {Object.entries(COLOURINGS).map(([by, words]) => (
          <option key={by} value={by}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
