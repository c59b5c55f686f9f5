import type { NotebookPanel } from '@jupyterlab/notebook';
import { Token } from '@lumino/coreutils';
import type { ISignal } from '@lumino/signaling';
import type { SessionStore, Toggle } from '../../store';
import type { PanelActions } from '../../views';
import type { KernelLink } from './kernel-link';

/** What one notebook or console knows of its traces, and how it asks for more. */
export interface INotebookTraces {
  readonly store: SessionStore;
  readonly actions: PanelActions;
  /** Set as long as it is open and our kernel plugin is enabled. */
  link: KernelLink | null;
  /** The view of the notebook that was used last; a console has none. */
  panel: NotebookPanel | null;
}

/** The traces of every open notebook and console. */
export interface ITraces {
  /** @param owner - a notebook's shared model or a console's session context; whoever asks first makes the entry. */
  of(owner: object): INotebookTraces;
  /** Those of the notebook or console that was used last. */
  readonly current: INotebookTraces | null;
  readonly currentChanged: ISignal<ITraces, void>;
}

export const ITraces = new Token<ITraces>(
  'jax-trace-viz:ITraces',
  'The recorded JAX traces of each open notebook and console.'
);

export const IMarks = new Token<Toggle>(
  'jax-trace-viz:IMarks',
  'Whether the lines of traced cells are marked.'
);
