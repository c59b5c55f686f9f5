import type { IStateDB } from '@jupyterlab/statedb';
import type { ReadonlyPartialJSONValue } from '@lumino/coreutils';
import {
  Arranged,
  Look,
  SessionStore,
  readArrangement,
  readLook,
  sameLook
} from '../../store';

const ARRANGEMENT = 'jax-trace-viz:arrangement';
const LOOKS = 'jax-trace-viz:looks';

/** Notebooks of which it is known what was looked at. */
const MOST = 50;

/** Has the panel arranged as in the page before. */
export async function remember(
  state: IStateDB,
  arranged: Arranged
): Promise<void> {
  const kept = await state.fetch(ARRANGEMENT);
  if (kept !== undefined) {
    arranged.set(readArrangement(kept));
  }
  arranged.changed.subscribe(() => {
    void state.save(ARRANGEMENT, plain(arranged.now));
  });
}

/** What was looked at in each notebook, in this page and in those before. */
export class Looks {
  constructor(private readonly _state: IStateDB) {
    this._ready = this._read();
  }

  /** Shows in a notebook what was shown there before, and follows it from then on. */
  async follow(path: string, store: SessionStore): Promise<void> {
    await this._ready;
    const before = this._looks.get(path);
    if (before) {
      store.wish(before);
    }
    const note = (): void => {
      const { look } = store.viewing;
      if (look && !sameLook(look, this._looks.get(path) ?? null)) {
        this._looks.delete(path);
        this._looks.set(path, look);
        this._save();
      }
    };
    store.selectionChanged.subscribe(note);
    store.changed.subscribe(note);
  }

  private async _read(): Promise<void> {
    const kept = await this._state.fetch(LOOKS);
    for (const entry of Array.isArray(kept) ? kept : []) {
      const [path, look] = (Array.isArray(entry) ? entry : []) as unknown[];
      const known = readLook(look);
      if (typeof path === 'string' && known) {
        this._looks.set(path, known);
      }
    }
  }

  private _save(): void {
    this._looks = new Map([...this._looks].slice(-MOST));
    void this._state.save(
      LOOKS,
      plain([...this._looks].map(([path, look]) => [path, unpinned(look)]))
    );
  }

  private _looks = new Map<string, Look>();
  private readonly _ready: Promise<void>;
}

/** What is pinned is not kept: the pointer has moved on. */
function unpinned(look: Look): Look {
  return { ...look, pinned: null };
}

function plain(value: unknown): ReadonlyPartialJSONValue {
  return JSON.parse(JSON.stringify(value)) as ReadonlyPartialJSONValue;
}
