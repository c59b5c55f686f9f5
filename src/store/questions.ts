import type { Answer, Found, Request } from '../protocol';
import { DrawnGraphs } from './drawn-graphs';
import type { SessionStore } from './store';

/** What one asks; whoever carries it numbers it. */
export type Question = Partial<Request> & Pick<Request, 'method'>;

type Ask = (
  question: Question,
  signal?: AbortSignal
) => Promise<Answer | undefined>;

const NOTHING_FOUND: Found = { matches: [], equations: 0, more: false };

/** What views ask the kernel for; answers go into their store. */
export class Questions {
  /**
   * @param _ask - nothing comes of it where no kernel is connected; the signal says when nobody waits for it any more.
   * @param _isIdle - whether the kernel has nothing else to do.
   */
  constructor(
    private readonly _store: SessionStore,
    private readonly _ask: Ask,
    private readonly _isIdle: () => boolean
  ) {
    this._graphs = new DrawnGraphs(_store, _ask);
  }

  /** As `Actions.openGraph`. */
  openGraph(...request: Parameters<DrawnGraphs['open']>): Promise<void> {
    return this._graphs.open(...request);
  }

  /** As `Actions.foreseeGraph`. */
  foreseeGraph(...request: Parameters<DrawnGraphs['foresee']>): void {
    if (this._isIdle()) {
      this._graphs.foresee(...request);
    }
  }

  /** As `Actions.openPicture`. */
  async openPicture(
    session: string,
    trace: string,
    signal?: AbortSignal
  ): Promise<void> {
    const question = { method: 'picture', session, trace } as const;
    const answer = await this._ask(question, signal);
    if (answer) {
      this._store.addPicture(session, trace, answer);
    }
  }

  /** As `Actions.compare`. */
  async compare(
    session: string,
    trace: string,
    signal?: AbortSignal
  ): Promise<void> {
    const question = { method: 'compare', session, trace } as const;
    const answer = await this._ask(question, signal);
    if (answer?.diff) {
      this._store.addDiff(session, answer.diff);
    }
  }

  /** As `Actions.searchGraph`. */
  async searchGraph(
    session: string,
    trace: string,
    text: string,
    signal?: AbortSignal
  ): Promise<Found> {
    const question = { method: 'search', session, trace, text } as const;
    const answer = await this._ask(question, signal);
    return answer?.found ?? NOTHING_FOUND;
  }

  /** @returns a session as the text of a file. Rejected with words for the user. */
  async export(
    session: string,
    format: Request['format'],
    signal?: AbortSignal
  ): Promise<string> {
    const question = { method: 'export', session, format } as const;
    const answer = await this._ask(question, signal);
    return answer?.exported ?? '';
  }

  /** As `Actions.record`. The kernel tells all clients that it did. */
  async record(on: boolean): Promise<void> {
    await this._ask({ method: 'record', record: on });
  }

  /** Asks for all of a session, if the kernel still holds it. */
  async complete(session: string): Promise<void> {
    try {
      const answer = await this._ask({ method: 'complete', session });
      if (answer?.update) {
        this._store.put(answer.update, 'kernel');
      }
    } catch {
      // Then what we have is all there is.
    }
  }

  private readonly _graphs: DrawnGraphs;
}
