import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { Toggle } from '../../store';

/** Keeps a setting and a toggle alike, whichever of them changes. */
export function followSetting(
  settings: ISettingRegistry.ISettings,
  name: string,
  toggle: Toggle
): void {
  const read = (): void => {
    toggle.set(settings.composite[name] === true);
  };
  read();
  settings.changed.connect(read);
  toggle.changed.subscribe(() => {
    if (settings.composite[name] !== toggle.on) {
      void settings.set(name, toggle.on);
    }
  });
}
