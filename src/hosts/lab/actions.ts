import type { SessionStore } from '../../store';
import { Actions, downloadFile } from '../../views';
import type { KernelLink } from './kernel-link';
import type { INotebookTraces } from './tokens';

/** A notebook's traces, with actions that reach whichever kernel it is linked to at the time. */
export class NotebookTraces implements INotebookTraces {
  constructor(readonly store: SessionStore) {
    this.actions = new LinkActions(() => this.link);
  }

  link: KernelLink | null = null;
  readonly actions: Actions;
}

class LinkActions implements Actions {
  constructor(private readonly _link: () => KernelLink | null) {}

  get openGraph(): Actions['openGraph'] {
    const link = this._connected();
    return link && ((...request) => link.openGraph(...request));
  }

  get record(): Actions['record'] {
    const link = this._connected();
    return link && (on => void link.record(on));
  }

  readonly saveFile = downloadFile;

  private _connected(): KernelLink | null {
    const link = this._link();
    return link?.isConnected ? link : null;
  }
}
