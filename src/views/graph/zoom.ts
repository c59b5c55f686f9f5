import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Graph } from '../../protocol';
import { drag } from '../drag';
import { centre } from './camera';
import { scaleSheet, sheetOf } from './sheet';
import { Together, useTogether } from './together';

export interface Zoom {
  readonly scale: number;
  readonly in: () => void;
  readonly out: () => void;
  readonly fit: () => void;
  /** Leaves the size as it is, also where the picture grows. */
  readonly keep: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onWheel: (event: WheelEvent) => void;
  readonly onPointerDown: (event: PointerEvent) => void;
}

const STEP = 1.25;
const MIN = 0.1;
const MAX = 4;
/** A first picture is not drawn smaller than its text can be read. */
const READABLE = 0.75;
const MARGINS = 26;
/** After so many milliseconds a gesture has come to an end. */
const REST = 120;
const ZOOMING = 'jtv-zooming';
/** So many pixels of the wheel change the size by the factor e. */
const WHEEL = 300;

/** Zooms a picture inside a scrolled view; panning is scrolling, so wheel, keys and touch work as everywhere. */
export function useZoom(
  view: RefObject<HTMLDivElement>,
  graph: Graph,
  together: Together | null
): Zoom {
  const { scale, now, zoomTo, keep } = useScale(view, graph, together);
  const larger = (): void => zoomTo(now() * STEP);
  const smaller = (): void => zoomTo(now() / STEP);
  const fit = (): void => {
    centre(view.current);
    const { clientWidth = 0, clientHeight = 0 } = view.current ?? {};
    const across = (clientWidth - MARGINS) / graph.width;
    const down = (clientHeight - MARGINS) / graph.height;
    zoomTo(Math.min(across, down, 1));
  };
  const keys: Record<string, () => void> = {
    '+': larger,
    '=': larger,
    '-': smaller,
    0: fit
  };
  return {
    scale,
    in: larger,
    out: smaller,
    fit,
    keep,
    onKeyDown: event => {
      const zoom = keys[event.key];
      if (zoom && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        zoom();
      }
    },
    onWheel: event => {
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const outer = view.current?.getBoundingClientRect();
        zoomTo(
          now() * Math.exp(-event.deltaY / WHEEL),
          event.clientX - (outer?.left ?? 0),
          event.clientY - (outer?.top ?? 0)
        );
      }
    },
    onPointerDown: event => {
      if (view.current) {
        drag(view.current, event);
      }
    }
  };
}

type ZoomTo = (scale: number, x?: number, y?: number) => void;

/**
 * The scale, and a function that changes it around a point of the view, which stays where it is. While it changes, only the
 * sheet is transformed; when it has come to rest, the picture is drawn with as much detail as can be read.
 */
function useScale(
  view: RefObject<HTMLDivElement>,
  graph: Graph,
  together: Together | null
): { scale: number; now: () => number; zoomTo: ZoomTo; keep: () => void } {
  const [scale, setScale] = useState(1);
  const now = useRef(scale);
  const chosen = useRef(false);
  const resting = useRef<ReturnType<typeof setTimeout>>();

  // Until the user zooms, the picture is as wide as the view, also while it grows.
  useLayoutEffect(() => {
    const room = (view.current?.clientWidth ?? 0) - MARGINS;
    if (room > 0 && !chosen.current) {
      now.current = clamp(room / graph.width, READABLE, 1);
      setScale(now.current);
    }
  }, [view, graph.width]);
  useEffect(() => () => clearTimeout(resting.current), []);

  const rest = (): void => {
    view.current?.classList.remove(ZOOMING);
    setScale(now.current);
  };
  const change: ZoomTo = (wanted, x, y) => {
    chosen.current = true;
    const before = now.current;
    now.current = clamp(wanted, MIN, MAX);
    if (view.current) {
      view.current.classList.add(ZOOMING);
      scaleAround(view.current, graph, before, now.current, x, y);
    }
    clearTimeout(resting.current);
    resting.current = setTimeout(rest, REST);
  };
  useTogether(together, view, change);
  const zoomTo: ZoomTo = (wanted, x, y) => {
    change(wanted, x, y);
    if (view.current) {
      together?.zoomed(view.current, now.current);
    }
  };
  const keep = (): void => {
    chosen.current = true;
  };
  return { scale, now: () => now.current, zoomTo, keep };
}

/** Scales the sheet so that a point of the view, by default its middle, shows what it showed before. */
function scaleAround(
  view: HTMLElement,
  graph: Graph,
  before: number,
  now: number,
  x = view.clientWidth / 2,
  y = view.clientHeight / 2
): void {
  const sheet = sheetOf(view);
  if (!sheet) {
    return;
  }
  const left = (view.scrollLeft + x - sheet.offsetLeft) / before;
  const top = (view.scrollTop + y - sheet.offsetTop) / before;
  scaleSheet(view, graph, now);
  view.scrollLeft = left * now + sheet.offsetLeft - x;
  view.scrollTop = top * now + sheet.offsetTop - y;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
