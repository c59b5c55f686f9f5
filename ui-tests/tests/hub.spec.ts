import { expect } from '@playwright/test';
import { execute, openPanel, output, prompt, traces } from './lab';
import { test, visit } from './server';
import { Watched } from './watching';

const SETUP = `import jax, jax.numpy as jnp, jax_trace_viz
from jax_trace_viz.jupyter.widget import TraceWidget
@jax.jit
def f(x):
    return jnp.sin(x).sum()`;

const WIDGET = `with jax_trace_viz.trace() as session:
    f(jnp.ones(3))
TraceWidget(session)`;

// Galata's server is wide open, at `/`, and would not notice a request that forgets where it lives.
test('all works under the address of a JupyterHub user, behind token and XSRF check', async ({
  page,
  serve
}) => {
  const server = await serve({
    base: '/user/jo/',
    notebooks: { 'hub.ipynb': [SETUP, 'f(jnp.ones(2))', WIDGET] }
  });
  const watched = new Watched(page);
  await visit(page, server, 'lab/tree/hub.ipynb');
  const panel = await openPanel(page);
  await panel
    .getByRole('button', { name: 'Load it and record all cells' })
    .click();
  await expect(
    panel.getByRole('checkbox', { name: 'Record all cells' })
  ).toBeChecked();

  await execute(page, 'notebook:run-all-cells');
  await expect.poll(() => traces(panel, 'f')).toBe(1);
  await expect(prompt(page, 2)).toHaveText('[3]:');
  await expect.poll(() => traces(output(page, 2), 'f')).toBe(1);

  await execute(page, 'docmanager:save');
  await page.reload();
  await page.locator('.jp-Notebook').waitFor();
  const again = await openPanel(page);
  await expect.poll(() => traces(again, 'f')).toBe(1);

  expect(watched.outside(server.url)).toEqual([]);
  expect(watched.complaints).toEqual([]);
});
