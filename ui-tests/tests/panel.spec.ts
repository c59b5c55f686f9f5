import { readFile } from 'node:fs/promises';
import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import type { Locator } from '@playwright/test';
import {
  execute,
  expect,
  openNotebook,
  openPanel,
  output,
  reload,
  test,
  traces
} from './lab';
import { Watched } from './watching';

const SETUP = `import jax, jax.numpy as jnp
W = jnp.ones((300, 300))

@jax.jit
def inner(x):
    return jnp.tanh(x) + W[0, 0]

@jax.jit
def outer(x):
    return inner(x).sum()`;

/** Three recordings: the first traces, the second retraces, the third only hits. */
const CALLS = ['outer(jnp.ones(3))', 'outer(jnp.ones(4))', 'outer(jnp.ones(3))'];

async function record(
  page: IJupyterLabPageFixture,
  path: string
): Promise<Locator> {
  const cells = CALLS.map(call => `%%jaxtrace\n${call}`);
  const sources = ['%load_ext jax_trace_viz', SETUP, ...cells];
  const panel = await openNotebook(page, path, sources);
  for (const [cell] of sources.entries()) {
    await page.notebook.runCell(cell, true);
  }
  await expect(panel.locator('.jtv-verdict')).toContainText('cache hit');
  return panel;
}

const section = (panel: Locator, name: string): Locator =>
  panel.getByRole('button', { name: new RegExp(`^${name}`) });

test('the panel answers for the whole notebook, and is found as it was left', async ({
  page,
  tmpPath
}) => {
  const watched = new Watched(page);
  const panel = await record(page, `${tmpPath}/panel.ipynb`);
  const status = panel.locator('.jtv-verdict');

  await test.step('functions of all recordings, sorted', async () => {
    await panel.getByRole('checkbox', { name: 'All recordings' }).check();
    await expect.poll(() => traces(panel, 'outer')).toBe(2);
    await panel.getByRole('button', { name: 'Function', exact: true }).click();
    const table = panel.getByRole('table', { name: 'Functions' });
    await expect(table.getByRole('rowheader').first()).toContainText('inner');
  });

  await test.step('where traces come from', async () => {
    await panel.getByRole('combobox', { name: 'Recording' }).selectOption({
      index: 1
    });
    await section(panel, 'Where traces come from').click();
    const tree = panel.getByRole('tree');
    await expect(tree.getByRole('treeitem')).toHaveCount(3);
    await tree.getByRole('treeitem', { name: /^outer/ }).click();
    await expect(status).toContainText('outer was traced once');
  });

  await test.step('what is baked in', async () => {
    await section(panel, 'Baked in').click();
    const table = panel.getByRole('table', { name: 'Baked in' });
    await expect(table.getByRole('row', { name: 'W' }).first()).toContainText(
      'f32[300,300]'
    );
  });

  await test.step('two recordings side by side', async () => {
    await section(panel, 'Recordings').click();
    for (const box of [0, 1]) {
      await panel.getByRole('checkbox', { name: /^Compare/ }).nth(box).check();
    }
    const compared = panel.getByRole('table', { name: 'outer' });
    await expect(
      compared.getByRole('row', { name: 'retraced for' })
    ).toContainText('new shape x');
  });

  await test.step('all of it after a reload', async () => {
    // JupyterLab saves its state, and with it ours, some time after the last change.
    const saved = page.waitForResponse(
      response =>
        response.url().includes('/api/workspaces') &&
        (response.request().postData() ?? '').includes('"tab":"Jaxpr"')
    );
    await section(panel, 'Findings').click();
    await panel.getByRole('tab', { name: 'Jaxpr' }).click();
    await page.notebook.save();
    await saved;
    await reload(page);
    const again = await openPanel(page);
    await expect(section(again, 'Findings')).toHaveAttribute(
      'aria-expanded',
      'false'
    );
    await expect(again.locator('.jtv-verdict')).toContainText(
      'outer was traced once'
    );
    await expect(again.getByRole('tab', { name: 'Jaxpr' })).toHaveAttribute(
      'aria-selected',
      'true'
    );
  });
  const ours = watched.complaints.filter(text => /jax|jtv/i.test(text));
  expect(ours).toEqual([]);
});

test('what is used in an output is shown in the panel, and there is a way back', async ({
  page,
  tmpPath
}) => {
  const panel = await record(page, `${tmpPath}/linked.ipynb`);
  const status = panel.locator('.jtv-verdict');
  const item = page.locator('.jtv-status');
  await expect(item).toContainText('JAX ↻ 1 retrace');

  await output(page, 2)
    .getByRole('table', { name: 'Functions' })
    .getByRole('button', { name: 'inner' })
    .click();
  await expect(status).not.toContainText('cache hit');
  const shown = panel.getByRole('row', { name: 'inner' });
  await expect(shown).toHaveAttribute('data-shown', 'true');
  await panel.getByRole('button', { name: /^Back/ }).click();
  await expect(status).toContainText('cache hit');
  await panel.getByRole('tab', { name: 'Source' }).press('Alt+ArrowRight');
  await expect(status).not.toContainText('cache hit');

  await item.getByRole('button').click();
  await execute(page, 'jax-trace:show-why');
  await expect(panel.getByText('Why was outer traced')).toBeVisible();
  await expect(panel).toBeFocused();
  await panel
    .getByRole('button', { name: 'Show the trace that it was compared with' })
    .press('Enter');
  await expect(status).toContainText('none retraced');
  await expect(panel.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(panel.getByText('Why was outer traced')).toBeVisible();

  await page.notebook.selectCells(2);
  await page.locator('.jp-CodeCell').nth(2).locator('.jtv-badge button').click();
  await expect(status).toContainText('none retraced');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(panel.getByText('Why was outer traced')).toBeVisible();

  await panel.getByRole('button', { name: /^Pause/ }).click();
  await page.notebook.setCell(4, 'code', '%%jaxtrace\nouter(jnp.ones(7))');
  await page.notebook.runCell(4, true);
  await expect(panel.getByText('something new was recorded')).toBeVisible();
  await panel.getByRole('button', { name: 'Go on with the view' }).click();
  await expect(status).toContainText('f32[7]');
  await panel.getByRole('button', { name: /^Clear/ }).click();
  await expect(status).toHaveText('Nothing recorded yet.');
});

test('recordings are exported by the kernel that recorded them', async ({
  page,
  tmpPath
}) => {
  const panel = await record(page, `${tmpPath}/export.ipynb`);
  await panel.getByRole('combobox', { name: 'Recording' })
    .selectOption({ index: 1 });
  const saved = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download');
    await panel.getByRole('button', { name }).click();
    return readFile(await (await download).path(), 'utf8');
  };
  await panel.getByRole('button', { name: 'Export this recording' }).click();
  const document = JSON.parse(await saved('JSON document')) as {
    functions: { name: string }[];
  };
  expect(document.functions.map(({ name }) => name)).toContain('outer');
  expect(await saved('HTML report')).toContain('f32[4]');
  expect(await saved('Chrome trace')).toContain('traceEvents');
  expect(await saved('SVG of the graph')).toContain('<svg');
});
