import {
  expect,
  IJupyterLabPageFixture,
  test as base
} from '@jupyterlab/galata';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Locator, Page } from '@playwright/test';

/**
 * Galata answers for the kernels by itself and does not know restarts; here they are the server's own, in each spec that a
 * worker runs. Those of a test's own notebooks are shut down when it ends.
 */
export const test = base.extend({
  kernels: null,
  sessions: async ({ request, tmpPath }, use) => {
    await use(null);
    const listed = await request.get('/api/sessions');
    for (const { id, path } of (await listed.json()) as ISession[]) {
      if (path.startsWith(`${tmpPath}/`)) {
        await request.delete(`/api/sessions/${id}`);
      }
    }
  }
});

interface ISession {
  readonly id: string;
  readonly path: string;
}

export { expect };

export function execute(
  page: Page,
  id: string,
  args: Record<string, string> = {}
): Promise<void> {
  return page.evaluate(
    async ([command, values]) => {
      await window.jupyterapp.commands.execute(command, values);
    },
    [id, args] as const
  );
}

export function notebookWith(
  sources: readonly string[],
  kernel = 'python3'
): object {
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: {
        name: kernel,
        display_name: 'Python 3',
        language: 'python'
      }
    },
    cells: sources.map((source, i) => ({
      cell_type: 'code',
      id: `cell-${i}`,
      source,
      metadata: {},
      outputs: [],
      execution_count: null
    }))
  };
}

/** Opens a new notebook with these cells, and the panel beside it. */
export async function openNotebook(
  page: IJupyterLabPageFixture,
  path: string,
  sources: readonly string[]
): Promise<Locator> {
  const text = JSON.stringify(notebookWith(sources));
  await page.contents.uploadContent(text, 'text', path);
  return openFile(page, path);
}

export async function openFile(
  page: IJupyterLabPageFixture,
  path: string
): Promise<Locator> {
  await page.notebook.openByPath(path);
  await page.notebook.activate(path.split('/').pop() ?? path);
  return openPanel(page);
}

export async function openPanel(page: Page): Promise<Locator> {
  await execute(page, 'jax-trace:open-panel');
  const panel = page.getByRole('region', { name: 'JAX Trace' });
  await expect(panel).toBeVisible();
  return panel;
}

export function prompt(page: Page, cell: number): Locator {
  return page.locator('.jp-CodeCell').nth(cell).locator('.jp-InputPrompt');
}

export function output(page: Page, cell: number): Locator {
  return page.locator('.jp-CodeCell').nth(cell).locator('.jp-OutputArea');
}

/** How often the panel or an output says that a function was traced. */
export async function traces(where: Locator, name: string): Promise<number> {
  const row = where
    .getByRole('table', { name: 'Functions' })
    .getByRole('row', { name });
  const cells = row.getByRole('cell');
  if ((await row.count()) === 0) {
    return 0;
  }
  return Number((await cells.first().innerText()).replaceAll(',', ''));
}

/** Galata's page, which its own types do not tell. */
interface GalataPage {
  reload(options: { waitForIsReady: boolean }): Promise<unknown>;
}

export async function reload(page: IJupyterLabPageFixture): Promise<void> {
  // Galata would wait for a launcher.
  await (page as unknown as GalataPage).reload({ waitForIsReady: false });
  await page.waitForFunction(() => 'jupyterapp' in window);
  await page.evaluate(() => window.jupyterapp.restored);
  await page.locator('.jp-Notebook').first().waitFor();
}

export async function restartKernel(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { currentWidget } = window.jupyterapp.shell;
    const { sessionContext } = currentWidget as unknown as NotebookPanel;
    await sessionContext.session?.kernel?.restart();
  });
}

/** Runs cells; Galata would look for each by scrolling through all of them. */
export async function runByIndex(
  page: Page,
  ...cells: readonly number[]
): Promise<void> {
  await page.evaluate(async indices => {
    const { shell, commands } = window.jupyterapp;
    const { content } = shell.currentWidget as unknown as NotebookPanel;
    for (const index of indices) {
      content.activeCellIndex = index;
      content.deselectAll();
      await commands.execute('notebook:run-cell');
    }
  }, cells);
}

/** Starts a cell and goes on while it runs, whatever happens to the page. */
export async function startCell(
  page: IJupyterLabPageFixture,
  cell: number
): Promise<void> {
  await page.notebook.selectCells(cell);
  await page.evaluate(() => {
    void window.jupyterapp.commands.execute('notebook:run-cell');
  });
  await expect(prompt(page, cell)).toHaveText('[*]:');
}

/** Playwright does not know the roles of Graphics-ARIA. */
export function graph(where: Locator, name: string): Locator {
  return where.locator(
    `[role="graphics-document"][aria-label="Computation graph of ${name}"]`
  );
}

/** Runs the cells of a new notebook, of which the last traces a function, and shows the function's graph in its output. */
export async function openGraph(
  page: IJupyterLabPageFixture,
  path: string,
  sources: readonly string[],
  name: string
): Promise<Locator> {
  await openNotebook(page, path, sources);
  for (const cell of sources.keys()) {
    await page.notebook.runCell(cell, true);
  }
  const shown = output(page, sources.length - 1);
  await shown.getByRole('tab', { name: 'Graph' }).click();
  await expect(graph(shown, name)).toBeVisible();
  return shown;
}

/** Shuts all kernels down: a notebook that is opened then gets a new one. */
export async function shutDownKernels(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await window.jupyterapp.serviceManager.sessions.shutdownAll();
  });
}
