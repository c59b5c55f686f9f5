import type { NotebookPanel } from '@jupyterlab/notebook';
import { Token } from '@lumino/coreutils';
import type { SessionStore, Toggle } from '../../store';
import type { PanelActions } from '../../views';
import type { KernelLink } from './kernel-link';

/** What one notebook knows of its traces, and how it asks for more. */
export interface INotebookTraces {
  readonly store: SessionStore;
  readonly actions: PanelActions;
  /** Set as long as the notebook is open and our kernel plugin is enabled. */
  link: KernelLink | null;
  /** The view of the notebook that was used last. */
  panel: NotebookPanel | null;
}

/** The traces of every open notebook. */
export interface ITraces {
  /** @param notebook - its shared model; whoever asks first makes the entry. */
  of(notebook: object): INotebookTraces;
}

export const ITraces = new Token<ITraces>(
  'jax-trace-viz:ITraces',
  'The recorded JAX traces of each open notebook.'
);

export const IMarks = new Token<Toggle>(
  'jax-trace-viz:IMarks',
  'Whether the lines of traced cells are marked.'
);
