import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator, TranslationBundle } from '@jupyterlab/translation';
import { addIcon } from '@jupyterlab/ui-components';
import {
  CATEGORY,
  CommandIDs,
  CommandRegistry,
  NO_ARGUMENTS,
  complain,
  language
} from './commands';
import { icon } from './icons';
import { INotebookTraces, ITraces } from './tokens';

/** Commands that begin a recording in the current notebook. */
export const recording: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:recording',
  description: 'Commands that record how JAX traces the current notebook.',
  autoStart: true,
  requires: [ITraces],
  optional: [ICommandPalette, ITranslator],
  activate: (
    { commands }: JupyterFrontEnd,
    all: ITraces,
    palette: ICommandPalette | null,
    translator: ITranslator | null
  ): void => {
    const trans = language(translator);
    const current = (): INotebookTraces | null => all.current;
    commands.addCommand(CommandIDs.recordAll, {
      label: trans.__('Record All Cells'),
      caption: trans.__(
        'Record how JAX traces every cell of the current notebook, or stop'
      ),
      icon,
      isToggleable: true,
      isToggled: () => current()?.store.connection.recording ?? false,
      isEnabled: () => {
        const actions = current()?.actions;
        return Boolean(actions?.record ?? actions?.load);
      },
      describedBy: {
        args: {
          type: 'object',
          properties: {
            on: {
              type: 'boolean',
              description: trans.__(
                'Whether to record; if not given, the opposite of now'
              )
            }
          }
        }
      },
      execute: async ({ on }) => {
        const { actions, store } = current() ?? {};
        const wanted =
          typeof on === 'boolean' ? on : !store?.connection.recording;
        actions?.record?.(wanted);
        if (wanted) {
          await actions?.load?.().catch(complain);
        }
      }
    });
    addInsertion(commands, current, trans);
    for (const command of [CommandIDs.recordAll, CommandIDs.insertMagic]) {
      palette?.addItem({ command, category: CATEGORY });
    }
  }
};

function addInsertion(
  commands: CommandRegistry,
  current: () => INotebookTraces | null,
  trans: TranslationBundle
): void {
  commands.addCommand(CommandIDs.insertMagic, {
    label: trans.__('Insert %%%%jaxtrace in This Cell'),
    caption: trans.__('Record this cell whenever it runs'),
    icon: addIcon,
    isEnabled: () => Boolean(current()?.actions.insertMagic),
    describedBy: NO_ARGUMENTS,
    execute: () => {
      current()?.actions.insertMagic?.();
    }
  });
}
