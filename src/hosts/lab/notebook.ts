// Types only: a value imported from a package that JupyterLab does not share would be a second copy of it.
import type { ICellModel, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { MIME_TYPE, Place, Update, parseUpdate } from '../../protocol';
import type { SessionStore } from '../../store';

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

/** Puts the cursor on a line of the cell whose code it is, if one of the recordings knows that cell. */
export function revealPlace(
  panel: NotebookPanel,
  store: SessionStore,
  place: Place
): void {
  const { content } = panel;
  const ids = store.sessions
    .map(({ recording }) => recording.newest.cell)
    .filter(({ file }) => file === place.file)
    .map(({ id }) => id);
  const index = content.widgets.findIndex(cell => ids.includes(cell.model.id));
  const cell = content.widgets[index];
  if (cell) {
    content.activeCellIndex = index;
    void content.scrollToItem(index).then(() => {
      const source = cell.model.sharedModel.getSource();
      const line = place.line - 1 + blankLinesAbove(source);
      cell.editor?.setCursorPosition({ line, column: 0 });
      cell.editor?.focus();
    });
  }
}

/** Puts the magic on the first line of the selected cell, or of the next one that holds code. */
export function insertMagic({ content }: NotebookPanel): void {
  const { widgets, activeCellIndex } = content;
  const index = widgets.findIndex(
    (cell, i) => i >= activeCellIndex && cell.model.type === 'code'
  );
  const cell = widgets[index];
  if (cell) {
    const { sharedModel } = cell.model;
    // It may stand below `%%time` and the like.
    if (!/^\s*(?:%%.*\n\s*)*?%%jaxtrace\b/.test(sharedModel.getSource())) {
      sharedModel.updateSource(0, 0, '%%jaxtrace\n');
    }
    content.activeCellIndex = index;
    cell.editor?.focus();
  }
}

/** One function, called with two shapes: the smallest program that has something to tell. */
const EXAMPLE = `%%jaxtrace
import jax
import jax.numpy as jnp

@jax.jit
def mean(x):
    return jnp.sum(x) / x.size

mean(jnp.ones(3))
mean(jnp.ones(3))
mean(jnp.ones(4))`;

/** Puts a cell with an example below the selected one, and selects it. */
export function insertExample({ content }: NotebookPanel): void {
  const index = content.activeCellIndex + 1;
  content.model?.sharedModel.insertCell(index, {
    cell_type: 'code',
    source: EXAMPLE
  });
  content.activeCellIndex = index;
}

/** IPython drops blank lines at the top before it counts. */
export function blankLinesAbove(source: string): number {
  const blank = /^(?:[^\S\n]*\n)*/.exec(source)?.[0] ?? '';
  return blank.split('\n').length - 1;
}

export function hasCell(panel: NotebookPanel, id: string): boolean {
  return [...panel.context.model.cells].some(cell => cell.id === id);
}
