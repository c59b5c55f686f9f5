import type { JSX, RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  ColourBy,
  Direction,
  DrawnBox,
  Slice,
  coloursOf,
  drawGraph,
  follow,
  sliceOf
} from '../../model';
import type { Box, Graph } from '../../protocol';
import { Selection, Target, lightsPlace } from '../../store';
import { BoxActions, BoxView, Disclosure, Reach, findBox } from './box';
import { useKeepFocus } from './focus';
import { Edges, Headings } from './layers';

interface Props {
  readonly graph: Graph;
  readonly selection: Selection;
  readonly scale: number;
  readonly colourBy: ColourBy;
  /** Opens or closes a group. */
  readonly toggle: (box: Box) => void;
}

/** Not `img`, which would hide the boxes from screen readers. The types do not know the roles of Graphics-ARIA. */
const GRAPHICS_DOCUMENT = 'graphics-document' as 'document';

/** Room around the drawing for borders and focus rings. */
const MARGIN = 12;

/** The picture itself. */
export function Canvas(props: Props): JSX.Element {
  const { graph, selection, scale, colourBy, toggle } = props;
  const picture = useMemo(() => drawGraph(graph), [graph]);
  const svg = useRef<SVGSVGElement>(null);
  const { stop, setStop, onKeyDown } = useWalk(svg, graph);
  const keepFocus = useKeepFocus(svg);
  const actions = useBoxActions(graph, selection, setStop, toggle);
  const slice = useSlice(graph, selection.pinned);
  const colours = useMemo(() => coloursOf(graph, colourBy), [graph, colourBy]);
  const view = (drawn: DrawnBox): JSX.Element => (
    <BoxView
      key={drawn.box.id}
      drawn={drawn}
      lit={isLit(selection.target, graph, drawn.box)}
      reach={reachOf(drawn.box, slice)}
      colour={colours.get(drawn.box.id) ?? ''}
      pinned={isLit(selection.pinned, graph, drawn.box)}
      stop={drawn.box.id === stop}
      actions={actions}
    />
  );
  const width = graph.width + 2 * MARGIN;
  const height = graph.height + 2 * MARGIN;
  // Focus is watched from outside: an SVG element that listens for it becomes a stop in the tab order itself.
  return (
    <div {...keepFocus}>
      <svg
        ref={svg}
        class="jtv-graph"
        role={GRAPHICS_DOCUMENT}
        aria-label={`Computation graph of ${graph.name}`}
        viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
        width={width * scale}
        height={height * scale}
        data-lm-suppress-shortcuts="true"
        onKeyDown={onKeyDown}
      >
        {picture.frames.map(view)}
        <Edges edges={picture.edges} slice={slice} />
        <Headings headings={picture.headings} />
        {picture.boxes.map(view)}
        {graph.boxes
          .filter(box => box.kind === 'group')
          .map(box => (
            <Disclosure key={box.id} box={box} toggle={actions.toggle} />
          ))}
      </svg>
    </div>
  );
}

/** What stands above and below the box that is pinned; null if none is. */
function useSlice(graph: Graph, pinned: Target | null): Slice | null {
  const id = pinned?.trace === graph.trace ? pinned.box : null;
  return useMemo(() => {
    const box = graph.boxes.find(one => one.id === id);
    return box ? sliceOf(graph, box) : null;
  }, [graph, id]);
}

function reachOf(box: Box, slice: Slice | null): Reach {
  if (!slice || slice.own.has(box.id)) {
    return 'none';
  }
  if (slice.near.has(box.id)) {
    return 'near';
  }
  return slice.above.has(box.id) || slice.below.has(box.id) ? 'far' : 'away';
}

/** Moves the focus from box to box by arrow keys; the picture is one stop in the tab order. */
function useWalk(
  svg: RefObject<SVGSVGElement>,
  graph: Graph
): {
  stop: string | null;
  setStop: (box: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
} {
  const [active, setStop] = useState<string | null>(null);
  const stop = graph.boxes.find(box => box.id === active) ?? graph.boxes[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!stop || !event.key.startsWith('Arrow')) {
      return;
    }
    const next = follow(graph, stop, event.key as Direction);
    if (next) {
      event.preventDefault();
      setStop(next.id);
      findBox(svg.current, next.id)?.focus();
    }
  };
  return { stop: stop?.id ?? null, setStop, onKeyDown };
}

/** The same functions as long as the graph is the same, so that boxes which did not change are not drawn anew. */
function useBoxActions(
  graph: Graph,
  selection: Selection,
  setStop: (box: string) => void,
  toggle: (box: Box) => void
): BoxActions {
  const latest = useRef(toggle);
  latest.current = toggle;
  return useMemo(() => {
    const targetOf = (box: Box): Target => ({
      trace: graph.trace,
      box: box.id,
      places: box.places
    });
    return {
      select: box => {
        setStop(box.id);
        selection.toggle(targetOf(box));
      },
      hover: box => selection.hover(box && targetOf(box)),
      toggle: box => latest.current(box)
    };
  }, [graph, selection, setStop]);
}

/** A box lights up when it is the target itself, or when the target is a line that it came from. */
function isLit(target: Target | null, graph: Graph, box: Box): boolean {
  if (!target) {
    return false;
  }
  return target.box !== null && target.trace === graph.trace
    ? target.box === box.id
    : !box.open && box.places.some(place => lightsPlace(target, place));
}
