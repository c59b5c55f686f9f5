import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ConsolePanel, IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Toggle } from '../../store';
import { completeOutputs } from './completion';
import { forEachConsole, hasConsoleCell } from './console';
import { KernelLink } from './kernel-link';
import { forEachNotebook, hasCell, identityOf } from './notebook';
import { followSetting } from './settings';
import { INotebookTraces, ITraces } from './tokens';

const ID = 'jax-trace-viz:kernels';

/** Links each notebook and console to its kernel, so that what is recorded is seen while the cell runs. */
export const kernels: JupyterFrontEndPlugin<void> = {
  id: ID,
  description:
    'Follows what the kernels of open notebooks and consoles record.',
  autoStart: true,
  requires: [ITraces, INotebookTracker],
  optional: [ISettingRegistry, IConsoleTracker],
  activate: async (
    _: JupyterFrontEnd,
    all: ITraces,
    tracker: INotebookTracker,
    registry: ISettingRegistry | null,
    consoles: IConsoleTracker | null
  ): Promise<void> => {
    const loads = new Toggle(false);
    const settings = await registry?.load(ID).catch(() => null);
    if (settings) {
      followSetting(settings, 'loadInKernels', loads);
    }
    forEachNotebook(tracker, panel => {
      const traces = all.of(identityOf(panel));
      // A second view of the same notebook shares the link.
      if (!traces.link) {
        traces.link = linkTo(panel, traces, tracker, loads);
        completeOutputs(panel, traces);
      }
    });
    forEachConsole(consoles, panel => {
      const traces = all.of(panel.sessionContext);
      traces.link = linkToConsole(panel, traces, loads);
    });
  }
};

function linkTo(
  panel: NotebookPanel,
  traces: INotebookTraces,
  tracker: INotebookTracker,
  loads: Toggle
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
    },
    loadsByItself: () => loads.on
  });
  context.disposed.connect(() => {
    link.dispose();
    traces.link = null;
  });
  return link;
}

function linkToConsole(
  panel: ConsolePanel,
  traces: INotebookTraces,
  loads: Toggle
): KernelLink {
  const { sessionContext } = panel;
  const link = new KernelLink({
    context: sessionContext,
    store: traces.store,
    isOwn: ({ cell }, client) =>
      client === null || cell.id !== ''
        ? hasConsoleCell(panel, cell.id)
        : client === sessionContext.session?.kernel?.clientId,
    loadsByItself: () => loads.on
  });
  panel.disposed.connect(() => {
    link.dispose();
    traces.link = null;
  });
  return link;
}
