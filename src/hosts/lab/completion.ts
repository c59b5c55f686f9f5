import type { ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { JSONObject } from '@lumino/coreutils';
import { fallbackHtml } from '../../model';
import { MIME_TYPE, Update } from '../../protocol';
import { Session, snapshot } from '../../store';
import type { INotebookTraces } from './tokens';

/** How long JupyterLab itself has to complete an output, in milliseconds. */
const PATIENCE = 3000;

/**
 * Completes the outputs of cells that ended after the page was reloaded: JupyterLab has lost the tie between such an output
 * and its kernel, and the notebook would be saved with a recording that says it is still running.
 */
export function completeOutputs(
  panel: NotebookPanel,
  traces: INotebookTraces
): void {
  const { store } = traces;
  const seen = new Set<string>();
  const leave = store.changed.subscribe(() => {
    for (const session of store.sessions) {
      if (!seen.has(session.id) && hasEnded(session)) {
        seen.add(session.id);
        setTimeout(() => void complete(panel, traces, session.id), PATIENCE);
      }
    }
  });
  panel.context.disposed.connect(leave);
}

function hasEnded({ recording }: Session): boolean {
  const { state } = recording.newest;
  return state === 'ok' || state === 'error';
}

async function complete(
  panel: NotebookPanel,
  { store, link }: INotebookTraces,
  id: string
): Promise<void> {
  if (panel.context.isDisposed || unfinished(panel, id).length === 0) {
    return;
  }
  await link?.questions.complete(id);
  const session = store.latest(id);
  if (session) {
    const update = snapshot(session.recording);
    for (const { cell, index } of unfinished(panel, id)) {
      const output = cell.outputs.get(index).toJSON();
      cell.outputs.set(index, { ...output, data: bundle(update) });
    }
  }
}

function bundle(update: Update): JSONObject {
  return {
    [MIME_TYPE]: update as unknown as JSONObject,
    'text/html': fallbackHtml(update),
    'text/plain': update.verdict
  };
}

/** The outputs that hold a session which is running as far as they know. */
function unfinished(
  panel: NotebookPanel,
  id: string
): { cell: ICodeCellModel; index: number }[] {
  return [...(panel.context.isDisposed ? [] : panel.context.model.cells)]
    .filter((cell): cell is ICodeCellModel => cell.type === 'code')
    .flatMap(cell =>
      Array.from({ length: cell.outputs.length }, (_, index) => index)
        .filter(index => {
          const data = cell.outputs.get(index).data[MIME_TYPE];
          const { session, state } = (data ?? {}) as Partial<Update>;
          return session === id && state === 'running';
        })
        .map(index => ({ cell, index }))
    );
}
