import { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Target } from '../store';

/** Scrolls a view, and nothing around it, to what was pinned elsewhere. Previews by the pointer never scroll. */
export function useReveal(pinned: Target | null): RefObject<HTMLDivElement> {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const lit = view.current?.querySelector<HTMLElement>('.jtv-lit');
    if (pinned && view.current && lit) {
      scrollTo(view.current, lit);
    }
  }, [pinned]);
  return view;
}

function scrollTo(view: HTMLElement, item: HTMLElement): void {
  const outer = view.getBoundingClientRect();
  const inner = item.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    view.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

/** Whether a click ends a selection of text, so that it is not meant for the line under it. */
export function selectsText(): boolean {
  return (document.getSelection()?.toString() ?? '') !== '';
}
