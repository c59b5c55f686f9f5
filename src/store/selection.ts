import type { Place } from '../protocol';
import { Signal } from './signal';

/** What is lit up in all views at once: a graph's box with the lines it came from, or lines of source alone. */
export interface Target {
  readonly trace: string | null;
  /** The id of a box, or of a drawn line between two. */
  readonly box: string | null;
  readonly places: readonly Place[];
}

/**
 * What the user looks at in one session, shared by every view of it. Which function and trace are shown; and a target,
 * that a click pins and the pointer only previews.
 */
export class Selection {
  readonly changed = new Signal();

  get function(): string | null {
    return this._function;
  }

  get trace(): string | null {
    return this._trace;
  }

  get pinned(): Target | null {
    return this._pinned;
  }

  /** The target to light up. */
  get target(): Target | null {
    return this._hovered ?? this._pinned;
  }

  /** Shows a function, and one of its traces or else its newest. */
  show(functionId: string, trace: string | null): void {
    if (this._function !== functionId || this._trace !== trace) {
      this._function = functionId;
      this._trace = trace;
      this._pinned = null;
      this._hovered = null;
      this.changed.emit();
    }
  }

  /** Shows again what was shown before. */
  restore(
    functionId: string | null,
    trace: string | null,
    pinned: Target | null
  ): void {
    this._function = functionId;
    this._trace = trace;
    this._pinned = pinned;
    this._hovered = null;
    this.changed.emit();
  }

  /** How often it was asked why; whoever shows the answer looks whether that grew. */
  get whyAsked(): number {
    return this._whyAsked;
  }

  /** Shows a trace and asks for its why card. */
  askWhy(functionId: string, trace: string | null): void {
    this.show(functionId, trace);
    this._whyAsked += 1;
    this.changed.emit();
  }

  /** Pins a target, or unpins it when it is pinned already. */
  toggle(target: Target): void {
    this.pin(sameTarget(this._pinned, target) ? null : target);
  }

  /** Pins a target in place of the one that is pinned, or none. */
  pin(target: Target | null): void {
    if (this._hovered || !sameTarget(this._pinned, target)) {
      this._pinned = target;
      this._hovered = null;
      this.changed.emit();
    }
  }

  hover(target: Target | null): void {
    if (!sameTarget(this._hovered, target)) {
      this._hovered = target;
      this.changed.emit();
    }
  }

  /** @returns whether there was a target to let go. */
  clear(): boolean {
    if (!this.target) {
      return false;
    }
    this._pinned = null;
    this._hovered = null;
    this.changed.emit();
    return true;
  }

  private _function: string | null = null;
  private _trace: string | null = null;
  private _pinned: Target | null = null;
  private _hovered: Target | null = null;
  private _whyAsked = 0;
}

export function samePlace(a: Place, b: Place): boolean {
  return a.line === b.line && a.file === b.file;
}

export function lightsPlace(target: Target | null, place: Place): boolean {
  return target?.places.some(p => samePlace(p, place)) ?? false;
}

export function sameTarget(a: Target | null, b: Target | null): boolean {
  return (
    a === b ||
    (a !== null &&
      b !== null &&
      a.trace === b.trace &&
      a.box === b.box &&
      a.places.length === b.places.length &&
      a.places.every(place => lightsPlace(b, place)))
  );
}
