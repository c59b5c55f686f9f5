import type { CDPSession } from '@playwright/test';
import {
  execute,
  expect,
  openNotebook,
  output,
  prompt,
  test,
  traces
} from '../tests/lab';
import { Watched } from '../tests/watching';

const RUNS = 50;

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in (1, 2):
    f(jnp.ones(n))`;

const COMMS = `import gc
gc.collect()
print(len(get_ipython().kernel.comm_manager.comms), "comms")`;

interface Held {
  nodes: number;
  listeners: number;
  heap: number;
}

test(`nothing is left of ${RUNS} runs once they are cleared`, async ({
  page,
  tmpPath
}) => {
  test.setTimeout(900_000);
  const watched = new Watched(page);
  const panel = await openNotebook(page, `${tmpPath}/leaks.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL,
    COMMS
  ]);
  await page.notebook.runCell(0);
  const [tab = page] = page.context().pages();
  const browser = await page.context().newCDPSession(tab);
  await browser.send('Performance.enable');

  const run = async (): Promise<void> => {
    await page.notebook.runCell(1);
    await expect.poll(() => traces(output(page, 1), 'f')).toBe(2);
    await output(page, 1).getByRole('tab', { name: 'Graph' }).click();
  };
  const held = async (): Promise<Held & { comms: string }> => {
    await execute(page, 'jax-trace:clear');
    await page.notebook.runCell(2);
    await expect(prompt(page, 2)).not.toHaveText('[*]:');
    return {
      ...(await measure(browser)),
      comms: await output(page, 2).innerText()
    };
  };

  for (let i = 0; i < 5; i++) {
    await run();
  }
  const before = await held();
  for (let i = 0; i < RUNS; i++) {
    await run();
  }
  await expect.poll(() => traces(output(page, 1), 'f')).toBe(2);
  const after = await held();
  console.info(JSON.stringify({ before, after }));
  expect(after.comms).toBe(before.comms);
  // JupyterLab keeps some of its own: the list of what was run, for one.
  expect(after.nodes - before.nodes).toBeLessThan(2 * RUNS);
  expect(after.listeners - before.listeners).toBeLessThan(RUNS / 2);
  expect(after.heap - before.heap).toBeLessThan(5_000_000);
  await expect(panel).toBeVisible();
  expect(watched.complaints).toEqual([]);
  expect(watched.outside(new URL('/', page.url()).href)).toEqual([]);
});

async function measure(browser: CDPSession): Promise<Held> {
  for (let i = 0; i < 3; i++) {
    await browser.send('HeapProfiler.collectGarbage');
  }
  const { metrics } = await browser.send('Performance.getMetrics');
  const of = (wanted: string): number =>
    metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  return {
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    heap: of('JSHeapUsedSize')
  };
}
