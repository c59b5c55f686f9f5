export { downloadFile } from './actions';
export type { Actions, ExportFormat, PanelActions } from './actions';
export { mountPanel, mountSession } from './mount';
export type { PanelOptions, SessionOptions } from './mount';
