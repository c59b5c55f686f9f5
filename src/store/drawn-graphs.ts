import type { Answer, Graph, Request } from '../protocol';
import type { Drawing } from './session';
import type { SessionStore } from './store';

/** So many graphs are kept; one of 300 boxes is about 0.4 MB. */
const KEPT = 16;

/** Asks the kernel; without an answer where there is none. */
type Ask = (
  question: Omit<Request, 'id' | 'text' | 'record' | 'format'>
) => Promise<Answer | undefined>;

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
    const graph = await this._draw(session, trace, drawing);
    if (graph && !signal?.aborted) {
      this._store.openGraph(session, graph, drawing);
    }
  }

  /** Has a graph drawn that will probably be asked for. */
  foresee(session: string, trace: string, drawing: Drawing): void {
    this._draw(session, trace, drawing).catch(() => undefined);
  }

  private _draw(
    session: string,
    trace: string,
    drawing: Drawing
  ): Promise<Graph | null> {
    const { recording } = this._store.session(session) ?? {};
    const key = JSON.stringify([
      session,
      recording?.newest.number,
      trace,
      drawing
    ]);
    const graph = this._kept.get(key) ?? this._askFor(session, trace, drawing);
    // What was asked for last is let go last.
    this._kept.delete(key);
    this._kept.set(key, graph);
    for (const oldest of [...this._kept.keys()].slice(0, -KEPT)) {
      this._kept.delete(oldest);
    }
    graph.catch(() => this._kept.delete(key));
    return graph;
  }

  private async _askFor(
    session: string,
    trace: string,
    { boxes, overlay, other }: Drawing
  ): Promise<Graph | null> {
    const answer = await this._ask({
      method: 'graph',
      session,
      trace,
      open_boxes: [...boxes],
      overlay,
      other
    });
    return answer?.graph ?? null;
  }

  private readonly _kept = new Map<string, Promise<Graph | null>>();
}
