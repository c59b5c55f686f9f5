import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { CATEGORY, CommandIDs } from './commands';
import { identityOf } from './notebook';
import { INotebookTraces, ITraces } from './tokens';

const NO_ARGUMENTS = { args: { type: 'object', properties: {} } } as const;

/** Commands that begin a recording in the current notebook. */
export const recording: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:recording',
  description: 'Commands that record how JAX traces the current notebook.',
  autoStart: true,
  requires: [ITraces, INotebookTracker],
  optional: [ICommandPalette],
  activate: (
    { commands }: JupyterFrontEnd,
    all: ITraces,
    tracker: INotebookTracker,
    palette: ICommandPalette | null
  ): void => {
    const current = (): INotebookTraces | null =>
      tracker.currentWidget && all.of(identityOf(tracker.currentWidget));
    commands.addCommand(CommandIDs.recordAll, {
      label: 'Record All Cells',
      caption:
        'Record how JAX traces every cell of the current notebook, or stop',
      isToggleable: true,
      isToggled: () => current()?.store.connection.recording ?? false,
      isEnabled: () => {
        const actions = current()?.actions;
        return Boolean(actions?.record ?? actions?.load);
      },
      describedBy: NO_ARGUMENTS,
      execute: async () => {
        const { actions, store } = current() ?? {};
        actions?.record?.(!store?.connection.recording);
        await actions?.load?.().catch((reason: unknown) => {
          Notification.error(String(reason), { autoClose: false });
        });
      }
    });
    commands.addCommand(CommandIDs.insertMagic, {
      label: 'Insert %%jaxtrace in This Cell',
      caption: 'Record this cell whenever it runs',
      isEnabled: () => Boolean(current()?.actions.insertMagic),
      describedBy: NO_ARGUMENTS,
      execute: () => {
        current()?.actions.insertMagic?.();
      }
    });
    for (const command of [CommandIDs.recordAll, CommandIDs.insertMagic]) {
      palette?.addItem({ command, category: CATEGORY });
    }
  }
};
