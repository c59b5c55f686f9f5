import type { Answer, Graph, Request } from '../protocol';
import type { Drawing } from './session';
import type { SessionStore } from './store';

/** So many graphs are kept; one of 300 boxes is about 0.4 MB. */
const KEPT = 16;

/** Asks the kernel; without an answer where there is none. */
type Ask = (
  question: Omit<Request, 'id' | 'text' | 'record' | 'format' | 'cancelled'>,
  signal: AbortSignal
) => Promise<Answer | undefined>;

/** A graph that was asked for, and may not be there yet. */
interface Wanted {
  readonly graph: Promise<Graph | null>;
  /** Has the kernel stop drawing it. */
  readonly stop: AbortController;
  /** How many wait for it; none where it was only foreseen. */
  waiting: number;
  /** Whether it is there. */
  done: boolean;
}

/** Graphs as they were asked for lately, so that closing what was opened, and what was foreseen, needs no waiting. */
export class DrawnGraphs {
  constructor(
    private readonly _store: SessionStore,
    private readonly _ask: Ask
  ) {}

  /** Puts a graph into the store, unless nobody waits for it any more. */
  async open(
    session: string,
    trace: string,
    drawing: Drawing,
    signal?: AbortSignal
  ): Promise<void> {
    const wanted = this._draw(session, trace, drawing);
    wanted.waiting += 1;
    // What was only foreseen stands in the way of what is asked for.
    [...this._kept.values()].forEach(stopUnlessWanted);
    signal?.addEventListener('abort', () => {
      wanted.waiting -= 1;
      stopUnlessWanted(wanted);
    });
    const graph = await wanted.graph;
    if (graph && !signal?.aborted) {
      this._store.openGraph(session, graph, drawing);
    }
  }

  /** Has a graph drawn that will probably be asked for. */
  foresee(session: string, trace: string, drawing: Drawing): void {
    this._draw(session, trace, drawing);
  }

  private _draw(session: string, trace: string, drawing: Drawing): Wanted {
    const { recording } = this._store.session(session) ?? {};
    const key = JSON.stringify([
      session,
      recording?.newest.number,
      trace,
      drawing
    ]);
    const known = this._kept.get(key);
    const wanted =
      known && !known.stop.signal.aborted
        ? known
        : this._askFor(session, trace, drawing);
    // What was asked for last is let go last.
    this._kept.delete(key);
    this._kept.set(key, wanted);
    for (const oldest of [...this._kept.keys()].slice(0, -KEPT)) {
      this._kept.delete(oldest);
    }
    wanted.graph.then(
      () => {
        wanted.done = true;
      },
      () => {
        if (this._kept.get(key) === wanted) {
          this._kept.delete(key);
        }
      }
    );
    return wanted;
  }

  private _askFor(
    session: string,
    trace: string,
    { boxes, overlay, other }: Drawing
  ): Wanted {
    const stop = new AbortController();
    const open_boxes = [...boxes];
    const question = { session, trace, open_boxes, overlay, other };
    const answer = this._ask({ method: 'graph', ...question }, stop.signal);
    return {
      graph: answer.then(a => a?.graph ?? null),
      stop,
      waiting: 0,
      done: false
    };
  }

  private readonly _kept = new Map<string, Wanted>();
}

function stopUnlessWanted({ waiting, done, stop }: Wanted): void {
  if (waiting === 0 && !done) {
    stop.abort();
  }
}
