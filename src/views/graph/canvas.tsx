import type { JSX, RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import {
  ColourBy,
  Direction,
  DrawnBox,
  FarLabel,
  Mark,
  Picture,
  Slice,
  drawGraph,
  farLabels,
  foldOf,
  follow,
  overlaidMarks,
  paintsOf,
  sliceOf,
  sliceOfFold,
  spotOf,
  trans
} from '../../model';
import type { Box, Graph } from '../../protocol';
import type { Selection, Target } from '../../store';
import {
  BoxActions,
  BoxView,
  Disclosure,
  Reach,
  canToggle,
  findDrawn,
  targetOf,
  targetOfFold
} from './box';
import { useKeepFocus } from './focus';
import { EdgeActions, Edges } from './edges';
import { FarLabels, Headings } from './layers';
import { litBy, litFold } from './lit';
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
  const fold = litFold(selection.pinned, graph, other);
  const lit = litBy(selection.target, graph, other);
  const pinned = litBy(fold ? null : selection.pinned, graph, other);
  const paints = useMemo(() => paintsOf(graph, colourBy), [graph, colourBy]);
  const view = (drawn: DrawnBox): JSX.Element => (
    <BoxView
      key={drawn.box.id}
      drawn={drawn}
      lit={lit(drawn.box)}
      reach={reachOf(drawn.box, slice)}
      paint={paints.get(drawn.box.id)}
      pinned={pinned(drawn.box)}
      stop={drawn.box.id === stop}
      actions={actions}
    />
  );
  const labels = useFarLabels(graph, scale);
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
        <Edges
          edges={picture.edges}
          slice={slice}
          pinned={fold}
          stop={stop}
          actions={actions}
        />
        <Headings headings={picture.headings} />
        {picture.boxes.map(view)}
        <Disclosures picture={picture} actions={actions} />
        <FarLabels labels={labels} />
      </svg>
    </Sheet>
  );
}

function Disclosures(props: {
  picture: Picture;
  actions: BoxActions;
}): JSX.Element {
  const { picture, actions } = props;
  return (
    <>
      {[...picture.frames, ...picture.boxes]
        .filter(({ box }) => canToggle(box))
        .map(({ box }) => (
          <Disclosure key={box.id} box={box} actions={actions} />
        ))}
    </>
  );
}

function useFarLabels(graph: Graph, scale: number): readonly FarLabel[] {
  const isFar = scale < FAR;
  return useMemo(
    () => (isFar ? farLabels(graph, scale) : []),
    [graph, scale, isFar]
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
    const fold = foldOf(graph, id);
    return box ? sliceOf(graph, box) : fold && sliceOfFold(graph, fold);
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

/** Moves the focus from box to box, and over what stands between them for several lines, by arrow keys; the picture is one stop in the tab order. */
function useWalk(
  svg: RefObject<SVGSVGElement>,
  graph: Graph
): {
  stop: string | null;
  setStop: (box: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
} {
  const [active, setStop] = useState<string | null>(null);
  const stop = spotOf(graph, active) ?? graph.boxes[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!stop || !event.key.startsWith('Arrow')) {
      return;
    }
    const next = follow(graph, stop, event.key as Direction);
    if (next) {
      event.preventDefault();
      setStop(next.id);
      findDrawn(svg.current, next.id)?.focus();
    }
  };
  return { stop: stop?.id ?? null, setStop, onKeyDown };
}

/** The same functions whatever the graph is, so that boxes which did not change are not drawn anew. */
function useBoxActions(
  props: Props,
  setStop: (box: string) => void
): BoxActions & EdgeActions {
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    const target = (box: Box): Target => targetOf(latest.current.graph, box);
    return {
      select: box => {
        setStop(box.id);
        latest.current.selection.toggle(target(box));
      },
      selectFold: edge => {
        setStop(edge.id);
        latest.current.selection.toggle(
          targetOfFold(latest.current.graph, edge)
        );
      },
      hover: box => latest.current.selection.hover(box && target(box)),
      toggle: box => latest.current.toggle(box),
      foresee: box => latest.current.foresee(box)
    };
  }, [setStop]);
}
