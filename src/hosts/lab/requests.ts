import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { trans } from '../../model';
import type { Answer } from '../../protocol';
import type { Question } from '../../store';
import { RequestComm, requestComm } from './request-comm';

/** How long to wait for a subshell, in milliseconds; without one a busy kernel answers when its cell ends. */
const SUBSHELL_PATIENCE = 1000;

interface Pending {
  resolve(answer: Answer): void;
  reject(reason: Error): void;
}

/**
 * Asks one kernel. The comm only carries requests: answers are overheard like everything that the kernel tells, because
 * a comm on which a busy kernel answers once would be bound to its main shell.
 */
export class Requests implements IDisposable {
  /** @param closed - called when the kernel refuses or closes the comm. */
  constructor(kernel: Kernel.IKernelConnection, closed: () => void) {
    this._comm = requestComm(kernel);
    this._comm.onClose = () => {
      this._giveUp(trans.__('The kernel has unloaded jax_trace_viz.'));
      closed();
    };
    this._opened = this._open(kernel);
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Whether the kernel answers beside a running cell, on a subshell. */
  get isAside(): boolean {
    return this._isAside;
  }

  /** Whether the kernel still has something to answer. */
  get isWaiting(): boolean {
    return this._pending.size > 0;
  }

  /**
   * @param signal - says when nobody waits for the answer any more; then the kernel is told to stop its work.
   * @returns the kernel's answer; rejected with words for the user where there is none or it says an error.
   */
  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    await this._opened;
    if (this._isDisposed) {
      throw new Error(trans.__('The kernel is gone.'));
    }
    if (signal?.aborted) {
      throw new Error(cancelled());
    }
    return new Promise((resolve, reject) => {
      const id = this._send(question);
      this._pending.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => this._cancel(id));
    });
  }

  /** Takes an overheard answer, if it is one to us. @param answer - null where it cannot be read. */
  receive(id: unknown, answer: Answer | null, to: unknown): void {
    const pending = this._pending.get(id);
    if (to !== this._comm.commId || !pending) {
      return;
    }
    this._pending.delete(id);
    if (answer?.error === null) {
      pending.resolve(answer);
    } else {
      pending.reject(new Error(answer?.error ?? unreadable()));
    }
  }

  /** Takes an overheard message that a comm was closed, which may be ours. */
  closed(message: KernelMessage.ICommCloseMsg): void {
    this._comm.closed?.(message);
  }

  dispose(): void {
    if (!this._isDisposed) {
      this._giveUp(trans.__('The kernel is gone.'));
      this._isDisposed = true;
      this._comm.dispose();
    }
  }

  private _send(question: Question): number {
    const id = (this._lastId += 1);
    this._comm.send({ request: { ...question, id } });
    return id;
  }

  private _cancel(id: number): void {
    const pending = this._pending.get(id);
    if (pending) {
      this._pending.delete(id);
      this._send({ method: 'cancel', cancelled: id });
      pending.reject(new Error(cancelled()));
    }
  }

  /** Resolves when the kernel has taken the comm: a message that came before would be lost. */
  private async _open(kernel: Kernel.IKernelConnection): Promise<void> {
    await kernel.info;
    const { subshellStarted } = this._comm;
    if (kernel.supportsSubshells && subshellStarted) {
      this._isAside = await Promise.race([
        subshellStarted.then(() => true),
        new Promise<false>(resolve =>
          setTimeout(() => resolve(false), SUBSHELL_PATIENCE)
        )
      ]);
    }
    if (!this._isDisposed) {
      await this._comm.open({}).done;
    }
  }

  private _giveUp(words: string): void {
    const pending = [...this._pending.values()];
    this._pending.clear();
    for (const { reject } of pending) {
      reject(new Error(words));
    }
  }

  private readonly _comm: RequestComm;
  private readonly _opened: Promise<void>;
  private readonly _pending = new Map<unknown, Pending>();
  private _lastId = 0;
  private _isAside = false;
  private _isDisposed = false;
}

function cancelled(): string {
  return trans.__('Cancelled.');
}

function unreadable(): string {
  return trans.__(
    'The answer of the kernel cannot be read: its jax_trace_viz is of another version.'
  );
}
