import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { forEachConsole } from './console';
import { kernels } from './kernels';
import { marks } from './marks';
import { forEachNotebook, identityOf, recordingsIn } from './notebook';
import { rendererFactory } from './output';
import { recording } from './recording';
import { sidebar } from './sidebar';
import { status } from './status';
import { ITraces } from './tokens';
import { traces } from './traces';
import { viewing } from './viewing';

/** Shows recordings in cell outputs. */
const output: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:output',
  description: 'Shows recorded JAX traces in cell outputs.',
  autoStart: true,
  requires: [ITraces, IRenderMimeRegistry],
  optional: [INotebookTracker, IConsoleTracker],
  activate: (
    _: JupyterFrontEnd,
    all: ITraces,
    rendermime: IRenderMimeRegistry,
    tracker: INotebookTracker | null,
    consoles: IConsoleTracker | null
  ): void => {
    // For whatever shows outputs and is neither notebook nor console.
    rendermime.addFactory(rendererFactory(all.of(rendermime), rendermime));
    forEachConsole(consoles, ({ console, sessionContext }) => {
      const own = console.rendermime;
      own.addFactory(rendererFactory(all.of(sessionContext), own));
    });
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
  traces,
  kernels,
  output,
  marks,
  recording,
  viewing,
  sidebar,
  status
];
