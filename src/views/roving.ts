import { useRef, useState } from 'preact/hooks';

export interface Roving {
  /** Which of the items is the one stop in the tab order. */
  readonly active: number;
  /** Makes an item that stop, without moving the focus. */
  readonly setActive: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** To be put on each item. */
  readonly itemRef: (index: number) => (node: Element | null) => void;
}

/** Moves the focus among many items by arrow keys, so that they are one stop in the tab order. */
export function useRoving(
  count: number,
  previous: string,
  next: string,
  start = 0,
  /** Called with the item that a key moved to. */
  moved: (index: number) => void = () => undefined
): Roving {
  const [active, setActive] = useState(start);
  const nodes = useRef(new Map<number, HTMLElement>());
  const bounded = Math.min(active, Math.max(0, count - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      [previous]: bounded - 1,
      [next]: bounded + 1,
      Home: 0,
      End: count - 1
    };
    const to = moves[event.key];
    if (to !== undefined && to >= 0 && to < count) {
      event.preventDefault();
      setActive(to);
      nodes.current.get(to)?.focus();
      moved(to);
    }
  };
  const itemRef = (index: number) => (node: Element | null) => {
    if (node) {
      nodes.current.set(index, node as HTMLElement);
    } else {
      nodes.current.delete(index);
    }
  };
  return { active: bounded, setActive, onKeyDown, itemRef };
}
