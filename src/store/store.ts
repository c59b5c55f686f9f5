import {
  FunctionRecord,
  Graph,
  Hello,
  JaxprDiff,
  Listing,
  Update,
  otherVersionOf
} from '../protocol';
import { Connection, ConnectionStatus, NO_KERNEL, UNKNOWN } from './connection';
import { Recording, hasGap, merge } from './recording';
import { Selection } from './selection';
import { Signal } from './signal';

/** Sessions kept per notebook; a view keeps what it shows even when its session is let go here. */
const MAX_SESSIONS = 200;

/** One recorded cell (or stretch of a program) and what the user looks at in it. */
export interface Session {
  readonly id: string;
  readonly recording: Recording;
  readonly selection: Selection;
  /** By trace; they stand in for the recording's own graphs. */
  readonly openedGraphs: ReadonlyMap<string, OpenedGraph>;
  /** By trace: what was asked for because the recording holds no picture of it. */
  readonly pictures: ReadonlyMap<string, Picture>;
  /** By trace: what became of the equations since the trace it was compared with. */
  readonly diffs: ReadonlyMap<string, JaxprDiff>;
  /** Whether its kernel has forgotten it: if it says that it is running, it never ends. */
  readonly cutOff: boolean;
}

/** How a graph is to be drawn, in the form of a `Request`. */
export interface Drawing {
  readonly boxes: readonly string[];
  /** Whether with what XLA made of the equations. */
  readonly overlay: boolean;
  /** The trace whose equations it is to be compared with. */
  readonly other: string | null;
}

/** As the kernel draws it unasked. */
export const DEFAULT_DRAWING: Drawing = {
  boxes: [],
  overlay: false,
  other: null
};

/** A graph that was asked for, because it is drawn otherwise than by default. */
export interface OpenedGraph {
  readonly graph: Graph;
  readonly drawing: Drawing;
}

/** What the tabs Graph and Jaxpr show of a trace, as far as the kernel could make it. */
export interface Picture {
  readonly graph: Graph | null;
  readonly listing: Listing | null;
}

/** All sessions that one notebook knows, from its file and from its kernel. */
export class SessionStore {
  /** Sessions came or went on, or the connection changed. */
  readonly changed = new Signal();

  /** What the user asked for has come, and he waits for it; `changed` tells it too. */
  readonly answered = new Signal();

  /** The selection of some session changed. */
  readonly selectionChanged = new Signal();

  get connection(): Connection {
    return this._connection;
  }

  /** In order of their beginning. */
  get sessions(): readonly Session[] {
    return this._sessions;
  }

  get newest(): Session | null {
    return this._sessions[this._sessions.length - 1] ?? null;
  }

  /** What a view of the whole notebook shows: the session chosen, as long as none began after that, or the newest. */
  get shown(): Session | null {
    return this.session(this._chosen) ?? this.newest;
  }

  /** Shows a session in views of the whole notebook. */
  show(id: string): void {
    if (this.shown?.id !== id) {
      this._chosen = id;
      this.changed.emit();
    }
  }

  session(id: string): Session | null {
    return this._sessions.find(session => session.id === id) ?? null;
  }

  /** The newest earlier session that traced what a session only called; null if that one traced too, or it is not known. */
  tracedBefore(session: Session): Session | null {
    const { newest, functions } = session.recording;
    const called = functions.records.filter(
      fn => fn.origin === 'user' && fn.calls > 0
    );
    if (newest.state === 'running' || called.some(fn => fn.traces > 0)) {
      return null;
    }
    const before = this._sessions.slice(0, this._sessions.indexOf(session));
    const traced = before.filter(({ recording }) =>
      recording.functions.records.some(
        fn => fn.traces > 0 && called.some(other => isSameCode(fn, other))
      )
    );
    return traced[traced.length - 1] ?? null;
  }

  /** The session that counts for a cell: the one that began last. */
  ofCell(cell: string): Session | null {
    const own = this._sessions.filter(
      session => session.recording.newest.cell.id === cell
    );
    return own[own.length - 1] ?? null;
  }

  /** @param origin - where the update was read; what a notebook holds may be left over from a kernel long gone. */
  put(update: Update, origin: 'kernel' | 'notebook'): Session {
    const before = this.session(update.session);
    if (before && origin === 'notebook' && knows(before, update)) {
      return before;
    }
    const session: Session = {
      id: update.session,
      recording: merge(before?.recording ?? null, update),
      selection: before?.selection ?? this._newSelection(),
      openedGraphs: before?.openedGraphs ?? new Map(),
      pictures: before?.pictures ?? new Map(),
      diffs: before?.diffs ?? new Map(),
      cutOff: origin === 'notebook' && (before?.cutOff ?? this._noKernel)
    };
    if (!before) {
      this._chosen = '';
    }
    const others = this._sessions.filter(s => s !== before);
    this._keep([...others, session]);
    return session;
  }

  /** @param exhaustive - whether the kernel told every session it still holds, so that it has forgotten all others. */
  greet(hello: Hello, exhaustive: boolean): void {
    this._connection = {
      status: 'connected',
      recording: hello.recording,
      otherVersion: otherVersionOf(hello, true)
    };
    const held = new Set(hello.updates.map(update => update.session));
    this._cutOff(session => exhaustive && !held.has(session.id));
    for (const update of hello.updates) {
      this.put(update, 'kernel');
    }
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

  private _newSelection(): Selection {
    const selection = new Selection();
    selection.changed.subscribe(() => this.selectionChanged.emit());
    return selection;
  }

  private _amend(id: string, fields: (session: Session) => Partial<Session>) {
    const session = this.session(id);
    if (session) {
      this._sessions = this._sessions.map(s =>
        s === session ? { ...session, ...fields(session) } : s
      );
      this.answered.emit();
      this.changed.emit();
    }
  }

  private _keep(sessions: Session[]): void {
    const begin = (s: Session): number => s.recording.newest.started_at;
    this._sessions = sessions
      .sort((a, b) => begin(a) - begin(b))
      .slice(-MAX_SESSIONS);
    this.changed.emit();
  }

  private _cutOff(lost: (session: Session) => boolean): void {
    this._sessions = this._sessions.map(session =>
      lost(session) && !session.cutOff ? { ...session, cutOff: true } : session
    );
  }

  private _chosen = '';
  private _connection = UNKNOWN;
  private _sessions: readonly Session[] = [];
}

/** Whether all that an update tells has been told. */
function knows({ recording }: Session, { number }: Update): boolean {
  return recording.newest.number >= number && !hasGap(recording);
}

function isSameCode(a: FunctionRecord, b: FunctionRecord): boolean {
  return a.file === b.file && a.line === b.line && a.qualname === b.qualname;
}
