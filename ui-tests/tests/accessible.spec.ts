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

const FAILING = `%%jaxtrace
import jax, jax.numpy as jnp

@jax.jit
def pick(x):
    if x.sum() > 0:
        return x
    return -x

pick(jnp.ones(3))`;

const WORD = 'the meaning of a word';

const THEMES = [
  'JupyterLab Light',
  'JupyterLab Dark',
  'JupyterLab Dark High Contrast'
];

// Not axe-core, whose licence (MPL-2.0) asks for more than ours may: what it would find is measured here.
test('everybody can use it', async ({ page, tmpPath }) => {
  test.slow();
  const panel = await openNotebook(page, `${tmpPath}/all.ipynb`, [
    '%load_ext jax_trace_viz',
    FAILING,
    CELL
  ]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1, true);
  await page.notebook.runCell(2, true);
  const failed = output(page, 1);
  await expect(failed.getByRole('status')).toContainText('pick');
  const shown = output(page, 2);
  await expect(shown.getByRole('status')).toContainText('traced 3×');
  const why = 'Arguments & constants';
  await shown.getByRole('tab', { name: why }).click();
  await shown.getByRole('button', { name: 'Compare the two jaxprs' }).click();
  const places = { 'the output': shown, 'the panel': panel };
  const frames = framesOf(panel);

  /** Calls back in each tab of the output and of the panel, and with each thing open that one may open there. */
  const everywhere = async (
    look: (where: Locator, name: string) => Promise<void>
  ): Promise<void> => {
    for (const [place, where] of Object.entries(places)) {
      for (const tab of await where.getByRole('tab').all()) {
        await tab.click();
        await look(where, `${place}, ${await tab.innerText()}`);
      }
    }
    await look(failed, 'an error');
    for (const [name, { open, close }] of Object.entries(frames)) {
      await open();
      await look(panel, `the panel, ${name}`);
      await close();
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
      // A meaning that came up under the pointer goes when the focus comes elsewhere; that with the focus is a stop.
      if (!name.endsWith(WORD)) {
        expect.soft(await keyboardFaults(page, where), name).toEqual([]);
      }
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

interface Frame {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** What one may open in the panel. */
function framesOf(panel: Locator): Record<string, Frame> {
  const turned = (button: Locator, content: Locator): Frame => ({
    open: async () => {
      await button.click();
      await expect(content).toBeVisible();
    },
    close: async () => {
      await button.click();
      await expect(content).toBeHidden();
    }
  });
  const button = (name: string | RegExp): Locator =>
    panel.getByRole('button', { name });
  const compare = panel.getByRole('checkbox', { name: /^Compare/ });
  const word = panel.getByRole('columnheader', { name: /^Traces/ });
  return {
    help: turned(
      panel.locator('.jtv-tools').getByRole('button', { name: /^Keys, signs/ }),
      panel.locator('.jtv-help')
    ),
    export: turned(
      button('Export this recording'),
      panel.locator('.jtv-export')
    ),
    'two recordings compared': {
      open: async () => {
        await button(/Recordings/).click();
        await compare.first().check();
        await compare.last().check();
        await expect(panel.locator('.jtv-compared').first()).toBeVisible();
      },
      close: async () => {
        await button(/Recordings/).click();
        await expect(compare).toHaveCount(0);
      }
    },
    [WORD]: {
      open: async () => {
        await word.hover();
        await expect(panel.getByRole('tooltip')).toBeVisible();
      },
      close: async () => {
        await panel.page().mouse.move(0, 0);
        await expect(panel.getByRole('tooltip')).toBeHidden();
      }
    }
  };
}
