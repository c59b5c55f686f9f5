import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import {
  Hello,
  Update,
  parseAnswer,
  parseHello,
  parseUpdate,
  readAnswer
} from '../../protocol';
import { Questions, SessionStore } from '../../store';
import { loadIn, look } from './loading';
import { Requests } from './requests';

/** How long a kernel is busy until one notices, in milliseconds. */
const LONG = 1000;

export interface IOptions {
  readonly context: ISessionContext;
  readonly store: SessionStore;
  /** Whether a recording belongs here. `client` is the kernel client that ran the cell, where that is known. */
  readonly isOwn: (update: Update, client: string | null) => boolean;
  /** Whether kernels that have not loaded our package are made to, and record all cells, without being asked. */
  readonly loadsByItself: () => boolean;
}

/**
 * Carries what a notebook's kernel records into the notebook's store.
 *
 * The kernel tells every client at once; we overhear it. So a page that was reloaded in the middle of a cell, or a second
 * page, hears the running cell too. What is missing is asked for.
 */
export class KernelLink implements IDisposable {
  constructor(private readonly _options: IOptions) {
    this._store = _options.store;
    this.questions = new Questions(
      this._store,
      async (question, signal) => this._requests?.ask(question, signal),
      () => this._kernel?.status === 'idle' && !this._requests?.isWaiting
    );
    this._isOwn = _options.isOwn;
    this._context = _options.context;
    this._context.kernelChanged.connect(this._attach, this);
    this._context.statusChanged.connect(this._onStatus, this);
    this._context.connectionStatusChanged.connect(this._onConnection, this);
    this._context.iopubMessage.connect(this._overhear, this);
    void this._context.ready.then(() => {
      this._attach();
    });
  }

  /** What one asks the kernel for; nothing comes of it where none is connected. */
  readonly questions: Questions;

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  get isConnected(): boolean {
    return this._requests !== null;
  }

  dispose(): void {
    this._isDisposed = true;
    clearTimeout(this._busy);
    Signal.clearData(this);
    this._hangUp();
  }

  /**
   * Loads our package in the kernel and records all cells; a kernel that is busy does it when its cell ends. The kernel
   * tells all clients that it did. Rejected with words for the user.
   */
  async load(): Promise<void> {
    if (this._kernel) {
      await loadIn(this._kernel);
    }
  }

  private _attach(): void {
    const kernel = this._context.session?.kernel ?? null;
    // The context's `ready` and `kernelChanged` both come when a notebook opens.
    if (this._isDisposed || (kernel !== null && kernel === this._kernel)) {
      return;
    }
    this._hangUp();
    this._kernel = kernel;
    this._store.setStatus(kernel ? 'asking' : 'none');
    if (kernel) {
      void this._look(kernel);
    }
  }

  /** Finds out whether the kernel has loaded our package, in a way that leaves no trace where it has not. */
  private async _look(kernel: Kernel.IKernelConnection): Promise<void> {
    const found = await look(kernel);
    if (kernel !== this._kernel || this._requests) {
      return;
    }
    if (found === 'loaded') {
      this._greet(kernel);
      return;
    }
    this._store.setStatus(found);
    if (found === 'absent' && this._options.loadsByItself()) {
      // A kernel without our package stays as it is.
      void this.load().catch(() => undefined);
    }
  }

  /** Asks for all that the kernel holds. */
  private _greet(kernel: Kernel.IKernelConnection): void {
    if (!this._requests) {
      this._requests = new Requests(kernel, () => {
        this._leave();
      });
      this._judge(kernel.status); // it may have been busy for long
    }
    const requests = this._requests;
    requests.ask({ method: 'hello' }).then(
      ({ hello }) => {
        if (hello && requests === this._requests) {
          this._store.greet(this._own(hello), true);
        }
      },
      () => undefined // the kernel went away meanwhile, and that is known otherwise
    );
  }

  private _own(hello: Hello): Hello {
    const updates = hello.updates.filter(update => this._isOwn(update, null));
    return { ...hello, updates };
  }

