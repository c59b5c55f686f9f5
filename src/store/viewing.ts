import { History, Look, lookAt, sameLook } from './history';
import { Session, find } from './session';

function unselected(session: string): Look {
  return { session, function: null, trace: null, pinned: null };
}

/** What the user looks at among a notebook's sessions, and what was looked at before. */
export class Viewing {
  /** @param _sessions - those that can be looked at, in order of their beginning. */
  constructor(private readonly _sessions: () => readonly Session[]) {}

  readonly history = new History();

  /** The session chosen, or the newest. */
  get shown(): Session | null {
    const sessions = this._sessions();
    return (
      find(sessions, this._chosen) ?? sessions[sessions.length - 1] ?? null
    );
  }

  /** What is looked at, for another page to go on with. */
  get look(): Look | null {
    const { shown } = this;
    return shown && lookAt(shown.id, shown.selection);
  }

  /** @returns whether another session is shown now. */
  show(id: string): boolean {
    const { look } = this;
    if (look?.session === id || !find(this._sessions(), id)) {
      return false;
    }
    if (look && this.history.current?.session !== look.session) {
      this.history.push(look);
    }
    this._choose(id);
    if (this.look) {
      this.history.push(this.look);
    }
    return true;
  }

  /**
   * A session is new here.
   *
   * @param begins - whether it begins now, so that it is shown; else what was looked at in another page comes first.
   */
  begin(id: string, begins: boolean): void {
    if (begins) {
      this._wish = null;
    }
    if (!this._wish) {
      this._chosen = '';
      this._noteNew();
    } else if (this._wish.session === id) {
      this._restore(this._wish);
    }
  }

  /** The selection in a session may have changed. */
  note(id: string): void {
    const { look } = this;
    if (look?.session !== id || sameLook(this.history.current, look)) {
      return;
    }
    if (this.history.current?.session !== id) {
      // It came to be shown by itself, and this is the first that was selected in it.
      this.history.push(unselected(id));
    }
    this.history.push(look);
  }

  /** @returns whether there was a way. */
  go(way: 'back' | 'forward'): boolean {
    const look = way === 'back' ? this.history.back() : this.history.forward();
    if (look) {
      this._restore(look);
    }
    return look !== null;
  }

  wish(look: Look): void {
    this._wish = look;
    this._restore(look);
  }

  forget(isGone: (session: string) => boolean): void {
    this.history.keep(({ session }) => !isGone(session));
  }

  /** A session that is shown by itself is a step, but for those that nobody looked into meanwhile. */
  private _noteNew(): void {
    const { look, history } = this;
    const { current } = history;
    if (look && current && sameLook(current, unselected(current.session))) {
      history.replace(look);
    } else if (look && current) {
      history.push(look);
    }
  }

  private _choose(id: string): void {
    this._chosen = id;
    this._wish = null;
  }

  private _restore(look: Look): void {
    const session = find(this._sessions(), look.session);
    if (session) {
      this._chosen = look.session;
      if (!sameLook(this.history.current, look)) {
        this.history.replace(look);
      }
      session.selection.restore(look.function, look.trace, look.pinned);
    }
  }

  private _chosen = '';
  private _wish: Look | null = null;
}
