import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Box, Graph } from '../../protocol';
import { findDrawn } from './box';
import { sheetOf } from './sheet';

const ASIDE = 'jtv-minimap-aside';
/** So much of a selected box may lie below the map. */
const MOST_HIDDEN = 0.2;

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
    const node = kept.current && findDrawn(view.current, kept.current.id);
    if (node && kept.current && view.current) {
      moveTo(view.current, node, kept.current);
    }
    kept.current = null;
  }, [view, graph]);
  return box => {
    const node = findDrawn(view.current, box.id);
    kept.current = node && { id: box.id, ...cornerOf(node) };
  };
}

/** Scrolls to a box that was selected, if it is out of sight; the page only where the box was asked for here. */
export function useRevealBox(
  view: RefObject<HTMLDivElement>,
  box: string | null
): void {
  useEffect(() => {
    const node = box && findDrawn(view.current, box);
    if (node && view.current) {
      const outer = view.current.getBoundingClientRect();
      const inner = node.getBoundingClientRect();
      if (inner.bottom < outer.top || inner.top > outer.bottom) {
        view.current.scrollTop += inner.top - outer.top - outer.height / 3;
      }
      if (inner.right < outer.left || inner.left > outer.right) {
        view.current.scrollLeft += inner.left - outer.left - outer.width / 3;
      }
      // Who works elsewhere, in the panel or in an editor, wants the page to stay.
      if (view.current.closest('.jtv-graph-view:focus-within')) {
        node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      uncover(view.current, node);
    }
  }, [view, box]);
}

/** Moves the map of the picture to the other corner if it hides much of a box. */
function uncover(view: HTMLElement, node: Element): void {
  const map = view.parentElement?.querySelector('.jtv-minimap');
  if (map) {
    map.classList.remove(ASIDE);
    const [box, over] = [
      node.getBoundingClientRect(),
      map.getBoundingClientRect()
    ];
    const width =
      Math.min(box.right, over.right) - Math.max(box.left, over.left);
    const height =
      Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top);
    const hidden = Math.max(0, width) * Math.max(0, height);
    map.classList.toggle(ASIDE, hidden > box.width * box.height * MOST_HIDDEN);
  }
}

/** Scrolls until a box is where it was; where there is nothing to scroll over, the picture gets a margin. */
function moveTo(
  view: HTMLElement,
  node: SVGElement,
  to: { left: number; top: number }
): void {
  const scroll = (): { right: number; down: number } => {
    const { left, top } = cornerOf(node);
    view.scrollLeft += left - to.left;
    view.scrollTop += top - to.top;
    const after = cornerOf(node);
    return { right: to.left - after.left, down: to.top - after.top };
  };
  const sheet = sheetOf(view);
  const { right, down } = scroll();
  if (sheet && Math.abs(right) + Math.abs(down) > 1) {
    const now = getComputedStyle(sheet);
    const wider = (side: string, by: number): string =>
      `${(parseFloat(side) || 0) + Math.max(0, by)}px`;
    sheet.style.margin = `${wider(now.marginTop, down)} 0 ${wider(now.marginBottom, -down)} ${wider(now.marginLeft, right)}`;
    // A margin on the right would not count as something to scroll over.
    sheet.style.borderRight = `${wider(now.borderRightWidth, -right)} solid transparent`;
    scroll();
  }
}

/** Takes back the margins that keeping a box in its place has made. */
export function centre(view: HTMLElement | null): void {
  const style = view && sheetOf(view)?.style;
  style?.removeProperty('margin');
  style?.removeProperty('border-right');
}

function cornerOf(node: Element): { left: number; top: number } {
  const { left, top } = node.getBoundingClientRect();
  return { left, top };
}
