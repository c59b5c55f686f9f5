import { expect } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execute, openPanel, output, prompt, traces } from './lab';
import { test, visit } from './server';

/** Read by Python at its start: makes modules missing, as they are in an environment that never had them. */
const SITE = `import os, sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in os.environ.get("LACKING", "").split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
`;

const MODULE = `import jax.numpy as jnp

def loss(x):
    scale = 3.0
    return jnp.sum(x * scale)
`;

const CELL = `%%jaxtrace
import jax, model
for n in (2, 3):
    jax.jit(model.loss)(jax.numpy.ones(n))`;

// On one machine the two environments share a disk: that the front end asks the server for no file shows that it needs none.
test('the server needs no JAX, the kernel no JupyterLab, and source comes from the kernel', async ({
  page,
  serve
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'jax-trace-viz-kernel-'));
  const kernels = join(folder, 'kernels', 'elsewhere');
  await mkdir(kernels, { recursive: true });
  await writeFile(join(folder, 'sitecustomize.py'), SITE);
  await writeFile(join(folder, 'model.py'), MODULE);
  const spec = {
    argv: ['python', '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
    display_name: 'Elsewhere',
    language: 'python',
    env: { LACKING: 'jupyterlab jupyter_server notebook' }
  };
  await writeFile(join(kernels, 'kernel.json'), JSON.stringify(spec));
  const before = (name: string): string =>
    [folder, process.env[name]].filter(Boolean).join(delimiter);
  const server = await serve({
    notebooks: {
      'there.ipynb': [
        `for name in ("jupyterlab", "jupyter_server"):
    try:
        __import__(name)
        print(name, "is here")
    except ModuleNotFoundError as error:
        print(error)`,
        '%load_ext jax_trace_viz',
        CELL
      ]
    },
    kernel: 'elsewhere',
    env: {
      LACKING: 'jax jaxlib jax_trace_viz',
      PYTHONPATH: before('PYTHONPATH'),
      JUPYTER_PATH: before('JUPYTER_PATH')
    }
  });
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await visit(page, server, 'lab/tree/there.ipynb');
  const panel = await openPanel(page);
  await execute(page, 'notebook:run-all-cells');
  await expect(prompt(page, 2)).toHaveText('[3]:');
  await expect(output(page, 0)).toContainText("No module named 'jupyterlab'");
  await expect.poll(() => traces(panel, 'loss')).toBe(2);
  await panel.getByRole('tab', { name: 'Source' }).click();
  await expect(
    panel.getByRole('listbox', { name: 'Source of loss' })
  ).toContainText('scale = 3.0');
  expect(asked.filter(url => url.includes('model.py'))).toEqual([]);
  await rm(folder, { recursive: true });
});
