import {
  Graph,
  Hello,
  JaxprDiff,
  Trace,
  Update,
  otherVersionOf
} from '../protocol';
import { Connection, ConnectionStatus, NO_KERNEL, UNKNOWN } from './connection';
import type { Look } from './history';
import { hasGap, merge } from './recording';
import { Selection } from './selection';
import { Drawing, Picture, Session, find } from './session';
import { Signal } from './signal';
import { Viewing } from './viewing';

/** Sessions kept per notebook; a view keeps what it shows even when its session is let go here. */
const MAX_SESSIONS = 200;

/** All sessions that one notebook knows, from its file and from its kernel. */
export class SessionStore {
  /** Sessions came or went on, or the connection changed. */
  readonly changed = new Signal();

  /** A session came or was let go: what leads from one to another may have changed. */
  readonly cameOrWent = new Signal();

  /** What the user asked for and waits for has come; `changed` tells it too. */
  readonly answered = new Signal();

  /** The selection of some session changed. */
  readonly selectionChanged = new Signal();

  /** What the user looks at, and has looked at. */
  readonly viewing = new Viewing(() => this.sessions);

  get connection(): Connection {
    return this._connection;
  }

  /** In order of their beginning; while the view is paused, as they were when that began. */
  get sessions(): readonly Session[] {
    return this._held ?? this._sessions;
  }

  get newest(): Session | null {
    return this.sessions[this.sessions.length - 1] ?? null;
  }

  /** What a view of the whole notebook shows: the session chosen, as long as none began after that, or the newest. */
  get shown(): Session | null {
    return this.viewing.shown;
  }

  /** Shows a session in views of the whole notebook. */
  show(id: string): void {
    if (this.viewing.show(id)) {
      this.changed.emit();
    }
  }

  /** Shows a function's trace there, or its newest, as one step to go back from. */
  showTrace(session: Session, fn: string, trace: string | null): void {
    // First: what is selected in what is not shown yet is no step of its own.
    session.selection.show(fn, trace);
    this.show(session.id);
  }

  /** Shows why a trace happened, as one step to go back from. */
  showWhy(session: Session, trace: Trace): void {
    this.showTrace(session, trace.function, trace.id);
    session.selection.askWhy(trace.function, trace.id);
  }

  session(id: string): Session | null {
    return find(this.sessions, id);
  }

  /** As far as it has come, though the view may be paused. */
  latest(id: string): Session | null {
    return find(this._sessions, id);
  }

  get isPaused(): boolean {
    return this._held !== null;
  }

  /** Whether something came while the view was paused. */
  get hasWaiting(): boolean {
    return this._held !== null && this._held !== this._sessions;
  }

  /** Lets the views stand still, while what is recorded is kept as ever. */
  pause(on: boolean): void {
    this._held = on ? (this._held ?? this._sessions) : null;
    this.changed.emit();
  }

  /** Forgets what has ended. Cells keep their outputs, and the kernel what it holds. */
  clear(): void {
    for (const { id, recording, cutOff } of this._sessions) {
      if (cutOff || recording.newest.state !== 'running') {
        this._cleared.add(id);
      }
    }
    this._sessions = this._sessions.filter(({ id }) => !this._cleared.has(id));
    this._held &&= this._sessions;
    this.viewing.forget(id => this._cleared.has(id));
    this.cameOrWent.emit();
    this.changed.emit();
  }

  /** Goes back in the history of what the user looked at, or forward. */
  go(way: 'back' | 'forward'): void {
    if (this.viewing.go(way)) {
      this.changed.emit();
    }
  }

  /** Shows what was looked at in another page, as soon as its session is known. */
  wish(look: Look): void {
    this.viewing.wish(look);
    this.changed.emit();
  }

  /** The session that counts for a cell: the one that began last. */
  ofCell(cell: string): Session | null {
    const own = this.sessions.filter(
      session => session.recording.newest.cell.id === cell
    );
    return own[own.length - 1] ?? null;
  }

  /** @param origin - where the update was read; what a notebook holds may be left over from a kernel long gone. */
  put(update: Update, origin: 'kernel' | 'notebook'): Session {
    const before = this.latest(update.session);
    if (before && origin === 'notebook' && knows(before, update)) {
      return before;
    }
    const session: Session = {
      id: update.session,
      recording: merge(before?.recording ?? null, update),
      selection: before?.selection ?? this._newSelection(update.session),
      openedGraphs: before?.openedGraphs ?? new Map(),
      pictures: before?.pictures ?? new Map(),
      diffs: before?.diffs ?? new Map(),
      cutOff: origin === 'notebook' && (before?.cutOff ?? this._noKernel)
    };
    if (this._cleared.has(session.id)) {
      return session;
    }
    const others = this._sessions.filter(s => s !== before);
    this._keep([...others, session]);
    if (!before) {
      this.viewing.begin(session.id, origin === 'kernel' && !this._greeting);
      this.cameOrWent.emit();
    }
    this.changed.emit();
    return session;
  }

