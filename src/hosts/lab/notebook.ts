// Types only: a value imported from a package that JupyterLab does not share would be a second copy of it.
import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { MIME_TYPE, Update, parseUpdate } from '../../protocol';

/** Calls back for every notebook that is open, and later for each that is opened. */
export function forEachNotebook(
  tracker: INotebookTracker,
  callback: (panel: NotebookPanel) => void
): void {
  tracker.forEach(callback);
  tracker.widgetAdded.connect((_, panel) => {
    callback(panel);
  });
}

/** What a notebook is known by, from whichever of its views. */
export function identityOf(panel: NotebookPanel): object {
  return panel.context.model.sharedModel;
}

/**
 * The recordings in a notebook's outputs, drawn or not.
 *
 * Each is taken as belonging to the cell that holds it: cells get new ids in copies, and at each load from old formats.
 */
export function recordingsIn(panel: NotebookPanel): Update[] {
  return [...panel.context.model.cells].flatMap(cell =>
    outputsOf(cell).flatMap(data => {
      const update = parseUpdate(data);
      return update
        ? [{ ...update, cell: { ...update.cell, id: cell.id } }]
        : [];
    })
  );
}

function outputsOf(cell: ICellModel): unknown[] {
  if (cell.type !== 'code') {
    return [];
  }
  const { outputs } = cell as ICodeCellModel;
  return Array.from(
    { length: outputs.length },
    (_, i) => outputs.get(i).data[MIME_TYPE]
  ).filter(data => data !== undefined);
}

export function hasCell(panel: NotebookPanel, id: string): boolean {
  return [...panel.context.model.cells].some(cell => cell.id === id);
}
