import {
  ILayoutRestorer,
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { SessionStore, Toggle } from '../../store';
import { NotebookTraces } from './actions';
import { CATEGORY, CommandIDs } from './commands';
import { completeOutputs } from './completion';
import { KernelLink } from './kernel-link';
import { marks } from './marks';
import { forEachNotebook, hasCell, identityOf, recordingsIn } from './notebook';
import { rendererFactory } from './output';
import { TracePanel, icon } from './panel';
import { IMarks, INotebookTraces, ITraces } from './tokens';

const PANEL_RANK = 900;

/** Keeps what was traced, per notebook. */
const stores: JupyterFrontEndPlugin<ITraces> = {
  id: 'jax-trace-viz:stores',
  description: 'Keeps the recorded JAX traces of each open notebook.',
  autoStart: true,
  provides: ITraces,
  activate: () => {
    const known = new WeakMap<object, INotebookTraces>();
    return {
      of: notebook => {
        const traces =
          known.get(notebook) ?? new NotebookTraces(new SessionStore());
        known.set(notebook, traces);
        return traces;
      }
    };
  }
};

/** Links each notebook to its kernel, so that what is recorded is seen while the cell runs. */
const kernels: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:kernels',
  description: 'Follows what the kernels of open notebooks record.',
  autoStart: true,
  requires: [ITraces, INotebookTracker],
  activate: (
    _: JupyterFrontEnd,
    all: ITraces,
    tracker: INotebookTracker
  ): void => {
    forEachNotebook(tracker, panel => {
      const traces = all.of(identityOf(panel));
      // A second view of the same notebook shares the link.
      if (!traces.link) {
        traces.link = linkTo(panel, traces, tracker);
        completeOutputs(panel, traces);
      }
    });
  }
};

function linkTo(
  panel: NotebookPanel,
  traces: INotebookTraces,
  tracker: INotebookTracker
): KernelLink {
  const { context } = panel;
  const { sessionContext } = context;
  const clientOf = (other: NotebookPanel): string | undefined =>
    other.sessionContext.session?.kernel?.clientId;
  const link = new KernelLink({
    context: sessionContext,
    store: traces.store,
    isOwn: ({ cell }, client) => {
      // Two notebooks may share a kernel, and copies have equal cell ids.
      const ranElsewhere =
        client !== null &&
        client !== sessionContext.session?.kernel?.clientId &&
        tracker.find(other => clientOf(other) === client) !== undefined;
      return !ranElsewhere && (cell.id === '' || hasCell(panel, cell.id));
    }
  });
  context.disposed.connect(() => {
    link.dispose();
    traces.link = null;
  });
  return link;
}

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
    const widget = new TracePanel(shownMarks);
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
  panel
];