  /** @param exhaustive - whether the kernel told every session it still holds, so that it has forgotten all others. */
  greet(hello: Hello, exhaustive: boolean): void {
    this._connection = {
      status: 'connected',
      recording: hello.recording,
      otherVersion: otherVersionOf(hello, true),
      late: this._connection.late
    };
    const held = new Set(hello.updates.map(update => update.session));
    this._cutOff(session => exhaustive && !held.has(session.id));
    this._greeting = true;
    for (const update of hello.updates) {
      this.put(update, 'kernel');
    }
    this._greeting = false;
    this.changed.emit();
  }

  /** The kernel is new, gone or silent. */
  setStatus(status: ConnectionStatus): void {
    this._connection =
      status === 'connected'
        ? { ...this._connection, status }
        : { ...UNKNOWN, status };
    if (this._noKernel) {
      this._cutOff(() => true);
    }
    this.changed.emit();
  }

  /** The kernel's package speaks a form that we cannot read. */
  refuse(hello: unknown): void {
    const otherVersion = otherVersionOf(hello, false);
    this._connection = { ...UNKNOWN, status: 'unreadable', otherVersion };
    this.changed.emit();
  }

  /** @param late - whether the kernel is busy with a cell and answers nothing until that ends. */
  setLate(late: boolean): void {
    if (late !== this._connection.late) {
      this._connection = { ...this._connection, late };
      this.changed.emit();
    }
  }

  /** What was running ended with its kernel; whether the next one loads us is not known. */
  kernelRestarted(): void {
    this._cutOff(() => true);
    this.setStatus('asking');
  }

  /** Sessions of which an update got lost that the kernel can repeat. */
  incomplete(): string[] {
    return this._sessions
      .filter(session => !session.cutOff && hasGap(session.recording))
      .map(session => session.id);
  }

  /** Shows a trace's graph as it was asked for. */
  openGraph(id: string, graph: Graph, drawing: Drawing): void {
    this._amend(id, ({ openedGraphs }) => ({
      openedGraphs: new Map(openedGraphs).set(graph.trace, { graph, drawing })
    }));
  }

  /** Keeps the picture of a trace that was asked for. */
  addPicture(id: string, trace: string, picture: Picture): void {
    this._amend(id, ({ pictures }) => ({
      pictures: new Map(pictures).set(trace, picture)
    }));
  }

  /** Keeps a comparison that was asked for. */
  addDiff(id: string, diff: JaxprDiff): void {
    this._amend(id, ({ diffs }) => ({
      diffs: new Map(diffs).set(diff.after, diff)
    }));
  }

  /** Whether it is sure that no kernel goes on with what was recorded. */
  private get _noKernel(): boolean {
    return NO_KERNEL.has(this._connection.status);
  }

  private _newSelection(id: string): Selection {
    const selection = new Selection();
    selection.changed.subscribe(() => {
      this.viewing.note(id);
      this.selectionChanged.emit();
    });
    return selection;
  }

  private _amend(id: string, fields: (session: Session) => Partial<Session>) {
    const amended = (sessions: readonly Session[]): readonly Session[] =>
      sessions.map(s => (s.id === id ? { ...s, ...fields(s) } : s));
    if (this.latest(id)) {
      const isSame = this._held === this._sessions;
      this._sessions = amended(this._sessions);
      this._held &&= isSame ? this._sessions : amended(this._held);
      this.answered.emit();
      this.changed.emit();
    }
  }

  private _keep(sessions: Session[]): void {
    const begin = (s: Session): number => s.recording.newest.started_at;
    this._sessions = sessions
      .sort((a, b) => begin(a) - begin(b))
      .slice(-MAX_SESSIONS);
  }

  private _cutOff(lost: (session: Session) => boolean): void {
    this._sessions = this._sessions.map(session =>
      lost(session) && !session.cutOff ? { ...session, cutOff: true } : session
    );
  }

  private _connection = UNKNOWN;
  private _greeting = false;
  private _sessions: readonly Session[] = [];
  private _held: readonly Session[] | null = null;
  private readonly _cleared = new Set<string>();
}

/** Whether all that an update tells has been told. */
function knows({ recording }: Session, { number }: Update): boolean {
  return recording.newest.number >= number && !hasGap(recording);
}
