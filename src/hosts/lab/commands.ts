import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import {
  ITranslator,
  TranslationBundle,
  nullTranslator
} from '@jupyterlab/translation';
import { errorWords } from '../../model';

export type CommandRegistry = JupyterFrontEnd['commands'];

export const CommandIDs = {
  clear: 'jax-trace:clear',
  exportSession: 'jax-trace:export-session',
  goBack: 'jax-trace:go-back',
  goForward: 'jax-trace:go-forward',
  insertMagic: 'jax-trace:insert-magic',
  openPanel: 'jax-trace:open-panel',
  pauseView: 'jax-trace:pause-view',
  recordAll: 'jax-trace:record-all',
  showHelp: 'jax-trace:show-help',
  showWhy: 'jax-trace:show-why',
  toggleMarks: 'jax-trace:toggle-marks'
} as const;

/** Where the commands stand in the palette. */
export const CATEGORY = 'JAX';

/** What a command takes that takes nothing. */
export const NO_ARGUMENTS = {
  args: { type: 'object', properties: {} }
} as const;

/** Shows the panel, unless its plugin is disabled. */
export async function showPanel(commands: CommandRegistry): Promise<void> {
  if (commands.hasCommand(CommandIDs.openPanel)) {
    await commands.execute(CommandIDs.openPanel);
  }
}

/** Tells why a command came to nothing, until it is read. */
export function complain(reason: unknown): void {
  Notification.error(errorWords(reason), { autoClose: false });
}

/** Our words in the user's language. */
export function language(translator: ITranslator | null): TranslationBundle {
  return (translator ?? nullTranslator).load('jax_trace_viz');
}
