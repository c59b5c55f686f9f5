import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ITranslator } from '@jupyterlab/translation';
import { ISignal, Signal } from '@lumino/signaling';
import { speak } from '../../model';
import { SessionStore } from '../../store';
import { NotebookTraces } from './actions';
import { language } from './commands';
import { identityOf } from './notebook';
import { INotebookTraces, ITraces } from './tokens';

/** Keeps what was traced, per notebook and per console. */
export const traces: JupyterFrontEndPlugin<ITraces> = {
  id: 'jax-trace-viz:stores',
  description:
    'Keeps the recorded JAX traces of each open notebook and console.',
  autoStart: true,
  provides: ITraces,
  optional: [INotebookTracker, IConsoleTracker, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker | null,
    consoles: IConsoleTracker | null,
    translator: ITranslator | null
  ) => {
    // Every plugin of ours that shows something waits for this one.
    speak(language(translator));
    return new Traces(app, notebooks, consoles);
  }
};

class Traces implements ITraces {
  constructor(
    private readonly _app: JupyterFrontEnd,
    private readonly _notebooks: INotebookTracker | null,
    private readonly _consoles: IConsoleTracker | null
  ) {
    // The shell tells of a console and the same notebook in turn, which no tracker does.
    _app.shell.currentChanged?.connect(this._follow, this);
    _notebooks?.currentChanged.connect(this._follow, this);
    _consoles?.currentChanged.connect(this._follow, this);
    this._follow();
  }

  of(owner: object): INotebookTraces {
    const known =
      this._known.get(owner) ??
      new NotebookTraces(new SessionStore(), this._app.commands);
    this._known.set(owner, known);
    return known;
  }

  get current(): INotebookTraces | null {
    return this._current && this.of(this._current);
  }

  get currentChanged(): ISignal<this, void> {
    return this._currentChanged;
  }

  private _follow(): void {
    const owner = this._used() ?? this._lastUsed();
    if (owner !== this._current) {
      this._current = owner;
      this._currentChanged.emit();
    }
  }

  /** The owner of the traces that stand behind the widget in use, if that runs code. */
  private _used(): object | null {
    const { currentWidget } = this._app.shell;
    const isCurrent = (widget: unknown): boolean => widget === currentWidget;
    const notebook = this._notebooks?.find(isCurrent);
    return notebook
      ? identityOf(notebook)
      : (this._consoles?.find(isCurrent)?.sessionContext ?? null);
  }

  /** As long as something else is used, the last one stays, if it is still open. */
  private _lastUsed(): object | null {
    const [notebooks, consoles] = [this._notebooks, this._consoles];
    const isOpen =
      notebooks?.find(panel => identityOf(panel) === this._current) ??
      consoles?.find(panel => panel.sessionContext === this._current);
    if (isOpen) {
      return this._current;
    }
    return notebooks?.currentWidget
      ? identityOf(notebooks.currentWidget)
      : (consoles?.currentWidget?.sessionContext ?? null);
  }

  private readonly _known = new WeakMap<object, INotebookTraces>();
  private readonly _currentChanged = new Signal<this, void>(this);
  private _current: object | null = null;
}
