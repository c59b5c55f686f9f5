import type { JSX, RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  ColourBy,
  Direction,
  DrawnBox,
  Mark,
  Picture,
  Slice,
  drawGraph,
  farLabels,
  follow,
  overlaidMarks,
  paintsOf,
  sliceOf,
  trans
} from '../../model';
import type { Box, Graph, Place } from '../../protocol';
import { Selection, Target, lightsPlace } from '../../store';
import {
  BoxActions,
  BoxView,
  Disclosure,
  Reach,
  findBox,
  targetOf
} from './box';
import { useKeepFocus } from './focus';
import { Edges, FarLabels, Headings } from './layers';
import { FAR, MARGIN, Sheet } from './sheet';

interface Props {
  readonly graph: Graph;
  readonly selection: Selection;
  readonly scale: number;
  readonly colourBy: ColourBy;
  /** The trace it is compared with: how it differs from that one is shown. */
  readonly other: string | null;
  /** Opens or closes a group. */
  readonly toggle: (box: Box) => void;
  /** Gets ready for that. */
  readonly foresee: (box: Box) => void;
}

/** Not `img`, which would hide the boxes from screen readers. The types do not know the roles of Graphics-ARIA. */
const GRAPHICS_DOCUMENT = 'graphics-document' as 'document';

/** The picture itself. */
export function Canvas(props: Props): JSX.Element {
  const { graph, selection, scale, colourBy, other } = props;
  const compared = other !== null;
  const picture = usePicture(graph, compared || colourBy === 'kernel');
  const svg = useRef<SVGSVGElement>(null);
  const { stop, setStop, onKeyDown } = useWalk(svg, graph);
  const keepFocus = useKeepFocus(svg);
  const actions = useBoxActions(props, setStop);
  const slice = useSlice(graph, selection.pinned);
  const paints = useMemo(() => paintsOf(graph, colourBy), [graph, colourBy]);
  const view = (drawn: DrawnBox): JSX.Element => (
    <BoxView
      key={drawn.box.id}
      drawn={drawn}
      lit={isLit(selection.target, graph, drawn.box, other)}
      reach={reachOf(drawn.box, slice)}
      paint={paints.get(drawn.box.id)}
      pinned={isLit(selection.pinned, graph, drawn.box, other)}
      stop={drawn.box.id === stop}
      actions={actions}
    />
  );
  const isFar = scale < FAR;
  const labels = useMemo(
    () => (isFar ? farLabels(graph, scale) : []),
    [graph, scale, isFar]
  );
  const { width, height } = useRoom(graph);
  // Focus is watched from outside: an SVG element that listens for it becomes a stop in the tab order itself.
  return (
    <Sheet graph={graph} scale={scale} {...keepFocus}>
      <svg
        ref={svg}
        class={`jtv-graph${compared ? ' jtv-compared' : ''}`}
        role={GRAPHICS_DOCUMENT}
        aria-label={trans.__('Computation graph of %1', graph.name)}
        viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
        width={width}
        height={height}
        data-lm-suppress-shortcuts="true"
        onKeyDown={onKeyDown}
      >
        {picture.frames.map(view)}
        <Edges edges={picture.edges} slice={slice} />
        <Headings headings={picture.headings} />
        {picture.boxes.map(view)}
        {[...picture.frames, ...picture.boxes]
          .filter(({ box }) => box.kind === 'group')
          .map(({ box }) => (
            <Disclosure key={box.id} box={box} actions={actions} />
          ))}
        <FarLabels labels={labels} />
      </svg>
    </Sheet>
  );
}

/** So many pixels more than it needs, at most, a picture has room for. */
const ROOM = 2048;

/** How large to make the drawing. It seldom changes, because a browser then lays out all texts anew; the sheet clips it. */
function useRoom({ width, height }: Graph): { width: number; height: number } {
  const room = useRef({ width: 0, height: 0 });
  const enough = (size: number, before: number): number =>
    size + 2 * MARGIN <= before
      ? before
      : ROOM * Math.ceil((size + 2 * MARGIN) / ROOM);
  return (room.current = {
    width: enough(width, room.current.width),
    height: enough(height, room.current.height)
  });
}

const NO_MARKS = new Map<string, Mark>();

/** The picture, taking over from the one before what looks the same. */
function usePicture(graph: Graph, overlaid: boolean): Picture {
  const last = useRef<Picture>();
  return useMemo(() => {
    const marks = overlaid ? overlaidMarks(graph) : NO_MARKS;
    return (last.current = drawGraph(graph, marks, last.current));
  }, [graph, overlaid]);
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
  if (slice.saved.has(box.id)) {
    return 'saved';
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

/** The same functions whatever the graph is, so that boxes which did not change are not drawn anew. */
function useBoxActions(
  props: Props,
  setStop: (box: string) => void
): BoxActions {
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    const target = (box: Box): Target => targetOf(latest.current.graph, box);
    return {
      select: box => {
        setStop(box.id);
        latest.current.selection.toggle(target(box));
      },
      hover: box => latest.current.selection.hover(box && target(box)),
      toggle: box => latest.current.toggle(box),
      foresee: box => latest.current.foresee(box)
    };
  }, [setStop]);
}

/**
 * A box lights up when it is the target itself, or when the target is a line that it came from. Beside the picture of the
 * target's trace, the box in the same place of the program lights up, if there is one.
 */
function isLit(
  target: Target | null,
  graph: Graph,
  box: Box,
  other: string | null
): boolean {
  if (!target) {
    return false;
  }
  const own = target.trace === graph.trace;
  const twin =
    target.trace === other &&
    graph.boxes.some(
      ({ id, places }) => id === target.box && samePlaces(places, target.places)
    );
  return target.box !== null && (own || twin)
    ? target.box === box.id
    : !box.open && box.places.some(place => lightsPlace(target, place));
}

function samePlaces(one: readonly Place[], other: readonly Place[]): boolean {
  const text = ({ file, line }: Place): string => `${file}:${line}`;
  return one.map(text).join() === other.map(text).join();
}
