import { Kernel, KernelMessage } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import { REQUEST_TARGET } from '../../protocol';

/** As much of a comm as carries requests. */
export interface RequestComm {
  readonly commId: string;
  /** Set where requests go to the kernel's main shell as long as no subshell has started. */
  readonly subshellStarted?: Promise<void>;
  onClose: (message: KernelMessage.ICommCloseMsg) => unknown;
  open(data: object): { readonly done: Promise<unknown> };
  send(data: object): unknown;
  dispose(): void;
  /** Told of a comm that the kernel has closed, where JupyterLab does not tell it by `onClose`. */
  closed?(message: KernelMessage.ICommCloseMsg): void;
}

/**
 * Of all connections of a page to one kernel, JupyterLab lets the first have comms. A second notebook or a console on the
 * same kernel may still send the messages, and needs no more: answers are overheard.
 */
export function requestComm(kernel: Kernel.IKernelConnection): RequestComm {
  return kernel.handleComms
    ? (kernel.createComm(REQUEST_TARGET) as RequestComm)
    : new BareComm(kernel);
}

class BareComm implements RequestComm {
  constructor(private readonly _kernel: Kernel.IKernelConnection) {}

  readonly commId = UUID.uuid4();

  onClose: RequestComm['onClose'] = () => undefined;

  open(data: object): Kernel.IShellFuture {
    return this._send('comm_open', { target_name: REQUEST_TARGET, data });
  }

  send(data: object): Kernel.IShellFuture {
    return this._send('comm_msg', { data });
  }

  dispose(): void {
    if (!this._kernel.isDisposed) {
      this._send('comm_close', { data: {} });
    }
  }

  closed(message: KernelMessage.ICommCloseMsg): void {
    if (message.content.comm_id === this.commId) {
      this.onClose(message);
    }
  }

  private _send(
    msgType: 'comm_open' | 'comm_msg' | 'comm_close',
    content: object
  ): Kernel.IShellFuture {
    const { username, clientId } = this._kernel;
    const message = KernelMessage.createMessage({
      msgType,
      channel: 'shell',
      username,
      session: clientId,
      content: { comm_id: this.commId, ...content }
    } as KernelMessage.IOptions<KernelMessage.ICommMsgMsg<'shell'>>);
    return this._kernel.sendShellMessage(message, false, true);
  }
}
