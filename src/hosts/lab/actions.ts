import type { NotebookPanel } from '@jupyterlab/notebook';
import type { SessionStore } from '../../store';
import { Actions, downloadFile } from '../../views';
import type { KernelLink } from './kernel-link';
import { revealPlace } from './notebook';
import type { INotebookTraces } from './tokens';

/** A notebook's traces, with actions that reach whichever kernel and view it has at the time. */
export class NotebookTraces implements INotebookTraces {
  constructor(readonly store: SessionStore) {
    this.actions = new NotebookActions(this);
  }

  link: KernelLink | null = null;
  panel: NotebookPanel | null = null;
  readonly actions: Actions;
}

class NotebookActions implements Actions {
  constructor(private readonly _traces: INotebookTraces) {}

  get openGraph(): Actions['openGraph'] {
    const link = this._connected();
    return link && ((...request) => link.openGraph(...request));
  }

  get openPicture(): Actions['openPicture'] {
    const link = this._connected();
    return link && ((...request) => link.openPicture(...request));
  }

  get compare(): Actions['compare'] {
    const link = this._connected();
    return link && ((...request) => link.compare(...request));
  }

  get searchGraph(): Actions['searchGraph'] {
    const link = this._connected();
    return link && ((...request) => link.searchGraph(...request));
  }

  get record(): Actions['record'] {
    const link = this._connected();
    return link && (on => void link.record(on));
  }

  get reveal(): Actions['reveal'] {
    const { panel, store } = this._traces;
    return panel && (place => revealPlace(panel, store, place));
  }

  readonly saveFile = downloadFile;

  private _connected(): KernelLink | null {
    const { link } = this._traces;
    return link?.isConnected ? link : null;
  }
}
