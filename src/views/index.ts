export { NO_ACTIONS, downloadFile } from './actions';
export type { Actions, ExportFormat, PanelActions } from './actions';
export { iconMarkup } from './icon';
export type { IconName } from './icon';
export { giveFocus } from './keep-focus';
export { mountPanel, mountSession } from './mount';
export type { PanelOptions, SessionOptions } from './mount';