  private _overhear(_: ISessionContext, message: KernelMessage.IMessage): void {
    if (message.header.msg_type === 'comm_close') {
      this._requests?.closed(message as KernelMessage.ICommCloseMsg);
    }
    if (message.header.msg_type === 'status') {
      this._overhearStatus(message as KernelMessage.IStatusMsg);
    }
    if (message.header.msg_type !== 'comm_msg') {
      return;
    }
    const { content, buffers } = message as KernelMessage.ICommMsgMsg;
    const { data } = content;
    if ('jax_trace_viz' in data) {
      const client = (message.parent_header as { session?: string }).session;
      this._takeUpdate(parseUpdate(data.jax_trace_viz), client ?? null);
    } else if ('jax_trace_viz_hello' in data) {
      this._takeHello(data.jax_trace_viz_hello);
    } else if ('jax_trace_viz_answer' in data) {
      this._takeAnswer(data.jax_trace_viz_answer, data.to, buffers?.[0]);
    } else if ('jax_trace_viz_bye' in data) {
      this._leave();
    }
  }

  private _takeUpdate(update: Update | null, client: string | null): void {
    if (this._store.connection.status !== 'unreadable') {
      this._heard();
    }
    if (update && this._isOwn(update, client)) {
      this._store.put(update, 'kernel');
      void this._repair();
    }
  }

  private _takeHello(data: unknown): void {
    const hello = parseHello(data);
    if (hello) {
      this._heard();
      this._store.greet(this._own(hello), false);
    } else {
      this._refuse(data);
    }
  }

  /** @param beside - the answer itself, where it is too large for its message. */
  private _takeAnswer(
    data: unknown,
    to: unknown,
    beside: ArrayBuffer | ArrayBufferView | undefined
  ): void {
    const answer = beside ? readAnswer(beside) : parseAnswer(data);
    const { id, hello } = (data ?? {}) as Record<string, unknown>;
    if (hello && !answer) {
      this._refuse(hello);
    } else {
      this._requests?.receive(id, answer, to);
    }
  }

  /** The kernel's first words tell that its package is of a version that we cannot read. */
  private _refuse(hello: unknown): void {
    this._hangUp();
    this._store.refuse(hello);
  }

  /** A kernel that speaks has loaded our package, whatever we thought. */
  private _heard(): void {
    if (this._kernel && !this._requests) {
      this._store.setStatus('connected');
      this._greet(this._kernel);
    }
  }

  /** Asks for what got lost on the way, one session at a time. */
  private async _repair(): Promise<void> {
    const [session] = this._store.incomplete();
    if (!session || !this._requests || this._repairing) {
      return;
    }
    this._repairing = true;
    await this.questions.complete(session);
    this._repairing = false;
  }

  /** What the debugger asks beside a cell ends with "idle" too, which is not the cell's end. */
  private _overhearStatus({
    content,
    parent_header
  }: KernelMessage.IStatusMsg): void {
    if (
      'msg_type' in parent_header &&
      parent_header.msg_type === 'execute_request'
    ) {
      this._judge(content.execution_state);
    }
  }

  private _onStatus(_: ISessionContext, status: Kernel.Status): void {
    if (status !== 'busy' && status !== 'idle') {
      this._judge(status);
    }
    if (status === 'restarting' || status === 'autorestarting') {
      this._hangUp();
      this._store.kernelRestarted();
      this._restarted = true;
    } else if (status === 'dead') {
      this._hangUp();
      this._store.setStatus('dead');
    } else if (status === 'idle' && this._restarted && this._kernel) {
      this._restarted = false;
      void this._look(this._kernel);
    }
  }

  /** Whether requests wait for a cell that runs long; kernels are busy for a moment all the time. */
  private _judge(status: Kernel.Status): void {
    clearTimeout(this._busy);
    if (status === 'busy') {
      this._busy = setTimeout(() => {
        this._store.setLate(this._requests?.isAside === false);
      }, LONG);
    } else {
      this._store.setLate(false);
    }
  }

  /** What the kernel told while the connection was down is lost. */
  private _onConnection(
    _: ISessionContext,
    status: Kernel.ConnectionStatus
  ): void {
    if (status === 'connected' && this._kernel && this._requests) {
      this._greet(this._kernel);
    }
  }

  private _leave(): void {
    this._hangUp();
    this._store.setStatus('absent');
  }

  private _hangUp(): void {
    this._requests?.dispose();
    this._requests = null;
  }

  private readonly _store: SessionStore;
  private readonly _context: ISessionContext;
  private readonly _isOwn: IOptions['isOwn'];
  private _kernel: Kernel.IKernelConnection | null = null;
  private _requests: Requests | null = null;
  private _busy: ReturnType<typeof setTimeout> | undefined;
  private _repairing = false;
  private _restarted = false;
  private _isDisposed = false;
}
