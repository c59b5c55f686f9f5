import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { statusOf } from '../../model';
import type { SessionStore, Unsubscribe } from '../../store';
import { language, showPanel } from './commands';
import { ITraces } from './tokens';

/** At most this often, in milliseconds: a cell that traces changes it all the time. */
const INTERVAL = 500;

/** Among the items at the left, after those of JupyterLab's own. */
const RANK = 20;

/** Says in the status bar what the current notebook's recordings come to. */
export const status: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:status',
  description: 'Shows in the status bar what JAX traced in the notebook.',
  autoStart: true,
  requires: [ITraces],
  optional: [IStatusBar, ITranslator],
  activate: (
    { commands }: JupyterFrontEnd,
    all: ITraces,
    bar: IStatusBar | null,
    translator: ITranslator | null
  ): void => {
    if (!bar) {
      return;
    }
    const item = new StatusItem(language(translator).__('JAX'), () => {
      void showPanel(commands);
    });
    const follow = (): void => {
      item.follow(all.current?.store ?? null);
    };
    all.currentChanged.connect(follow);
    follow();
    bar.registerStatusItem('jax-trace-viz:status', {
      item,
      align: 'left',
      rank: RANK,
      isActive: () => item.isActive,
      activeStateChanged: item.activeChanged
    });
  }
};

/** `JAX ↻ 2 retraces · 1.9 s`; nothing as long as nothing was traced. */
class StatusItem extends Widget {
  constructor(
    private readonly _name: string,
    open: () => void
  ) {
    super();
    this.addClass('jtv-status');
    this.addClass('jtv-colours');
    this._button.type = 'button';
    this._button.addEventListener('click', open);
    this.node.append(this._button);
  }

  readonly activeChanged = new Signal<this, void>(this);

  get isActive(): boolean {
    return this._isActive;
  }

  follow(store: SessionStore | null): void {
    this._leave?.();
    this._store = store;
    this._leave = store?.changed.subscribe(() => this._soon());
    this._draw();
  }

  override dispose(): void {
    this._leave?.();
    window.clearTimeout(this._timer);
    super.dispose();
  }

  private _soon(): void {
    this._timer ||= window.setTimeout(() => {
      this._timer = 0;
      this._draw();
    }, INTERVAL);
  }

  private _draw(): void {
    const badge = statusOf(this._store?.sessions ?? []);
    if (badge) {
      const sign = document.createElement('span');
      sign.className = `jtv-glyph jtv-tone-${badge.sign.tone}`;
      sign.textContent = badge.sign.glyph;
      this._button.replaceChildren(`${this._name} `, sign, ` ${badge.text}`);
      this._button.title = badge.title;
    }
    if (this._isActive !== (badge !== null)) {
      this._isActive = badge !== null;
      this.activeChanged.emit();
    }
  }

  private readonly _button = document.createElement('button');
  private _store: SessionStore | null = null;
  private _leave: Unsubscribe | undefined;
  private _timer = 0;
  private _isActive = false;
}
