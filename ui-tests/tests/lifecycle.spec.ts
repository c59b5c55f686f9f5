import type { WebSocketRoute } from '@playwright/test';
import type { ConsolePanel } from '@jupyterlab/console';
import {
  execute,
  expect,
  openNotebook,
  output,
  prompt,
  startCell,
  test,
  traces
} from './lab';

const LOAD = '%load_ext jax_trace_viz';

/** Traces `f` anew four times a second. */
const SLOW = `%%jaxtrace
import jax, jax.numpy as jnp, time
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in range(1, 17):
    f(jnp.ones(n))
    time.sleep(0.25)`;

test('a kernel that is interrupted, cut off and shut down is followed', async ({
  page,
  tmpPath
}) => {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/channels/, socket => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.reload(); // the route holds for pages that are loaded later
  const panel = await openNotebook(page, `${tmpPath}/life.ipynb`, [LOAD, SLOW]);
  await page.notebook.runCell(0);
  const verdict = panel.getByRole('status').first();

  await test.step('interrupted', async () => {
    await startCell(page, 1);
    await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(1);
    await execute(page, 'notebook:interrupt-kernel');
    await expect(prompt(page, 1)).toHaveText('[2]:');
    await expect(output(page, 1)).toContainText('KeyboardInterrupt');
    await expect(verdict).not.toContainText('Recording');
    await expect(output(page, 1).getByRole('status')).toHaveText(
      await verdict.innerText()
    );
  });

  await test.step('cut off for a moment', async () => {
    await startCell(page, 1);
    // The panel may still show the run before; and what opens the output must not be cut off.
    await expect.poll(() => traces(output(page, 1), 'f')).toBeGreaterThan(1);
    await sockets.at(-1)?.close({ code: 1006 });
    await expect
      .poll(() => traces(panel, 'f'), { timeout: 30_000 })
      .toBe(16);
    expect(sockets.length).toBeGreaterThan(1);
    await expect(verdict).toContainText('f was traced 16×');
    await expect(prompt(page, 1)).toHaveText('[3]:');
    await expect.poll(() => traces(output(page, 1), 'f')).toBe(16);
  });

  await test.step('shut down', async () => {
    await execute(page, 'notebook:shutdown-kernel');
    await expect(panel).toContainText('There is no kernel');
    await expect(verdict).toContainText('f was traced 16×');
    await expect(
      panel.getByRole('checkbox', { name: 'Record all cells' })
    ).toBeDisabled();
  });
});

test('two notebooks with a kernel each are kept apart', async ({
  page,
  tmpPath
}) => {
  const cells = [
    LOAD,
    'import jax\n@jax.jit\ndef f(x):\n    return x + 1',
    'for n in (1, 1.0):\n    f(n)'
  ];
  const panel = await openNotebook(page, `${tmpPath}/one.ipynb`, cells);
  await page.notebook.runCell(0);
  const all = panel.getByRole('checkbox', { name: 'Record all cells' });
  await all.check();
  await openNotebook(page, `${tmpPath}/two.ipynb`, [...cells, 'f([])']);
  await expect(all).not.toBeChecked();
  await page.notebook.runCell(0);
  for (const cell of [1, 2, 3]) {
    await page.notebook.runCell(cell);
  }
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');
  await page.notebook.activate('one.ipynb');
  await expect(all).toBeChecked();
  await page.notebook.runCell(1);
  await page.notebook.runCell(2);
  await expect.poll(() => traces(panel, 'f')).toBe(2);
  await page.notebook.activate('two.ipynb');
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');
});

test('the panel follows a console as it follows a notebook', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/console.ipynb`, [LOAD]);
  await page.notebook.runCell(0);
  await execute(page, 'notebook:create-console');
  const shown = page.locator('.jp-CodeConsole');
  await shown.waitFor();
  await page.evaluate(async code => {
    const { commands, shell } = window.jupyterapp;
    const { console } = shell.currentWidget as unknown as ConsolePanel;
    const { path } = console.sessionContext;
    // It is done when the cell is, and the panel knows before.
    void commands.execute('console:inject', { path, code });
  }, `${SLOW.replace('17', '5')}
from pathlib import Path
while not Path("go").exists():
    time.sleep(0.1)`);
  await expect.poll(() => traces(panel, 'f')).toBe(4);
  await expect(panel.getByRole('status').first()).toContainText('Recording');
  await page.contents.uploadContent('', 'text', `${tmpPath}/go`);
  await expect(panel.getByRole('status').first()).toContainText(
    'f was traced 4×'
  );
  await expect.poll(() => traces(shown, 'f')).toBe(4);
  const marks = panel.getByRole('checkbox', { name: 'Marks in cells' });
  await expect(marks).toHaveCount(0);
  // One selection: what is clicked in the output is shown in the panel.
  const chosen = shown.getByRole('combobox', { name: 'Trace' });
  await chosen.selectOption({ index: 1 });
  await expect(panel.getByRole('combobox', { name: 'Trace' })).toHaveValue(
    await chosen.inputValue()
  );
  await page.locator('.jp-Notebook .cm-content').first().click();
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');
  await expect(marks).toBeChecked();
  await page.locator('.jp-CodeConsole-input .cm-content').click();
  await expect.poll(() => traces(panel, 'f')).toBe(4);
});
