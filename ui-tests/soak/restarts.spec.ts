import {
  expect,
  openNotebook,
  openPanel,
  output,
  reload,
  restartKernel,
  startCell,
  test,
  traces
} from '../tests/lab';
import { Watched } from '../tests/watching';

const LOAD = '%load_ext jax_trace_viz';

const TRACE = `%%jaxtrace
import jax, jax.numpy as jnp, time
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in range(1, 5):
    f(jnp.ones(n))
    time.sleep(0.1)`;

test('a kernel is followed over 100 restarts, in and between cells', async ({
  page,
  tmpPath
}) => {
  test.setTimeout(3_600_000);
  const panel = await openNotebook(page, `${tmpPath}/restarts.ipynb`, [
    LOAD,
    TRACE
  ]);
  const verdict = panel.getByRole('status').first();
  for (let round = 1; round <= 100; round++) {
    await test.step(`restart ${round}`, async () => {
      await page.notebook.runCell(0);
      await startCell(page, 1);
      if (round % 2 === 0) {
        await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(0);
      } else {
        await expect(verdict).toContainText('f was traced 4×');
        await expect.poll(() => traces(panel, 'f')).toBe(4);
        await expect.poll(() => traces(output(page, 1), 'f')).toBe(4);
      }
      await restartKernel(page);
      await expect(panel).toContainText('has not loaded jax_trace_viz');
      await expect(verdict).not.toContainText('Recording ·');
    });
  }
});

test('a running cell is followed over 10 reloads of the page', async ({
  page,
  tmpPath
}) => {
  test.setTimeout(900_000);
  const watched = new Watched(page);
  await openNotebook(page, `${tmpPath}/reloads.ipynb`, [
    LOAD,
    TRACE.replace('range(1, 5)', 'range(1, 400)').replace('0.1', '0.5')
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1);
  let before = 0;
  for (let round = 1; round <= 10; round++) {
    await test.step(`reload ${round}`, async () => {
      await page.notebook.save();
      await reload(page);
      const panel = await openPanel(page);
      await expect.poll(() => traces(panel, 'f')).toBeGreaterThan(before);
      before = await traces(panel, 'f');
      await expect(panel.getByRole('status').first()).toContainText(
        'Recording'
      );
    });
  }
  expect(watched.outside(new URL('/', page.url()).href)).toEqual([]);
});
