import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { trans } from '../../model';
import { NO_ACTIONS, PanelOptions, giveFocus, mountPanel } from '../../views';
import { icon } from './icons';
import type { INotebookTraces } from './tokens';

/** What to show where no notebook is open. */
const NOTHING = { store: null, actions: NO_ACTIONS };

/** What is the same for every notebook: whether cells show marks, and how the panel is arranged. */
type IOptions = Pick<PanelOptions, 'marks' | 'arranged'>;

/** The sidebar "JAX Trace". Draws only while it is seen. */
export class TracePanel extends Widget {
  constructor(private readonly _options: IOptions) {
    super();
    this.id = 'jax-trace-viz-panel';
    this.addClass('jtv-panel');
    this.title.icon = icon;
    this.title.caption = trans.__('JAX Trace');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', trans.__('JAX Trace'));
  }

  /** Follows a notebook, a console, whose cells have no marks, or none. */
  follow(traces: INotebookTraces | null, isNotebook: boolean): void {
    if (traces !== this._traces) {
      this._traces = traces;
      this._isNotebook = isNotebook;
      this._mount();
    }
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this._mount();
  }

  /** The keyboard goes on here for whoever asked to see it, unless the focus is here already. */
  protected override onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    if (!this.node.contains(document.activeElement)) {
      giveFocus(this.node);
    }
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this._mount();
  }

  protected override onAfterHide(message: Message): void {
    super.onAfterHide(message);
    this._clear();
  }

  protected override onBeforeDetach(message: Message): void {
    this._clear();
    super.onBeforeDetach(message);
  }

  private _mount(): void {
    this._clear();
    if (this.isVisible) {
      const { store, actions } = this._traces ?? NOTHING;
      const { arranged } = this._options;
      const marks = this._isNotebook ? this._options.marks : null;
      const options = { marks, arranged, store, actions };
      this._unmount = mountPanel(this.node, options);
    }
  }

  private _clear(): void {
    this._unmount?.();
    this._unmount = null;
  }

  private _traces: INotebookTraces | null = null;
  private _isNotebook = false;
  private _unmount: (() => void) | null = null;
}
