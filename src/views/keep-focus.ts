import type { Unsubscribe } from '../store';

type Focusable = HTMLElement | SVGElement;

/**
 * Keeps the focus within a view. When what had it is replaced or cannot be used any more, it would fall to the page, where
 * no key of ours is heard: it goes to what stands around that instead, and back when it can be used again.
 */
export function keepFocus(node: HTMLElement): Unsubscribe {
  let held: readonly Focusable[] = [];
  let moved: { readonly from: Focusable; readonly to: Focusable } | null = null;
  const onFocusIn = ({ target }: FocusEvent): void => {
    held = around(target as Focusable, node);
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget) {
      held = []; // it is on its way, whatever goes from the page meanwhile
      return;
    }
    const left = held;
    // In some browsers, what is taken out of the page loses the focus while it still stands there.
    queueMicrotask(() => {
      if (left === held && left.slice(0, 1).some(canHaveFocus)) {
        held = [];
      }
    });
  };
  const follow = (): void => {
    const focused = focusedBeside(node);
    const [from] = held;
    const to = held.find(canHaveFocus);
    if (from && to && from !== to) {
      held = [];
      if (focused === null || focused === from) {
        giveFocus(to);
        moved = { from, to };
      }
    } else if (moved && focused !== moved.to) {
      moved = null;
    } else if (moved && canHaveFocus(moved.from)) {
      giveFocus(moved.from);
    }
  };
  const observer = new MutationObserver(follow);
  observer.observe(node, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled']
  });
  node.addEventListener('focusin', onFocusIn);
  // Before any other: a view may take away what is left while the focus is on its way.
  node.addEventListener('focusout', onFocusOut, { capture: true });
  return () => {
    observer.disconnect();
    node.removeEventListener('focusin', onFocusIn);
    node.removeEventListener('focusout', onFocusOut, { capture: true });
  };
}

/** Focuses something that keys do not lead to by themselves, too. */
export function giveFocus(element: Focusable): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.setAttribute('tabindex', '-1');
    const restore = (): void => element.removeAttribute('tabindex');
    element.addEventListener('blur', restore, { once: true });
  }
  element.focus({ preventScroll: true });
}

/** What has the focus in the page or the shadow tree of a node; null where nothing has. */
export function focusedBeside(node: Element): Focusable | null {
  const { activeElement } = node.getRootNode() as Document | ShadowRoot;
  return activeElement === document.body
    ? null
    : (activeElement as Focusable | null);
}

export function canHaveFocus(element: Focusable): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** An element and those that hold it, up to a view's own. */
function around(element: Focusable, node: HTMLElement): Focusable[] {
  const found: Focusable[] = [];
  for (
    let at: Focusable | null = element;
    at && node.contains(at);
    at = at.parentElement
  ) {
    found.push(at);
  }
  return found;
}
