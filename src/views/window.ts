import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';

/** Lists up to this long are drawn whole, so that the browser's own search finds everything. */
const WHOLE = 500;
const MARGIN = 40;

/** Which of many lines of equal height are near the visible part of a scrolled view. */
export function useWindow(
  view: RefObject<HTMLElement>,
  count: number,
  lineHeight: number
): { first: number; last: number; onScroll: () => void } {
  const [top, setTop] = useState(0);
  const onScroll = (): void => {
    const line = Math.floor((view.current?.scrollTop ?? 0) / lineHeight);
    if (count > WHOLE && Math.abs(line - top) > MARGIN / 2) {
      setTop(line);
    }
  };
  if (count <= WHOLE) {
    return { first: 0, last: count, onScroll };
  }
  const visible = Math.ceil((view.current?.clientHeight ?? 480) / lineHeight);
  return {
    first: Math.max(0, Math.min(top, count) - MARGIN),
    last: Math.min(count, top + visible + MARGIN),
    onScroll
  };
}
