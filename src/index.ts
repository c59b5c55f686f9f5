import { plugins } from './hosts/lab/plugins';

export { ITraces } from './hosts/lab/tokens';
export type { INotebookTraces } from './hosts/lab/tokens';

export default plugins;
