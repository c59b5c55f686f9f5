import { expect, openNotebook, output, test, traces } from './lab';

const TRACE = (n: number) => `f(jnp.ones(${n}))`;

test('every cell is recorded when the panel is told so', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/all.ipynb`, [
    '%load_ext jax_trace_viz',
    'import jax, jax.numpy as jnp\n@jax.jit\ndef f(x):\n    return x.sum()',
    TRACE(1),
    TRACE(1),
    TRACE(2)
  ]);
  await page.notebook.runCell(0);
  await panel.getByRole('checkbox', { name: 'Record all cells' }).check();
  await page.notebook.runCell(1);
  await page.notebook.runCell(2);
  await expect.poll(() => traces(panel, 'f')).toBe(1);
  await page.notebook.runCell(3);
  await expect(panel.getByRole('status')).toContainText('cache hit');
  await page.notebook.runCell(4);
  await expect.poll(() => traces(panel, 'f')).toBe(1);

  // Only the cell that retraced says something unasked, in one line.
  for (const quiet of [1, 2, 3]) {
    await expect(output(page, quiet).getByRole('status')).toHaveCount(0);
  }
  const shown = output(page, 4);
  await expect(shown.getByRole('status')).toContainText('f was traced');
  await expect(shown.getByRole('table')).toHaveCount(0);
  await shown.getByRole('button', { name: 'Show trace' }).click();
  await expect(shown.getByRole('table', { name: 'Functions' })).toBeVisible();

  await panel.getByRole('checkbox', { name: 'Record all cells' }).uncheck();
  await page.notebook.setCell(2, 'code', TRACE(3));
  await page.notebook.runCell(2);
  await expect(output(page, 2).getByRole('status')).toHaveCount(0);
});

test('two notebooks on one kernel keep apart', async ({ page, tmpPath }) => {
  const cells = [
    '%load_ext jax_trace_viz',
    '%%jaxtrace\nimport jax\njax.jit(lambda x: x + 1)(1.0)'
  ];
  await openNotebook(page, `${tmpPath}/one.ipynb`, cells);
  await page.notebook.runCell(0);
  // A copy, with the same cell ids, on the same kernel.
  const panel = await openNotebook(page, `${tmpPath}/copy.ipynb`, cells);
  await page.evaluate(async ([one, copy]) => {
    const { sessions } = window.jupyterapp.serviceManager;
    await sessions.refreshRunning();
    const models = [...sessions.running()];
    const of = (path: string) => models.find(model => model.path === path);
    const kernel = of(one ?? '')?.kernel;
    const session = of(copy ?? '');
    if (kernel && session) {
      const connection = sessions.connectTo({ model: session });
      await connection.changeKernel({ id: kernel.id });
    }
  }, [`${tmpPath}/one.ipynb`, `${tmpPath}/copy.ipynb`]);
  await page.notebook.activate('one.ipynb');
  await page.notebook.runCell(1, true);
  await expect(panel.getByRole('status')).toContainText('traced');
  await page.notebook.activate('copy.ipynb');
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');
  // JupyterLab lets it have no comms, as the other notebook has them; it asks nevertheless.
  await page.notebook.runCell(1, true);
  await expect(panel.getByRole('status')).toContainText('traced');
  await panel.getByRole('checkbox', { name: 'Record all cells' }).check();
  await page.notebook.activate('one.ipynb');
  await expect(
    panel.getByRole('checkbox', { name: 'Record all cells' })
  ).toBeChecked();
});
