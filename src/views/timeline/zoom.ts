import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { drag } from '../drag';

export interface TimeZoom {
  /** How many times longer than the view the whole is drawn. */
  readonly zoom: number;
  /** The part of the whole that is in view, from 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** Pixels of the part that is in view. */
  readonly width: number;
  readonly in: () => void;
  readonly out: () => void;
  readonly fit: () => void;
  /** Brings a stretch into view, with a little around it. */
  readonly fitTo: (left: number, width: number) => void;
  /** Moves by a part of what is in view. */
  readonly pan: (by: number) => void;
  readonly onWheel: (event: WheelEvent) => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onScroll: () => void;
}

const STEP = 1.5;
const MAX = 5000;
/** So many pixels of the wheel change the size by the factor e. */
const WHEEL = 300;
/** Of what is fitted, the part of the view that it fills. */
const FILL = 0.8;

/**
 * Zooms along the time inside a scrolled view; panning is scrolling, so wheel, keys and touch work as everywhere.
 *
 * @param names - how many of these pixels do not zoom: the names at the left.
 */
export function useTimeZoom(
  view: RefObject<HTMLDivElement>,
  names: (width: number) => number
): TimeZoom {
  const [zoom, setZoom] = useState(1);
  const [scrolled, setScrolled] = useState(0);
  const wanted = useRef<number | null>(null);
  const width = useClientWidth(view);
  const room = Math.max(1, width - names(width));
  const track = room * zoom;

  useLayoutEffect(() => {
    if (view.current && wanted.current !== null) {
      view.current.scrollLeft = wanted.current;
      wanted.current = null;
      setScrolled(view.current.scrollLeft);
    }
  }, [view, zoom]);

  /** @param x - the point of the view, in pixels right of the names, that stays where it is. */
  const zoomTo = (next: number, x = room / 2): void => {
    const bounded = Math.min(MAX, Math.max(1, next));
    const left = view.current?.scrollLeft ?? 0;
    wanted.current = ((left + x) * bounded) / zoom - x;
    setZoom(bounded);
  };
  const fitTo = (left: number, width: number): void => {
    const bounded = Math.min(MAX, Math.max(1, FILL / Math.max(width, 1e-9)));
    wanted.current = room * (bounded * (left + width / 2) - 0.5);
    if (bounded === zoom && view.current) {
      view.current.scrollLeft = wanted.current;
    }
    setZoom(bounded);
  };
  return {
    zoom,
    from: scrolled / track,
    to: (scrolled + room) / track,
    width: room,
    in: () => zoomTo(zoom * STEP),
    out: () => zoomTo(zoom / STEP),
    fit: () => zoomTo(1),
    fitTo,
    pan: by => view.current?.scrollBy(by * room, 0),
    onWheel: event => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const outer = view.current?.getBoundingClientRect();
        const x = event.clientX - (outer?.left ?? 0) - names(width);
        zoomTo(zoom * Math.exp(-event.deltaY / WHEEL), Math.max(0, x));
      }
    },
    onPointerDown: event => view.current && drag(view.current, event),
    onScroll: () => setScrolled(view.current?.scrollLeft ?? 0)
  };
}

/** Pixels, until a view was measured. */
const USUAL_WIDTH = 600;

/**
 * The width of a view, also after it was resized. It is told once the page is laid out and before it is painted: who asks
 * earlier has it laid out twice.
 */
function useClientWidth(view: RefObject<HTMLDivElement>): number {
  const [width, setWidth] = useState(USUAL_WIDTH);
  useLayoutEffect(() => {
    const node = view.current;
    if (!node) {
      return;
    }
    const observer = new ResizeObserver(() =>
      setWidth(node.clientWidth || USUAL_WIDTH)
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [view]);
  return width;
}
