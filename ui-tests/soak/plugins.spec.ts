import { expect, Locator, Page } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute, output, prompt } from '../tests/lab';
import { test, visit } from '../tests/server';
import { Watched } from '../tests/watching';

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in (2, 3):
    f(jnp.ones(n))`;

/** All plugins of ours need this one: who turns it off has JupyterLab say so of each of them. */
const BASE = 'jax-trace-viz:stores';
const LACKS_BASE = 'No provider for: jax-trace-viz:ITraces';

/** What each plugin shows, or the command that it adds. */
const SHOWN: Readonly<Record<string, (page: Page) => Locator>> = {
  'jax-trace-viz:output': page => output(page, 1).locator('.jtv-output'),
  'jax-trace-viz:marks': page => page.locator('.jtv-inlay').first(),
  'jax-trace-viz:panel': page =>
    page.locator('.jp-SideBar [data-id="jax-trace-viz-panel"]'),
  'jax-trace-viz:status': page => page.locator('.jtv-status button')
};
const COMMANDS: Readonly<Record<string, string>> = {
  'jax-trace-viz:panel': 'jax-trace:open-panel',
  'jax-trace-viz:marks': 'jax-trace:toggle-marks',
  'jax-trace-viz:recording': 'jax-trace:record-all',
  'jax-trace-viz:viewing': 'jax-trace:clear'
};

test('each plugin can be disabled, and the others go on', async ({
  page,
  serve
}) => {
  const config = await mkdtemp(join(tmpdir(), 'jax-trace-viz-config-'));
  const server = await serve({
    notebooks: { 'plugins.ipynb': ['%load_ext jax_trace_viz', CELL] },
    env: { JUPYTER_CONFIG_DIR: config }
  });
  const address = 'lab/tree/plugins.ipynb';
  await visit(page, server, address);
  await execute(page, 'notebook:run-all-cells');
  await expect(prompt(page, 1)).toHaveText('[2]:');
  await expect(SHOWN['jax-trace-viz:output'](page)).toBeVisible();
  await execute(page, 'docmanager:save');
  const plugins = await page.evaluate(() =>
    window.jupyterapp
      .listPlugins()
      .filter(id => id.startsWith('jax-trace-viz:'))
  );
  expect(plugins).toEqual(
    expect.arrayContaining([BASE, ...Object.keys({ ...SHOWN, ...COMMANDS })])
  );
  for (const plugin of plugins) {
    await test.step(plugin, async () => {
      await disable(plugin, config);
      const other = await page.context().newPage();
      const watched = new Watched(other);
      await visit(other, server, address);
      await expectOthers(other, plugin === BASE ? plugins : [plugin]);
      const others = watched.complaints.filter(
        line => plugin !== BASE || !line.includes(LACKS_BASE)
      );
      expect(others).toEqual([]);
      await other.close();
    });
  }
  await rm(config, { recursive: true });
});

/** All is there but for what some plugins give. */
async function expectOthers(
  page: Page,
  lost: readonly string[]
): Promise<void> {
  const entries = Object.entries(SHOWN);
  for (const [id, shown] of entries.filter(([id]) => !lost.includes(id))) {
    await expect(shown(page), id).toBeVisible();
  }
  for (const [id, shown] of entries.filter(([id]) => lost.includes(id))) {
    await expect(shown(page), id).toHaveCount(0);
  }
  for (const [id, command] of Object.entries(COMMANDS)) {
    const found = await page.evaluate(
      name => window.jupyterapp.commands.hasCommand(name),
      command
    );
    expect(found, command).toBe(!lost.includes(id));
  }
}

/** As `jupyter labextension disable` does. */
async function disable(plugin: string, config: string): Promise<void> {
  const folder = join(config, 'labconfig');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'page_config.json'),
    JSON.stringify({ disabledExtensions: { [plugin]: true } })
  );
}
