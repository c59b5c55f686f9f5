import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Toggle } from '../../store';
import { marksFactory } from './editor/factory';
import { IMarks, ITraces } from './tokens';

export const toggleMarks = 'jax-trace:toggle-marks';

const ID = 'jax-trace-viz:marks';

/** The setting's name in schema/marks.json. */
const SETTING = 'showMarks';

/** Marks on the lines of cells. */
export const marks: JupyterFrontEndPlugin<Toggle> = {
  id: ID,
  description:
    'Shows on the lines of a cell what was traced, static and baked in.',
  autoStart: true,
  provides: IMarks,
  requires: [ITraces, IEditorExtensionRegistry],
  optional: [ISettingRegistry, ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    traces: ITraces,
    editors: IEditorExtensionRegistry,
    registry: ISettingRegistry | null,
    palette: ICommandPalette | null
  ): Toggle => {
    const toggle = new Toggle(true);
    editors.addExtension(marksFactory(traces, toggle));
    if (registry) {
      void follow(registry, toggle);
    }
    app.commands.addCommand(toggleMarks, {
      label: 'Show Trace Marks in Cells',
      caption:
        'Show on the lines of traced cells what was traced, static and baked in',
      isToggleable: true,
      isToggled: () => toggle.on,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => {
        toggle.set(!toggle.on);
      }
    });
    toggle.changed.subscribe(() => {
      app.commands.notifyCommandChanged(toggleMarks);
    });
    palette?.addItem({ command: toggleMarks, category: 'JAX' });
    return toggle;
  }
};

/** Keeps the setting and the toggle alike, whichever of them changes. */
async function follow(
  registry: ISettingRegistry,
  toggle: Toggle
): Promise<void> {
  const settings = await registry.load(ID);
  const read = (): void => {
    toggle.set(settings.composite[SETTING] !== false);
  };
  read();
  settings.changed.connect(read);
  toggle.changed.subscribe(() => {
    if (settings.composite[SETTING] !== toggle.on) {
      void settings.set(SETTING, toggle.on);
    }
  });
}
