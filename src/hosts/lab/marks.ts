import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { Toggle } from '../../store';
import { marksFactory } from './editor/factory';
import {
  CATEGORY,
  CommandIDs,
  NO_ARGUMENTS,
  language,
  showPanel
} from './commands';
import { followSetting } from './settings';
import { IMarks, ITraces } from './tokens';

const ID = 'jax-trace-viz:marks';

/** Marks on the lines of cells, and badges below them. */
export const marks: JupyterFrontEndPlugin<Toggle> = {
  id: ID,
  description:
    'Shows on the lines of a cell what was traced, static and baked in.',
  autoStart: true,
  provides: IMarks,
  requires: [ITraces, IEditorExtensionRegistry],
  optional: [ISettingRegistry, ICommandPalette, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    traces: ITraces,
    editors: IEditorExtensionRegistry,
    registry: ISettingRegistry | null,
    palette: ICommandPalette | null,
    translator: ITranslator | null
  ): Toggle => {
    const toggle = new Toggle(true);
    const badges = new Toggle(true);
    const { commands } = app;
    const trans = language(translator);
    editors.addExtension(
      marksFactory(traces, { marks: toggle, badges }, () => {
        void showPanel(commands);
      })
    );
    void registry?.load(ID).then(settings => {
      followSetting(settings, 'showMarks', toggle);
      followSetting(settings, 'showBadges', badges);
    });
    commands.addCommand(CommandIDs.toggleMarks, {
      label: trans.__('Show Trace Marks in Cells'),
      caption: trans.__(
        'Show on the lines of traced cells what was traced, static and baked in'
      ),
      isToggleable: true,
      isToggled: () => toggle.on,
      describedBy: NO_ARGUMENTS,
      execute: () => {
        toggle.set(!toggle.on);
      }
    });
    toggle.changed.subscribe(() => {
      commands.notifyCommandChanged(CommandIDs.toggleMarks);
    });
    palette?.addItem({
      command: CommandIDs.toggleMarks,
      category: CATEGORY
    });
    return toggle;
  }
};
