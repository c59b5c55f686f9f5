import { Selection, Target, sameTarget } from './selection';

/** What the user looked at: a session, and what is selected in it. */
export interface Look {
  readonly session: string;
  readonly function: string | null;
  readonly trace: string | null;
  readonly pinned: Target | null;
}

/** Looks that can be gone back to. */
const MOST = 100;

export function lookAt(session: string, selection: Selection): Look {
  const { function: fn, trace, pinned } = selection;
  return { session, function: fn, trace, pinned };
}

/** Reads a look that was kept; null for what makes no sense. */
export function readLook(kept: unknown): Look | null {
  const data = (kept ?? {}) as Partial<Record<keyof Look, unknown>>;
  const { session, function: fn = null, trace = null } = data;
  const isText = (value: unknown): value is string | null =>
    value === null || typeof value === 'string';
  return typeof session === 'string' && isText(fn) && isText(trace)
    ? { session, function: fn, trace, pinned: null }
    : null;
}

export function sameLook(a: Look | null, b: Look | null): boolean {
  return a !== null && b !== null && sameTrace(a, b) && samePinned(a, b);
}

/** Where the user has been, as in a browser: a new look forgets what lies ahead. */
export class History {
  get current(): Look | null {
    return this._looks[this._at] ?? null;
  }

  get canGoBack(): boolean {
    return this._at > 0;
  }

  get canGoForward(): boolean {
    return this._at < this._looks.length - 1;
  }

  /** The user chose this. Other lines of the same trace are no step of their own: the cursor runs through many. */
  push(look: Look): void {
    const { current } = this;
    if (!current || (sameTrace(current, look) && isLine(look))) {
      this.replace(look);
    } else if (!sameLook(current, look)) {
      this._looks = [...this._looks.slice(0, this._at + 1), look].slice(-MOST);
      this._at = this._looks.length - 1;
    }
  }

  /** What is shown became another by itself. */
  replace(look: Look): void {
    this._at = Math.max(0, this._at);
    this._looks = [...this._looks.slice(0, this._at), look];
  }

  back(): Look | null {
    return this._go(-1);
  }

  forward(): Look | null {
    return this._go(1);
  }

  /** Forgets the looks that cannot be gone back to any more. */
  keep(holds: (look: Look) => boolean): void {
    const { current } = this;
    this._looks = this._looks.filter(look => look === current || holds(look));
    this._at = current ? this._looks.indexOf(current) : -1;
  }

  private _go(step: number): Look | null {
    const look = this._looks[this._at + step];
    if (look) {
      this._at += step;
    }
    return look ?? null;
  }

  private _looks: readonly Look[] = [];
  private _at = -1;
}

function sameTrace(a: Look, b: Look): boolean {
  return (
    a.session === b.session && a.function === b.function && a.trace === b.trace
  );
}

function samePinned(a: Look, b: Look): boolean {
  return sameTarget(a.pinned, b.pinned);
}

function isLine({ pinned }: Look): boolean {
  return pinned?.box === null;
}
