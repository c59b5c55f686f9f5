import {
  ILayoutRestorer,
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IStateDB } from '@jupyterlab/statedb';
import { ITranslator } from '@jupyterlab/translation';
import { Arranged, Toggle } from '../../store';
import { CATEGORY, CommandIDs, NO_ARGUMENTS, language } from './commands';
import { icon } from './icons';
import { Looks, remember } from './memory';
import { forEachNotebook, identityOf } from './notebook';
import { TracePanel } from './panel';
import { IMarks, ITraces } from './tokens';

const PANEL_RANK = 900;

/** The sidebar. */
export const sidebar: JupyterFrontEndPlugin<void> = {
  id: 'jax-trace-viz:panel',
  description:
    'A side panel that shows the JAX traces of the current notebook.',
  autoStart: true,
  requires: [ITraces, INotebookTracker],
  optional: [ILayoutRestorer, ICommandPalette, IMarks, IStateDB, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    all: ITraces,
    tracker: INotebookTracker,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    marks: Toggle | null,
    state: IStateDB | null,
    translator: ITranslator | null
  ): void => {
    const arranged = new Arranged();
    const widget = new TracePanel({ marks, arranged });
    const follow = (): void => {
      const { current } = all;
      const isNotebook = tracker.find(
        panel => all.of(identityOf(panel)) === current
      );
      widget.follow(current, isNotebook !== undefined);
    };
    all.currentChanged.connect(follow);
    follow();
    restorer?.add(widget, widget.id);
    app.shell.add(widget, 'right', { rank: PANEL_RANK, type: 'JAX Trace' });
    if (state) {
      void remember(state, arranged);
      rememberLooks(state, all, tracker);
    }
    addCommands(app, widget, arranged, translator);
    for (const command of [CommandIDs.openPanel, CommandIDs.showHelp]) {
      palette?.addItem({ command, category: CATEGORY });
    }
  }
};

/** Once for each notebook, in however many views it is. */
function rememberLooks(
  state: IStateDB,
  all: ITraces,
  tracker: INotebookTracker
): void {
  const looks = new Looks(state);
  const met = new WeakSet();
  forEachNotebook(tracker, panel => {
    const { store } = all.of(identityOf(panel));
    if (!met.has(store)) {
      met.add(store);
      void looks.follow(panel.context.path, store);
    }
  });
}

function addCommands(
  { commands, shell }: JupyterFrontEnd,
  widget: TracePanel,
  arranged: Arranged,
  translator: ITranslator | null
): void {
  const trans = language(translator);
  commands.addCommand(CommandIDs.openPanel, {
    label: trans.__('Show JAX Trace'),
    caption: trans.__(
      'Show how JAX traced the functions of the current notebook'
    ),
    icon,
    describedBy: NO_ARGUMENTS,
    execute: () => {
      shell.activateById(widget.id);
    }
  });
  commands.addCommand(CommandIDs.showHelp, {
    label: trans.__('Keys, Signs and Words of JAX Trace'),
    caption: trans.__('Explain the keys, the signs and the words of the panel'),
    describedBy: NO_ARGUMENTS,
    execute: () => {
      arranged.set({ help: true });
      shell.activateById(widget.id);
    }
  });
}
