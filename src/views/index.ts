export { downloadFile } from './actions';
export type { Actions, PanelActions } from './actions';
export { mountPanel, mountSession } from './mount';
export type { SessionOptions } from './mount';
