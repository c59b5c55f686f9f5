import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Graph } from '../../protocol';
import { drag } from '../drag';
import { centre } from './camera';

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
/** So many pixels of the wheel change the size by the factor e. */
const WHEEL = 300;

/** Zooms a picture inside a scrolled view; panning is scrolling, so wheel, keys and touch work as everywhere. */
export function useZoom(view: RefObject<HTMLDivElement>, graph: Graph): Zoom {
  const { scale, zoomTo, keep } = useScale(view, graph.width);
  const larger = (): void => zoomTo(scale * STEP);
  const smaller = (): void => zoomTo(scale / STEP);
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
          scale * Math.exp(-event.deltaY / WHEEL),
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

/** The scale, and a function that changes it around a point of the view, which stays where it is. */
function useScale(
  view: RefObject<HTMLDivElement>,
  width: number
): { scale: number; zoomTo: ZoomTo; keep: () => void } {
  const [scale, setScale] = useState(1);
  const chosen = useRef(false);
  const anchor = useRef<{ x: number; y: number; by: number } | null>(null);

  // Until the user zooms, the picture is as wide as the view, also while it grows.
  useLayoutEffect(() => {
    const room = (view.current?.clientWidth ?? 0) - MARGINS;
    if (room > 0 && !chosen.current) {
      setScale(clamp(room / width, READABLE, 1));
    }
  }, [view, width]);

  useLayoutEffect(() => {
    const node = view.current;
    if (node && anchor.current) {
      const { x, y, by } = anchor.current;
      node.scrollLeft = (node.scrollLeft + x) * by - x;
      node.scrollTop = (node.scrollTop + y) * by - y;
      anchor.current = null;
    }
  }, [view, scale]);

  const zoomTo: ZoomTo = (wanted, x, y) => {
    const next = clamp(wanted, MIN, MAX);
    const { clientWidth = 0, clientHeight = 0 } = view.current ?? {};
    chosen.current = true;
    anchor.current = {
      x: x ?? clientWidth / 2,
      y: y ?? clientHeight / 2,
      by: next / scale
    };
    setScale(next);
  };
  const keep = (): void => {
    chosen.current = true;
  };
  return { scale, zoomTo, keep };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
