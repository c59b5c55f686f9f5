import { expect } from '@playwright/test';
import { dirname, delimiter } from 'node:path';
import { openPanel, output, prompt, traces } from '../tests/lab';
import { test, visit } from '../tests/server';
import { Watched } from '../tests/watching';

/** `jupyter` of an environment with the oldest JupyterLab, Notebook and ipykernel that we support. */
const PROGRAM = process.env.JAX_TRACE_VIZ_OLDEST ?? '';

const CELL = `%%jaxtrace
import jax, time
f = jax.jit(lambda x: x + 1)
for n in (2, 3, 4, 5):
    f(jax.numpy.ones(n))
    time.sleep(2)`;

for (const [app, address] of [
  ['lab', 'lab/tree/old.ipynb'],
  ['notebook', 'notebooks/old.ipynb']
] as const) {
  test(`the oldest supported jupyter ${app} follows a running cell of ipykernel 6`, async ({
    page,
    serve
  }) => {
    test.skip(PROGRAM === '', '`make soak` makes the environment');
    const path = [dirname(PROGRAM), process.env.PATH].join(delimiter);
    const server = await serve({
      program: PROGRAM,
      args: [app, '--JupyterNotebookApp.expose_app_in_browser=True'],
      env: { PATH: path },
      notebooks: {
        'old.ipynb': [
          'import ipykernel\nprint("ipykernel", ipykernel.__version__)\n%load_ext jax_trace_viz',
          CELL
        ]
      }
    });
    const watched = new Watched(page);
    await visit(page, server, address);
    const panel = await openPanel(page);
    // Not waited for: the command ends with the last cell.
    await page.evaluate(() => {
      void window.jupyterapp.commands.execute('notebook:run-all-cells');
    });
    await expect(output(page, 0)).toContainText('ipykernel 6.');
    await expect.poll(() => traces(panel, '<lambda>')).toBeGreaterThan(1);
    await panel
      .getByLabel(/^Trace/)
      .first()
      .selectOption({ index: 1 });
    await panel.getByRole('tab', { name: 'Arguments & constants' }).click();
    await panel.getByRole('button', { name: 'Compare the two jaxprs' }).click();
    // No kernel of ipykernel 6 has subshells.
    await expect(panel).toContainText('answered when the cell ends');
    await expect(prompt(page, 1)).toHaveText('[*]:');
    await expect(prompt(page, 1)).toHaveText('[2]:');
    await expect(panel).toContainText('What changed in the jaxpr');
    await expect(panel).not.toContainText('answered when the cell ends');
    await expect.poll(() => traces(panel, '<lambda>')).toBe(4);
    await expect.poll(() => traces(output(page, 1), '<lambda>')).toBe(4);
    await expect(page.locator('.jtv-inlay').first()).toBeVisible();
    // Notebook has warnings of its own.
    if (app === 'lab') {
      expect(watched.complaints.filter(line => !isOfOthers(line))).toEqual([]);
    }
  });
}

/** The widgets' own extension warns that it was built for a newer JupyterLab; ours asks for no newer one than 4.4. */
function isOfOthers(line: string): boolean {
  return (
    /version .*shared/s.test(line) && /[( ]\^(4\.6|7\.6)\.\d+\)/.test(line)
  );
}
