import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator, TranslationBundle } from '@jupyterlab/translation';
import { retracesIn } from '../../model';
import type { Trace } from '../../protocol';
import type { Session } from '../../store';
import type { ExportFormat } from '../../views';
import {
  CATEGORY,
  CommandIDs,
  CommandRegistry,
  NO_ARGUMENTS,
  complain,
  language,
  showPanel
} from './commands';
import {
  backIcon,
  clearIcon,
  exportIcon,
  forwardIcon,
  pauseIcon
} from './icons';
import { INotebookTraces, ITraces } from './tokens';

type Current = () => INotebookTraces | null;

/** Commands on what is shown of the current notebook's recordings. */
export const viewing: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:viewing',
  description:
    'Commands that pause, clear, export and walk through recorded JAX traces.',
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
    const current: Current = () => all.current;
    addViewCommands(commands, current, trans);
    addWalk(commands, current, trans);
    addWhy(commands, current, trans);
    addExport(commands, current, trans);
    const { clear, goBack, goForward, pauseView, showWhy } = CommandIDs;
    for (const command of [pauseView, clear, goBack, goForward, showWhy]) {
      palette?.addItem({ command, category: CATEGORY });
    }
    for (const format of Object.keys(FORMATS)) {
      palette?.addItem({
        command: CommandIDs.exportSession,
        category: CATEGORY,
        args: { format }
      });
    }
  }
};

function addViewCommands(
  commands: CommandRegistry,
  current: Current,
  trans: TranslationBundle
): void {
  commands.addCommand(CommandIDs.pauseView, {
    label: trans.__('Pause the View of JAX Traces'),
    caption: trans.__(
      'Let what is shown stand still; recording goes on, and nothing is lost'
    ),
    icon: pauseIcon,
    isToggleable: true,
    isToggled: () => current()?.store.isPaused ?? false,
    isEnabled: () => current() !== null,
    describedBy: NO_ARGUMENTS,
    execute: () => {
      const store = current()?.store;
      store?.pause(!store.isPaused);
    }
  });
  commands.addCommand(CommandIDs.clear, {
    label: trans.__('Clear JAX Traces'),
    caption: trans.__(
      'Take the recordings of the current notebook out of the panel; cells keep theirs'
    ),
    icon: clearIcon,
    isEnabled: () => (current()?.store.sessions.length ?? 0) > 0,
    describedBy: NO_ARGUMENTS,
    execute: () => current()?.store.clear()
  });
}

function addWalk(
  commands: CommandRegistry,
  current: Current,
  trans: TranslationBundle
): void {
  commands.addCommand(CommandIDs.goBack, {
    label: trans.__('Back to the JAX Trace Shown Before'),
    caption: trans.__('Show what was looked at before'),
    icon: backIcon,
    isEnabled: () => current()?.store.viewing.history.canGoBack ?? false,
    describedBy: NO_ARGUMENTS,
    execute: () => current()?.store.go('back')
  });
  commands.addCommand(CommandIDs.goForward, {
    label: trans.__('Forward to the Next JAX Trace'),
    caption: trans.__('Undo a step back'),
    icon: forwardIcon,
    isEnabled: () => current()?.store.viewing.history.canGoForward ?? false,
    describedBy: NO_ARGUMENTS,
    execute: () => current()?.store.go('forward')
  });
}

function addWhy(
  commands: CommandRegistry,
  current: Current,
  trans: TranslationBundle
): void {
  const found = (): { session: Session; trace: Trace } | null => {
    const { store, panel } = current() ?? {};
    const cell = panel?.content.activeCell?.model.id;
    const own = cell === undefined ? null : store?.ofCell(cell);
    const others = [...(store?.sessions ?? [])].reverse();
    for (const session of [own, store?.shown, ...others]) {
      const [trace] = session ? retracesIn(session.recording) : [];
      if (session && trace) {
        return { session, trace };
      }
    }
    return null;
  };
  commands.addCommand(CommandIDs.showWhy, {
    label: trans.__('Why Was It Traced Again?'),
    caption: trans.__(
      'Show what caused a retrace of the selected cell, or else of the notebook'
    ),
    isEnabled: () => found() !== null,
    describedBy: NO_ARGUMENTS,
    execute: async () => {
      const why = found();
      if (why) {
        current()?.store.showWhy(why.session, why.trace);
        await showPanel(commands);
      }
    }
  });
}

/** Formats and their names. */
const FORMATS: Record<ExportFormat, string> = {
  json: 'JSON',
  html: 'HTML',
  svg: 'SVG',
  chrome_trace: 'Chrome Trace'
};

function addExport(
  commands: CommandRegistry,
  current: Current,
  trans: TranslationBundle
): void {
  commands.addCommand(CommandIDs.exportSession, {
    label: ({ format }) => {
      const name = FORMATS[format as ExportFormat] as string | undefined;
      return trans.__('Export JAX Traces as %1', name ?? FORMATS.json);
    },
    caption: trans.__(
      'Save the recording that is shown as a file; the kernel that recorded it makes it'
    ),
    icon: exportIcon,
    isEnabled: () => {
      const traces = current();
      const { shown } = traces?.store ?? {};
      return Boolean(shown && !shown.cutOff && traces?.actions.exportAs);
    },
    describedBy: {
      args: {
        type: 'object',
        properties: {
          format: {
            type: 'string',
            enum: Object.keys(FORMATS),
            default: 'json',
            description: trans.__('The form of the file')
          }
        }
      }
    },
    execute: async ({ format }) => {
      const { store, actions } = current() ?? {};
      const form = (format ?? 'json') as ExportFormat;
      if (store?.shown && form in FORMATS) {
        await actions?.exportAs?.(store.shown, form).catch(complain);
      }
    }
  });
}
