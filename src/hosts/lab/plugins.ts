import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { SessionStore } from '../../store';
import { NotebookTraces } from './actions';
import { kernels } from './kernels';
import { marks } from './marks';
import { forEachNotebook, identityOf, recordingsIn } from './notebook';
import { rendererFactory } from './output';
import { recording } from './recording';
import { sidebar } from './sidebar';
import { status } from './status';
import { INotebookTraces, ITraces } from './tokens';
import { viewing } from './viewing';

/** Keeps what was traced, per notebook. */
const stores: JupyterFrontEndPlugin<ITraces> = {
  id: 'jax-trace-viz:stores',
  description: 'Keeps the recorded JAX traces of each open notebook.',
  autoStart: true,
  provides: ITraces,
  activate: ({ commands }: JupyterFrontEnd) => {
    const known = new WeakMap<object, INotebookTraces>();
    return {
      of: notebook => {
        const traces =
          known.get(notebook) ??
          new NotebookTraces(new SessionStore(), commands);
        known.set(notebook, traces);
        return traces;
      }
    };
  }
};

/** Shows recordings in cell outputs. */
const output: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:output',
  description: 'Shows recorded JAX traces in cell outputs.',
  autoStart: true,
  requires: [ITraces, IRenderMimeRegistry],
  optional: [INotebookTracker],
  activate: (
    _: JupyterFrontEnd,
    all: ITraces,
    rendermime: IRenderMimeRegistry,
    tracker: INotebookTracker | null
  ): void => {
    // For whatever shows outputs and is no notebook.
    rendermime.addFactory(rendererFactory(all.of(rendermime), rendermime));
    if (!tracker) {
      return;
    }
    tracker.currentChanged.connect((_, panel) => {
      if (panel) {
        all.of(identityOf(panel)).panel = panel;
      }
    });
    forEachNotebook(tracker, panel => {
      const traces = all.of(identityOf(panel));
      traces.panel = panel;
      const own = panel.content.rendermime;
      own.addFactory(rendererFactory(traces, own));
      void panel.context.ready.then(() => {
        for (const update of recordingsIn(panel)) {
          traces.store.put(update, 'notebook');
        }
      });
    });
  }
};

export const plugins: JupyterFrontEndPlugin<unknown>[] = [
  stores,
  kernels,
  output,
  marks,
  recording,
  viewing,
  sidebar,
  status
];
