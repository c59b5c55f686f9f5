import type { JSX, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import {
  LineNames,
  legendOf,
  lineNames,
  overlaidLegend,
  trans
} from '../../model';
import type { Box, Graph } from '../../protocol';
import type { Session } from '../../store';
import type { Actions } from '../actions';
import { Progress } from '../progress';
import { useRevealBox, useSteadyBox } from './camera';
import { Canvas } from './canvas';
import { Details } from './details';
import { LegendView } from './legend';
import { Search } from './search';
import { Stage } from './stage';
import { GraphTable } from './table';
import { DEFAULT_SHOW, Show, Toolbar } from './toolbar';
import { Wishing, useWishing } from './wishing';
import type { Together } from './together';
import { Zoom, useZoom } from './zoom';

interface Props {
  readonly graph: Graph;
  readonly session: Session;
  readonly actions: Actions;
  /** The trace that it is compared with. */
  readonly other: string | null;
  /** The views that are zoomed and moved with this one. */
  readonly together: Together | null;
}

/** One picture with all that one can do to it. */
export function GraphPane(props: Props): JSX.Element {
  const { graph, session, other } = props;
  const { selection, recording } = session;
  const names = lineNames(recording);
  const view = useRef<HTMLDivElement>(null);
  const [show, setShow] = useState(DEFAULT_SHOW);
  const { zoom, wishing } = useLooking(view, props);
  const choose = (next: Show): void => {
    setShow(next);
    const overlay = next.colours === 'kernel';
    if (overlay !== (show.colours === 'kernel')) {
      wishing.overlay(overlay);
    }
  };
  const shared = { graph, names, selection, toggle: wishing.toggle };
  return (
    <div class="jtv-graph-view">
      <div class="jtv-graph-bar">
        <Search {...props} choose={wishing.showMatch} />
        <Toolbar
          wishing={wishing}
          zoom={zoom}
          show={show}
          setShow={choose}
          note={graph.note}
          compared={other !== null}
        />
      </div>
      {show.table ? null : (
        <Explained {...shared} show={show} compared={other !== null} />
      )}
      <div class="jtv-graph-said">
        <Progress asking={wishing} doing={trans.__('The kernel is drawing…')} />
      </div>
      {show.table ? (
        <GraphTable {...shared} />
      ) : (
        <Stage
          view={view}
          graph={graph}
          zoom={zoom}
          busy={wishing.busy}
          withMap={show.map}
        >
          <Canvas
            {...shared}
            scale={zoom.scale}
            colourBy={show.colours}
            other={other}
            foresee={wishing.foresee}
          />
        </Stage>
      )}
      <Details {...shared} showCopy={wishing.showCopy} />
    </div>
  );
}

/** What is seen of the picture, and what can be asked about it. */
function useLooking(
  view: RefObject<HTMLDivElement>,
  props: Props
): { zoom: Zoom; wishing: Wishing } {
  const { graph, session, together } = props;
  const zoom = useZoom(view, graph, together);
  const steady = useSteadyBox(view, graph);
  const before = (box: Box): void => {
    zoom.keep();
    steady(box);
  };
  const wishing = useWishing({ ...props, before });
  useRevealBox(view, session.selection.pinned?.box ?? null);
  return { zoom, wishing };
}

function Explained(props: {
  graph: Graph;
  names: LineNames;
  show: Show;
  compared: boolean;
}): JSX.Element {
  const { graph, names, show, compared } = props;
  const legend = compared
    ? overlaidLegend(graph)
    : legendOf(graph, show.colours, names);
  return <LegendView legend={legend} />;
}
