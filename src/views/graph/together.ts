import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** One of several views that show parts of their pictures in the same size and at the same place. */
interface Member {
  readonly view: HTMLElement;
  readonly scaleTo: (scale: number) => void;
}

/** Views that are zoomed and moved as one. */
export class Together {
  /** @returns a function that takes the view out again. */
  join(member: Member): () => void {
    const follow = (): void => this._scrolled(member.view);
    this._members.add(member);
    member.view.addEventListener('scroll', follow, { passive: true });
    return () => {
      this._members.delete(member);
      member.view.removeEventListener('scroll', follow);
    };
  }

  /** A view was zoomed: so are the others, and they show the same part again. */
  zoomed(view: HTMLElement, scale: number): void {
    for (const member of this._others(view)) {
      member.scaleTo(scale);
    }
    this._move(view);
  }

  private _scrolled(view: HTMLElement): void {
    // A shorter picture stops at its end; that must not draw the longer one back.
    if (!this._moved.delete(view)) {
      this._move(view);
    }
  }

  private _move(view: HTMLElement): void {
    for (const { view: other } of this._others(view)) {
      const { scrollLeft, scrollTop } = other;
      other.scrollLeft = view.scrollLeft;
      other.scrollTop = view.scrollTop;
      if (other.scrollLeft !== scrollLeft || other.scrollTop !== scrollTop) {
        this._moved.add(other);
      }
    }
  }

  private _others(view: HTMLElement): Member[] {
    return [...this._members].filter(member => member.view !== view);
  }

  private readonly _members = new Set<Member>();
  /** Views that were moved along and have not told yet. */
  private readonly _moved = new Set<HTMLElement>();
}

/** Joins a view for as long as it is there. */
export function useTogether(
  together: Together | null,
  view: RefObject<HTMLElement>,
  scaleTo: (scale: number) => void
): void {
  const latest = useRef(scaleTo);
  latest.current = scaleTo;
  useLayoutEffect(
    () =>
      together && view.current
        ? together.join({
            view: view.current,
            scaleTo: scale => latest.current(scale)
          })
        : undefined,
    [together, view]
  );
}
