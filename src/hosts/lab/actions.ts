import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Session, SessionStore } from '../../store';
import { Actions, ExportFormat, PanelActions, downloadFile } from '../../views';
import { CommandRegistry, showPanel } from './commands';
import type { KernelLink } from './kernel-link';
import { insertExample, insertMagic, revealPlace } from './notebook';
import type { INotebookTraces } from './tokens';

/** One of JupyterLab's own commands; such of kernels work on the current notebook or console, which the panel shows. */
const OPEN_SETTINGS = 'settingeditor:open';

/** Endings and types of exported files. */
const FILES: Record<ExportFormat, readonly [string, string]> = {
  json: ['json', 'application/json'],
  html: ['html', 'text/html'],
  svg: ['svg', 'image/svg+xml'],
  chrome_trace: ['trace.json', 'application/json']
};

/** A notebook's traces, with actions that reach whichever kernel and view it has at the time. */
export class NotebookTraces implements INotebookTraces {
  constructor(
    readonly store: SessionStore,
    commands: CommandRegistry
  ) {
    this.actions = new NotebookActions(this, commands);
  }

  link: KernelLink | null = null;
  panel: NotebookPanel | null = null;
  readonly actions: PanelActions;
}

class NotebookActions implements PanelActions {
  constructor(
    private readonly _traces: INotebookTraces,
    private readonly _commands: CommandRegistry
  ) {}

  get openGraph(): Actions['openGraph'] {
    const link = this._connected();
    return link && ((...request) => link.questions.openGraph(...request));
  }

  get foreseeGraph(): Actions['foreseeGraph'] {
    const link = this._connected();
    return link && ((...request) => link.questions.foreseeGraph(...request));
  }

  get openPicture(): Actions['openPicture'] {
    const link = this._connected();
    return link && ((...request) => link.questions.openPicture(...request));
  }

  get compare(): Actions['compare'] {
    const link = this._connected();
    return link && ((...request) => link.questions.compare(...request));
  }

  get searchGraph(): Actions['searchGraph'] {
    const link = this._connected();
    return link && ((...request) => link.questions.searchGraph(...request));
  }

  get record(): Actions['record'] {
    const link = this._connected();
    return link && (on => void link.questions.record(on));
  }

  get reveal(): Actions['reveal'] {
    const { panel, store } = this._traces;
    return panel && (place => revealPlace(panel, store, place));
  }

  get others(): Actions['others'] {
    const { store } = this._traces;
    return {
      all: store.sessions,
      cameOrWent: store.cameOrWent,
      find: id => store.session(id),
      show: (session, fn, trace) => {
        store.showTrace(session, fn, trace);
        void showPanel(this._commands);
      }
    };
  }

  get load(): PanelActions['load'] {
    const { link, store } = this._traces;
    return link && store.connection.status === 'absent'
      ? () => link.load()
      : null;
  }

  get insertMagic(): PanelActions['insertMagic'] {
    const { panel } = this._traces;
    return panel && (() => insertMagic(panel));
  }

  get insertExample(): PanelActions['insertExample'] {
    const { panel } = this._traces;
    return panel && (() => insertExample(panel));
  }

  get findKernel(): PanelActions['findKernel'] {
    const { panel, store } = this._traces;
    const isDead = store.connection.status === 'dead';
    const command = `${panel ? 'notebook' : 'console'}:${isDead ? 'restart' : 'change'}-kernel`;
    return this._commands.hasCommand(command)
      ? () => void this._commands.execute(command)
      : null;
  }

  get exportAs(): PanelActions['exportAs'] {
    const link = this._connected();
    return (
      link &&
      (async (session, format, signal) => {
        const text = await link.questions.export(session.id, format, signal);
        if (!signal?.aborted) {
          const [ending, type] = FILES[format];
          this.saveFile(`${fileName(session)}.${ending}`, type, text);
        }
      })
    );
  }

  get openSettings(): PanelActions['openSettings'] {
    return this._commands.hasCommand(OPEN_SETTINGS)
      ? () => void this._commands.execute(OPEN_SETTINGS, { query: 'JAX Trace' })
      : null;
  }

  readonly saveFile = downloadFile;

  private _connected(): KernelLink | null {
    const { link } = this._traces;
    return link?.isConnected ? link : null;
  }
}

function fileName({ recording }: Session): string {
  const { execution_count: count } = recording.newest.cell;
  return count === null ? 'jax-trace' : `jax-trace-cell-${count}`;
}
