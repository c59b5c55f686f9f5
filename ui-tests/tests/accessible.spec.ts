import type { Locator } from '@playwright/test';
import {
  keyboardFaults,
  moving,
  nameless,
  smallTargets,
  wrongRoles
} from './accessible';
import { faintGraphics, unreadableTexts } from './contrast';
import { execute, expect, openNotebook, output, test } from './lab';

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp

TABLE = jnp.arange(1000.0)

def layer(w, x):
    h = x @ w
    return jnp.tanh(h)

@jax.jit
def model(params, x, *, deep=True):
    for w in params:
        x = layer(w, x)
    print("traced")
    return x.sum() + TABLE.sum()

params = [jnp.ones((8, 8)) for _ in range(6)]
for batch in (4, 8, 16):
    model(params, jnp.ones((batch, 8)))`;

const THEMES = [
  'JupyterLab Light',
  'JupyterLab Dark',
  'JupyterLab Dark High Contrast'
];

// Not axe-core, whose licence (MPL-2.0) asks for more than ours may: what it would find is measured here.
test('everybody can use it', async ({ page, tmpPath }) => {
  const panel = await openNotebook(page, `${tmpPath}/all.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL
  ]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1, true);
  const shown = output(page, 1);
  await expect(shown.getByRole('status')).toContainText('traced 3×');
  const why = 'Arguments & constants';
  await shown.getByRole('tab', { name: why }).click();
  await shown.getByRole('button', { name: 'Compare the two jaxprs' }).click();
  const places = { 'the output': shown, 'the panel': panel };

  /** Calls back in each tab of the output and of the panel. */
  const everywhere = async (
    look: (where: Locator, name: string) => Promise<void>
  ): Promise<void> => {
    for (const [place, where] of Object.entries(places)) {
      for (const tab of await where.getByRole('tab').all()) {
        await tab.click();
        await look(where, `${place}, ${await tab.innerText()}`);
      }
    }
  };

  await test.step('roles, names, targets', async () => {
    await everywhere(async (where, name) => {
      expect.soft(await wrongRoles(where), name).toEqual([]);
      expect.soft(await smallTargets(where), name).toEqual([]);
    });
    for (const selector of ['.jtv-output', '.jtv-panel']) {
      expect.soft(await nameless(page, selector), selector).toEqual([]);
    }
  });

  await test.step('by keyboard alone', async () => {
    await everywhere(async (where, name) => {
      expect.soft(await keyboardFaults(page, where), name).toEqual([]);
    });
  });

  for (const theme of THEMES) {
    await test.step(theme, async () => {
      await execute(page, 'apputils:change-theme', { theme });
      await expect(page.locator('body')).toHaveAttribute(
        'data-jp-theme-name',
        theme
      );
      await everywhere(async (where, name) => {
        expect.soft(await unreadableTexts(where), name).toEqual([]);
        expect.soft(await faintGraphics(where), name).toEqual([]);
      });
    });
  }

  await test.step('without motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await everywhere(async (where, name) => {
      expect.soft(await moving(where), name).toEqual([]);
    });
  });

  await test.step('in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
    await everywhere(async (where, name) => {
      expect.soft(await unreadableTexts(where), name).toEqual([]);
      expect.soft(await faintGraphics(where), name).toEqual([]);
    });
  });
});
