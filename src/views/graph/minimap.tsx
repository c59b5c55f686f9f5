import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { toneOf } from '../../model';
import type { Graph } from '../../protocol';
import { memo } from '../memo';
import { MARGIN, sheetOf } from './sheet';

interface Props {
  readonly view: RefObject<HTMLDivElement>;
  readonly graph: Graph;
  readonly scale: number;
}

/** The longer side, in CSS pixels. */
const SIZE = 150;

/**
 * The whole picture in a corner, with a frame around what the view shows, which the pointer can move. Keys scroll the view
 * itself, and a screen reader has the boxes.
 */
export function Minimap({ view, graph, scale }: Props): JSX.Element {
  const map = useRef<SVGSVGElement>(null);
  const shown = useRef<SVGRectElement>(null);
  useLayoutEffect(() => {
    const scrolled = view.current;
    if (!scrolled) {
      return undefined;
    }
    const follow = (): void => frame(scrolled, shown.current, scale);
    const resized = new ResizeObserver(follow);
    follow();
    scrolled.addEventListener('scroll', follow, { passive: true });
    resized.observe(scrolled);
    return () => {
      scrolled.removeEventListener('scroll', follow);
      resized.disconnect();
    };
  }, [view, graph, scale]);
  const go = (event: PointerEvent): void => {
    const area = map.current?.getBoundingClientRect();
    if (area && view.current && event.buttons > 0) {
      const across = (event.clientX - area.left) / area.width;
      const down = (event.clientY - area.top) / area.height;
      lookAt(view.current, graph, scale, across, down);
    }
  };
  const { width, height } = graph;
  const size = SIZE / Math.max(width, height);
  return (
    <svg
      ref={map}
      class="jtv-minimap"
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      width={width * size}
      height={height * size}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={go}
    >
      <Overview graph={graph} />
      <rect ref={shown} class="jtv-minimap-view" />
    </svg>
  );
}

const Overview = memo(function Overview(props: { graph: Graph }): JSX.Element {
  return (
    <g>
      {strokesOf(props.graph).map(({ look, d }, i) => (
        <path key={i} class={look} d={d} />
      ))}
    </g>
  );
});

/** The boxes in painting order, those in a row that look the same as one shape: a few shapes are soon changed. */
function strokesOf({ boxes }: Graph): { look: string; d: string }[] {
  const strokes: { look: string; d: string }[] = [];
  for (const box of boxes) {
    const look = `jtv-${box.open ? 'frame' : 'box'} jtv-${toneOf(box)}`;
    const { x, y, width, height } = box;
    const d = `M${x} ${y}h${width}v${height}h${-width}z`;
    const last = strokes[strokes.length - 1];
    if (last?.look === look) {
      last.d += d;
    } else {
      strokes.push({ look, d });
    }
  }
  return strokes;
}

/** Puts the frame around the part of the picture that a view shows, and hides the map where that is all. */
function frame(
  view: HTMLElement,
  rect: SVGRectElement | null,
  scale: number
): void {
  const sheet = sheetOf(view);
  if (sheet && rect) {
    // A map of what is seen anyway would only stand in the way.
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = view;
    const isAll = scrollWidth <= clientWidth && scrollHeight <= clientHeight;
    rect.ownerSVGElement?.classList.toggle('jtv-minimap-needless', isAll);
    const area = {
      x: (view.scrollLeft - sheet.offsetLeft) / scale - MARGIN,
      y: (view.scrollTop - sheet.offsetTop) / scale - MARGIN,
      width: view.clientWidth / scale,
      height: view.clientHeight / scale
    };
    for (const [name, value] of Object.entries(area)) {
      rect.setAttribute(name, value.toFixed(1));
    }
  }
}

/** Scrolls so that a point of the picture, given in parts of its size, comes to the middle. */
function lookAt(
  view: HTMLElement,
  { width, height }: Graph,
  scale: number,
  across: number,
  down: number
): void {
  const sheet = sheetOf(view);
  if (sheet) {
    const x = (across * width + MARGIN) * scale + sheet.offsetLeft;
    const y = (down * height + MARGIN) * scale + sheet.offsetTop;
    view.scrollTo(x - view.clientWidth / 2, y - view.clientHeight / 2);
  }
}
