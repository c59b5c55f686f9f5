import {
  ILayoutRestorer,
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { Arranged, SessionStore, Toggle } from '../../store';
import { NotebookTraces } from './actions';
import { CATEGORY, CommandIDs } from './commands';
import { kernels } from './kernels';
import { marks } from './marks';
import { forEachNotebook, identityOf, recordingsIn } from './notebook';
import { rendererFactory } from './output';
import { TracePanel, icon } from './panel';
import { recording } from './recording';
import { IMarks, INotebookTraces, ITraces } from './tokens';

const PANEL_RANK = 900;

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

/** The sidebar. */
const panel: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:panel',
  description:
    'A side panel that shows the JAX traces of the current notebook.',
  autoStart: true,
  requires: [ITraces, INotebookTracker],
  optional: [ILayoutRestorer, ICommandPalette, IMarks],
  activate: (
    app: JupyterFrontEnd,
    all: ITraces,
    tracker: INotebookTracker,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    shownMarks: Toggle | null
  ): void => {
    const widget = new TracePanel({
      marks: shownMarks,
      arranged: new Arranged()
    });
    const follow = (): void => {
      const current = tracker.currentWidget;
      widget.follow(current && all.of(identityOf(current)));
    };
    tracker.currentChanged.connect(follow);
    follow();
    restorer?.add(widget, widget.id);
    app.shell.add(widget, 'right', { rank: PANEL_RANK, type: 'JAX Trace' });
    app.commands.addCommand(CommandIDs.openPanel, {
      label: 'Show JAX Trace',
      caption: 'Show how JAX traced the functions of the current notebook',
      icon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => {
        app.shell.activateById(widget.id);
      }
    });
    palette?.addItem({ command: CommandIDs.openPanel, category: CATEGORY });
  }
};

export const plugins: JupyterFrontEndPlugin<unknown>[] = [
  stores,
  kernels,
  output,
  marks,
  recording,
  panel
];
