import { expect, Page, test } from '@playwright/test';
import { axeFaults } from './axe';
import { execute, notebookWith, openPanel, output, traces } from './lab';

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp, time
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in range(1, 9):
    f(jnp.ones(n))
    time.sleep(0.5)`;

// Galata's pages are those of JupyterLab.
test('Notebook 7 has the same output and the same panel', async ({
  page,
  request
}) => {
  const content = notebookWith(['%load_ext jax_trace_viz', CELL]);
  await request.put('/api/contents/seven.ipynb', {
    data: { type: 'notebook', format: 'json', content }
  });
  await page.goto('/notebooks/seven.ipynb');
  await ready(page);
  const panel = await openPanel(page);
  await expect(panel.getByRole('status')).toContainText('has not loaded');

  await page.evaluate(() => {
    void window.jupyterapp.commands.execute('notebook:run-all-cells');
  });
  await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(1);
  await expect(panel.getByRole('status')).toContainText('Recording');
  await expect.poll(() => traces(panel, 'f'), { timeout: 30_000 }).toBe(8);
  await expect.poll(() => traces(output(page, 1), 'f')).toBe(8);
  expect(await axeFaults(page.locator('body'))).toEqual([]);
  await execute(page, 'notebook:shutdown-kernel').catch(() => undefined);
});

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => 'jupyterapp' in window);
  await page.evaluate(() => window.jupyterapp.restored);
  await page.locator('.jp-Notebook').waitFor();
}
