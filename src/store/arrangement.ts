import { Signal } from './signal';

export type Column = 'name' | 'traces' | 'hits' | 'compiles' | 'cost';

export interface Sorting {
  readonly by: Column;
  readonly descending: boolean;
}

/** How a person has arranged the panel. Plain data, because the host keeps it from page to page. */
export interface Arrangement {
  /** Names of the sections that are folded. */
  readonly folded: readonly string[];
  readonly sorting: Sorting;
  /** Keys of the functions that stay on top. */
  readonly pinned: readonly string[];
  /** Whether the functions of all recordings are listed, not of the one that is shown. */
  readonly wholeNotebook: boolean;
  /** The view of a trace that is shown. */
  readonly tab: string;
  /** Whether the hint for newcomers was read. */
  readonly hinted: boolean;
  /** Whether keys, signs and words are explained. */
  readonly help: boolean;
}

export const BY_COST: Sorting = { by: 'cost', descending: true };

export const AT_FIRST: Arrangement = {
  folded: ['stack', 'baked-in', 'sessions'],
  sorting: BY_COST,
  pinned: [],
  wholeNotebook: false,
  tab: 'Source',
  hinted: false,
  help: false
};

const COLUMNS: ReadonlySet<unknown> = new Set<Column>([
  'name',
  'traces',
  'hits',
  'compiles',
  'cost'
]);

/** The arrangement of one page, for all views of it. */
export class Arranged {
  readonly changed = new Signal();

  get now(): Arrangement {
    return this._now;
  }

  set(fields: Partial<Arrangement>): void {
    this._now = { ...this._now, ...fields };
    this.changed.emit();
  }

  isOpen(section: string): boolean {
    return !this._now.folded.includes(section);
  }

  toggle(section: string): void {
    this.set({ folded: toggled(this._now.folded, section) });
  }

  pin(key: string): void {
    this.set({ pinned: toggled(this._now.pinned, key) });
  }

  private _now = AT_FIRST;
}

/** Reads what a page kept; a part that another version wrote differently is as at first. */
export function readArrangement(kept: unknown): Arrangement {
  const data = (kept ?? {}) as Record<string, unknown>;
  return {
    folded: texts(data.folded) ?? AT_FIRST.folded,
    sorting: readSorting(data.sorting),
    pinned: texts(data.pinned) ?? [],
    wholeNotebook: data.wholeNotebook === true,
    tab: typeof data.tab === 'string' ? data.tab : AT_FIRST.tab,
    hinted: data.hinted === true,
    help: data.help === true
  };
}

function readSorting(data: unknown): Sorting {
  const { by, descending } = (data ?? {}) as Partial<Sorting>;
  return by !== undefined && COLUMNS.has(by)
    ? { by, descending: descending === true }
    : BY_COST;
}

function texts(data: unknown): string[] | null {
  return Array.isArray(data) && data.every(one => typeof one === 'string')
    ? data
    : null;
}

function toggled(all: readonly string[], one: string): string[] {
  return all.includes(one) ? all.filter(other => other !== one) : [...all, one];
}
