import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Box, Graph } from '../../protocol';
import { findBox } from './box';

/**
 * Keeps a box where it is on the screen while the picture around it changes.
 *
 * @returns a function to be called with the box before the change.
 */
export function useSteadyBox(
  view: RefObject<HTMLDivElement>,
  graph: Graph
): (box: Box) => void {
  const kept = useRef<{ id: string; left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const node = kept.current && findBox(view.current, kept.current.id);
    if (node && kept.current && view.current) {
      const { left, top } = cornerOf(node);
      view.current.scrollLeft += left - kept.current.left;
      view.current.scrollTop += top - kept.current.top;
    }
    kept.current = null;
  }, [view, graph]);
  return box => {
    const node = findBox(view.current, box.id);
    kept.current = node && { id: box.id, ...cornerOf(node) };
  };
}

/** Scrolls to a box that was selected, if it is out of sight, and nothing around the view. */
export function useRevealBox(
  view: RefObject<HTMLDivElement>,
  box: string | null
): void {
  useEffect(() => {
    const node = box && findBox(view.current, box);
    if (node && view.current) {
      const outer = view.current.getBoundingClientRect();
      const inner = node.getBoundingClientRect();
      if (inner.bottom < outer.top || inner.top > outer.bottom) {
        view.current.scrollTop += inner.top - outer.top - outer.height / 3;
      }
      if (inner.right < outer.left || inner.left > outer.right) {
        view.current.scrollLeft += inner.left - outer.left - outer.width / 3;
      }
    }
  }, [view, box]);
}

function cornerOf(node: Element): { left: number; top: number } {
  const { left, top } = node.getBoundingClientRect();
  return { left, top };
}
