import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { Answer, Request, STREAM_TARGET } from '../../../protocol';

/** A kernel at the other end of the wire: it does nothing by itself, a test says what it tells. */
export class FakeKernel {
  readonly clientId = 'client-1';
  readonly handleComms = true;
  readonly supportsSubshells = false;
  status: Kernel.Status = 'idle';
  readonly info = Promise.resolve({});
  spec: Promise<{ language: string }> = Promise.resolve({ language: 'python' });
  /** Whether our package is loaded, and was so before anybody asked. */
  loaded = true;
  readonly comms: FakeComm[] = [];

  requestCommInfo({ target_name }: { target_name: string }): Promise<unknown> {
    const known = this.loaded && target_name === STREAM_TARGET;
    const comms = known ? { 'stream-1': { target_name } } : {};
    return Promise.resolve({ content: { status: 'ok', comms } });
  }

  /** What was run, and how it ends. */
  readonly executed: string[] = [];
  reply: Record<string, string> = { status: 'ok' };

  requestExecute({ code }: { code: string }): { done: Promise<unknown> } {
    this.executed.push(code);
    return { done: Promise.resolve({ content: this.reply }) };
  }

  createComm(target: string): FakeComm {
    const comm = new FakeComm(target, `comm-${this.comms.length + 1}`);
    this.comms.push(comm);
    return comm;
  }

  /** What was asked on the comm that was opened last. */
  get asked(): Request[] {
    return this.comms[this.comms.length - 1]?.sent ?? [];
  }
}

export class FakeComm {
  constructor(
    readonly targetName: string,
    readonly commId: string
  ) {}

  onClose: () => void = () => undefined;
  isDisposed = false;
  readonly sent: Request[] = [];

  open(): { done: Promise<void> } {
    return { done: Promise.resolve() };
  }

  send({ request }: { request: Request }): void {
    this.sent.push(request);
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

/** A notebook's session context with such a kernel. */
export class FakeContext {
  constructor(public kernel: FakeKernel | null) {}

  readonly ready = Promise.resolve();
  readonly kernelChanged = new Signal<this, unknown>(this);
  readonly statusChanged = new Signal<this, Kernel.Status>(this);
  readonly connectionStatusChanged = new Signal<this, Kernel.ConnectionStatus>(
    this
  );
  readonly iopubMessage = new Signal<this, unknown>(this);

  get session(): { kernel: FakeKernel } | null {
    return this.kernel && { kernel: this.kernel };
  }

  /** As the code under test sees it. */
  get context(): ISessionContext {
    return this as unknown as ISessionContext;
  }

  tell(
    data: Record<string, unknown>,
    client = 'client-1',
    buffers: Uint8Array[] = []
  ): void {
    this.iopubMessage.emit({
      header: { msg_type: 'comm_msg' },
      parent_header: { session: client },
      content: { comm_id: 'stream-1', data },
      buffers
    });
  }

  /** The kernel's state, told of a request of this kind. */
  tellStatus(state: Kernel.Status, request: string): void {
    this.iopubMessage.emit({
      header: { msg_type: 'status' },
      parent_header: { msg_type: request },
      content: { execution_state: state }
    });
  }

  /** Answers the question that was asked last. */
  answer(fields: Partial<Answer>): void {
    const { id, to } = this._asked();
    this.tell({ jax_trace_viz_answer: { id, ...fields }, to });
  }

  /** The same by a buffer beside the message, whose own answer is for pages that do not look for one. */
  answerBeside(write: (id: unknown) => string): void {
    const { id, to } = this._asked();
    const buffer = new TextEncoder().encode(write(id));
    const data = {
      jax_trace_viz_answer: { id, error: 'Reload the page.' },
      to
    };
    this.tell(data, undefined, [buffer]);
  }

  private _asked(): { id: unknown; to: unknown } {
    const comm = this.kernel?.comms.at(-1);
    return { id: comm?.sent.at(-1)?.id, to: comm?.commId };
  }
}

/** Lets promises settle. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve();
  }
}
