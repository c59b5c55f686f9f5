import {
  expect,
  openNotebook,
  openPanel,
  output,
  prompt,
  reload,
  restartKernel,
  startCell,
  test,
  traces
} from './lab';

/** Traces `f` anew every half second. */
const SLOW = `%%jaxtrace
import jax, jax.numpy as jnp, time
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in range(1, 17):
    f(jnp.ones(n))
    time.sleep(0.5)
print("the last word")`;

test('the panel and the output follow a cell while it runs', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/live.ipynb`, [
    '%load_ext jax_trace_viz',
    SLOW
  ]);
  await expect(panel.getByRole('status')).toContainText('has not loaded');
  await page.notebook.runCell(0);
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');

  await startCell(page, 1);
  await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(1);
  await expect.poll(() => traces(output(page, 1), 'f')).toBeGreaterThan(1);
  await expect(prompt(page, 1)).toHaveText('[*]:');
  await expect(panel.getByRole('status')).toContainText('Recording');

  await expect(prompt(page, 1)).toHaveText('[2]:', { timeout: 30_000 });
  await expect.poll(() => traces(panel, 'f')).toBe(16);
  await expect(output(page, 1).getByRole('status')).toContainText(
    'f was traced 16×'
  );
  await expect(output(page, 1)).toContainText('the last word');
});

test('a page that is reloaded in the middle hears the rest', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/reload.ipynb`, [
    '%load_ext jax_trace_viz',
    SLOW
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1);
  await expect.poll(() => traces(output(page, 1), 'f')).toBeGreaterThan(1);
  await page.notebook.save();

  await reload(page);
  const panel = await openPanel(page);
  await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(2);
  await expect(panel.getByRole('status')).toContainText('Recording');
  await expect
    .poll(() => traces(panel, 'f'), { timeout: 30_000 })
    .toBe(16);
  await expect(panel.getByRole('status')).toContainText('f was traced 16×');

  // JupyterLab has lost the tie between the output and the cell; what is saved must be complete all the same.
  const html = async (): Promise<string> => {
    await page.notebook.save();
    const path = `/api/contents/${tmpPath}/reload.ipynb?content=1`;
    const { content } = await (await page.request.get(path)).json();
    return JSON.stringify(content.cells[1].outputs[0].data['text/html']);
  };
  await expect.poll(html, { timeout: 15_000 }).toContain('f was traced 16×');
  expect(await html()).toContain('data:image/svg+xml;base64,');
});

test('a second page hears the same cell', async ({ page, tmpPath, browser }) => {
  await openNotebook(page, `${tmpPath}/two.ipynb`, [
    '%load_ext jax_trace_viz',
    SLOW
  ]);
  await page.notebook.runCell(0);
  const context = await browser.newContext();
  const other = await context.newPage();
  const { origin } = new URL(page.url());
  await other.goto(`${origin}/lab/workspaces/second/tree/${tmpPath}/two.ipynb`);
  await other.waitForFunction(() => 'jupyterapp' in window);
  await other.locator('.jp-Notebook').waitFor();
  const panel = await openPanel(other);
  await expect(panel.getByRole('status')).toHaveText('Nothing recorded yet.');

  await startCell(page, 1);
  await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(1);
  await expect(panel.getByRole('status')).toContainText('Recording');
  await expect
    .poll(() => traces(panel, 'f'), { timeout: 30_000 })
    .toBe(16);
  await context.close();
});

test('a kernel that restarts is followed', async ({ page, tmpPath }) => {
  const panel = await openNotebook(page, `${tmpPath}/restart.ipynb`, [
    '%load_ext jax_trace_viz',
    SLOW
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1);
  await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(1);
  await restartKernel(page);
  await expect(panel).toContainText('The kernel has not loaded jax_trace_viz');
  await expect(panel.getByRole('status')).not.toContainText('Recording ·');
  await page.notebook.runCell(0);
  await expect(panel).not.toContainText('has not loaded');
});

test('no output of the user is lost, however much is traced', async ({
  page,
  tmpPath
}) => {
  test.setTimeout(180_000);
  await openNotebook(page, `${tmpPath}/much.ipynb`, [
    '%load_ext jax_trace_viz',
    `%%jaxtrace
import jax, jax.numpy as jnp
@jax.jit
def long(x):
    for _ in range(2000):
        x = x + 1
    return x
for n in range(1, 51):
    long.lower(jnp.ones(n))
    print("line", n, flush=True)
print("the end")`
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1); // which may take longer than Galata waits
  await expect(prompt(page, 1)).toHaveText('[2]:', { timeout: 120_000 });
  const text = await output(page, 1)
    .locator('.jp-OutputArea-output pre')
    .allInnerTexts();
  const lines = text.join('\n').split('\n').filter(Boolean);
  expect(lines.filter(line => line.startsWith('line '))).toEqual(
    Array.from({ length: 50 }, (_, i) => `line ${i + 1}`)
  );
  expect(lines).toContain('the end');
  await expect.poll(() => traces(output(page, 1), 'long')).toBe(50);
});
