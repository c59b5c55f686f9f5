import type { ICellModel } from '@jupyterlab/cells';
import {
  EditorExtensionRegistry,
  IEditorExtensionFactory
} from '@jupyterlab/codemirror';
import type { Session } from '../../../store';
import type { ITraces } from '../tokens';
import { cellBadge } from './badge';
import type { CellContext } from './cell-view';
import { cellMarks } from './extension';
import { NotebookCode } from './notebook-code';

/** Puts marks into the editor of every code cell, also of those that are made later. */
export function marksFactory(
  traces: ITraces,
  shared: Pick<CellContext, 'marks' | 'badges'>,
  openPanel: () => void
): IEditorExtensionFactory {
  const codes = new WeakMap<object, NotebookCode>();
  return {
    name: 'jax-trace-viz:marks',
    factory: ({ model }) => {
      // A cell's editor gets the cell's own model; in consoles and files there is no notebook.
      const { type, id, sharedModel } = model as Partial<ICellModel>;
      const notebook = sharedModel?.notebook;
      if (type !== 'code' || id === undefined || !notebook) {
        return null;
      }
      const { store } = traces.of(notebook);
      const code = codes.get(notebook) ?? new NotebookCode(store, notebook);
      codes.set(notebook, code);
      const openWhy = (session: Session): void => {
        const { newest, traces } = session.recording;
        const trace = traces.get(newest.tally.trace ?? '');
        if (trace) {
          store.showWhy(session, trace);
        } else {
          store.show(session.id);
        }
        openPanel();
      };
      const context = { ...shared, cell: id, store, code, openWhy };
      return EditorExtensionRegistry.createImmutableExtension([
        cellMarks(context),
        cellBadge(context)
      ]);
    }
  };
}
