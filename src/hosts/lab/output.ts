import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import { MIME_TYPE, parseUpdate } from '../../protocol';
import { mountSession } from '../../views';
import type { INotebookTraces } from './tokens';

/** Before ipywidgets' −10. */
const RANK = -20;

/** Shows a recorded cell where its output stands: live from the kernel, or from the notebook's file. */
class TraceOutput extends Widget implements IRenderMime.IRenderer {
  constructor(
    private readonly _traces: INotebookTraces,
    private readonly _rendermime: IRenderMimeRegistry
  ) {
    super();
    this.addClass('jtv-output');
  }

  /** Called anew when the output changes; the view follows the store by itself. */
  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const update = parseUpdate(model.data[MIME_TYPE]);
    if (!update) {
      this._clear();
      await this._renderFallback(model);
      return;
    }
    const { store, actions } = this._traces;
    const session = store.put(update, 'notebook');
    if (this._shown !== session.id) {
      this._clear();
      this._shown = session.id;
      this._unmount = mountSession(this.node, {
        store,
        session,
        actions,
        folded: isFolded(model)
      });
    }
  }

  override dispose(): void {
    this._clear();
    super.dispose();
  }

  /** A document of a newer version than ours: what stands beside it in the same bundle is still right. */
  private async _renderFallback(model: IRenderMime.IMimeModel): Promise<void> {
    const mimeType = 'text/html' in model.data ? 'text/html' : 'text/plain';
    const renderer = this._rendermime.createRenderer(mimeType);
    this.node.append(renderer.node);
    this._unmount = () => {
      renderer.node.remove();
      renderer.dispose();
    };
    await renderer.renderModel(model);
  }

  private _clear(): void {
    this._unmount?.();
    this._unmount = null;
    this._shown = null;
  }

  private _shown: string | null = null;
  private _unmount: (() => void) | null = null;
}

function isFolded(model: IRenderMime.IMimeModel): boolean {
  const options = model.metadata[MIME_TYPE] as
    { collapsed?: unknown } | undefined;
  return options?.collapsed === true;
}

/** Safe: it shows data as text and runs nothing, so untrusted notebooks may have it too. */
export function rendererFactory(
  traces: INotebookTraces,
  rendermime: IRenderMimeRegistry
): IRenderMime.IRendererFactory {
  return {
    safe: true,
    mimeTypes: [MIME_TYPE],
    defaultRank: RANK,
    createRenderer: () => new TraceOutput(traces, rendermime)
  };
}
