import { RanCode, addTo, checksum } from '../../../model';
import type { Cell } from '../../../protocol';
import type { Session, SessionStore } from '../../../store';

/** The part of `ISharedNotebook` that is needed here. */
export interface NotebookCells {
  readonly cells: readonly {
    readonly id: string;
    getSource(): unknown;
  }[];
}

interface Entry {
  readonly session: Session;
  readonly cell: Cell;
}

const NONE: readonly Entry[] = [];

/**
 * Which sessions ran the code of which cell of a notebook.
 *
 * A cell is found by its id. File names would not do: ipykernel's is a hash of the text, the same for two cells with the
 * same text. Where an id is not known (the cell ran before the kernel loaded us, or the notebook was copied), the only
 * cell with that text is meant.
 */
export class NotebookCode {
  constructor(
    private readonly _store: SessionStore,
    private readonly _notebook: NotebookCells
  ) {}

  /**
   * @param id - of the cell.
   * @param text - what it holds now.
   * @returns the sessions in which just this text ran, the newest last.
   */
  ranIn(id: string, text: () => string): RanCode[] {
    const own = this._entries(id, text);
    const sum = own.length > 0 ? this._checksum(text()) : null;
    return own
      .filter(({ cell }) => cell.checksum === sum)
      .map(({ session, cell }) => ({ session, file: cell.file ?? '' }));
  }

  /** The session that recorded a cell last, whatever the cell holds now. */
  lastRun(id: string, text: () => string): Session | null {
    const own = this._entries(id, text).filter(
      ({ session, cell }) => session.recording.newest.cell === cell
    );
    return own[own.length - 1]?.session ?? null;
  }

  private _entries(id: string, text: () => string): readonly Entry[] {
    this._look();
    const own = this._byCell.get(id) ?? NONE;
    if (this._strays.length === 0) {
      return own;
    }
    const now = text();
    const sum = this._checksum(now);
    const strays = this._strays.filter(({ cell }) => cell.checksum === sum);
    const begin = ({ session }: Entry): number =>
      session.recording.newest.started_at;
    return strays.length === 0 || !this._isOnly(now)
      ? own
      : [...own, ...strays].sort((a, b) => begin(a) - begin(b));
  }

  /** Sorts the sessions by cell, once for all editors. */
  private _look(): void {
    const { sessions } = this._store;
    if (sessions === this._seen) {
      return;
    }
    this._seen = sessions;
    this._byCell.clear();
    this._strays = [];
    const ids = new Set(this._notebook.cells.map(({ id }) => id));
    for (const session of sessions) {
      const { cell: recorded, cells } = session.recording.newest;
      for (const cell of [recorded, ...cells]) {
        const entry = { session, cell };
        if (ids.has(cell.id)) {
          addTo(this._byCell, cell.id, entry);
        } else {
          this._strays.push(entry);
        }
      }
    }
  }

  private _isOnly(text: string): boolean {
    const same = this._notebook.cells.filter(cell => cell.getSource() === text);
    return same.length === 1;
  }

  /** Many editors ask again and again about texts that stay as they are. */
  private _checksum(text: string): number {
    const known = this._checksums.get(text) ?? checksum(text);
    if (this._checksums.size > MOST_CHECKSUMS) {
      this._checksums.clear();
    }
    this._checksums.set(text, known);
    return known;
  }

  private _seen: readonly Session[] | null = null;
  private readonly _byCell = new Map<string, Entry[]>();
  private _strays: Entry[] = [];
  private readonly _checksums = new Map<string, number>();
}

const MOST_CHECKSUMS = 1000;
