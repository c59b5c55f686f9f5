import { galata } from '@jupyterlab/galata';
import { execute, expect, openNotebook, test, traces } from './lab';

const SETUP = 'import jax, jax.numpy as jnp\nf = jax.jit(lambda x: x + 1)';

test('one click loads the extension in the kernel and records', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/click.ipynb`, [
    `${SETUP}\nf(1.0)`,
    'f(2.0)'
  ]);
  await panel
    .getByRole('button', { name: 'Load it and record all cells' })
    .click();
  await expect(
    panel.getByRole('checkbox', { name: 'Record all cells' })
  ).toBeChecked();
  await page.notebook.runCell(0);
  await expect.poll(() => traces(panel, '<lambda>')).toBe(1);

  // What the next cell calls is traced already: the panel leads to where.
  await page.notebook.runCell(1);
  await expect(panel.getByRole('status').first()).toContainText('cache hit');
  await panel.getByRole('button', { name: 'Show that recording' }).click();
  await expect.poll(() => traces(panel, '<lambda>')).toBe(1);
});

test('the magic is inserted once into the selected cell', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/insert.ipynb`, [
    '%load_ext jax_trace_viz',
    SETUP,
    'f(1.0)'
  ]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1);
  await page.notebook.selectCells(2);
  const insert = panel.getByRole('button', { name: /^Insert %%jaxtrace/ });
  await insert.click();
  await insert.click();
  await execute(page, 'jax-trace:insert-magic');
  const label = await page.evaluate(() =>
    window.jupyterapp.commands.label('jax-trace:insert-magic')
  );
  expect(label).toBe('Insert %%jaxtrace in This Cell');
  expect(await page.notebook.getCellTextInput(2)).toBe('%%jaxtrace\nf(1.0)');
  await page.notebook.runCell(2);
  await expect.poll(() => traces(panel, '<lambda>')).toBe(1);
});

test('all cells are recorded by command, in a kernel that has not loaded us', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/command.ipynb`, [
    `${SETUP}\nf(1.0)`
  ]);
  const box = panel.getByRole('checkbox', { name: 'Record all cells' });
  await expect(panel.getByRole('status')).toContainText('has not loaded');
  await execute(page, 'jax-trace:record-all');
  await expect(box).toBeChecked();
  await execute(page, 'jax-trace:record-all');
  await expect(box).not.toBeChecked();
});

test.describe('where kernels are to load the extension', () => {
  test.use({
    mockSettings: {
      ...galata.DEFAULT_SETTINGS,
      'jax-trace-viz:kernels': { loadInKernels: true }
    }
  });

  test('they do so by themselves', async ({ page, tmpPath }) => {
    const panel = await openNotebook(page, `${tmpPath}/itself.ipynb`, [
      `${SETUP}\nf(1.0)`
    ]);
    await expect(
      panel.getByRole('checkbox', { name: 'Record all cells' })
    ).toBeChecked();
    await page.notebook.runCell(0);
    await expect.poll(() => traces(panel, '<lambda>')).toBe(1);
  });
});
