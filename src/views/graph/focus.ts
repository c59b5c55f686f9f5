import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { drawnId, findDrawn } from './box';

/**
 * Keeps the focus on a box when the picture changes around it. A box that is opened, closed or put into another order is
 * taken out of the page and put back in, and loses the focus by that.
 */
export function useKeepFocus(svg: RefObject<SVGSVGElement>): {
  onFocusIn: (event: FocusEvent) => void;
  onFocusOut: () => void;
} {
  const focused = useRef<string | null>(null);
  const drawing = useRef(false);
  drawing.current = true;
  useLayoutEffect(() => {
    drawing.current = false;
    const box = focused.current && findDrawn(svg.current, focused.current);
    const root = svg.current?.getRootNode() as DocumentOrShadowRoot | undefined;
    if (box && !svg.current?.contains(root?.activeElement ?? null)) {
      box.focus({ preventScroll: true });
    }
  });
  return {
    onFocusIn: ({ target }) => {
      const drawn = (target as Element).closest<SVGElement>(
        '[data-box],[data-edge]'
      );
      focused.current = drawn && drawnId(drawn);
    },
    onFocusOut: () => {
      if (!drawing.current) {
        focused.current = null;
      }
    }
  };
}
