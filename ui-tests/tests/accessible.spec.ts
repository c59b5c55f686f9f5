import type { Locator, Page } from '@playwright/test';
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
/** JupyterLab itself decides how the Tab key goes through a cell. */
const MARKS = 'marks and badge of a cell';

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
  const cell = page.locator('.jp-CodeCell').nth(2).locator('.jp-InputArea');
  await expect(cell.locator('.jtv-badge')).toBeVisible();
  const status = page.locator('#jp-main-statusbar');
  await expect(status.locator('.jtv-status')).toContainText('retraces');
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
    await look(cell, MARKS);
    await look(status, 'the status bar');
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
      if (!name.endsWith(WORD) && name !== MARKS) {
        expect.soft(await keyboardFaults(page, where), name).toEqual([]);
      }
    });
  });

  await test.step('from a cell to its badge, by keyboard alone', async () => {
    await page.notebook.selectCells(2);
    const badge = cell.locator('.jtv-badge button');
    const hasFocus = (): Promise<boolean> =>
      badge.evaluate(node => node === document.activeElement);
    for (let stop = 0; stop < 20 && !(await hasFocus()); stop++) {
      await page.keyboard.press('Tab');
    }
    expect(await hasFocus()).toBe(true);
    await page.keyboard.press('Enter');
    await expect(
      panel.getByRole('tab', { name: why, selected: true })
    ).toBeVisible();
  });

  for (const theme of THEMES) {
    await test.step(theme, async () => {
      await changeTheme(page, theme);
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

test('everybody can begin, and change our settings', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/begin.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL
  ]);
  await test.step('before we are loaded', async () => {
    await expect(panel).toContainText('has not loaded jax_trace_viz');
    expect.soft(await wrongRoles(panel)).toEqual([]);
    expect.soft(await smallTargets(panel)).toEqual([]);
    expect.soft(await keyboardFaults(page, panel)).toEqual([]);
    for (const theme of THEMES) {
      await changeTheme(page, theme);
      expect.soft(await unreadableTexts(panel), theme).toEqual([]);
      expect.soft(await faintGraphics(panel), theme).toEqual([]);
    }
  });

  await test.step('in the settings', async () => {
    await page.notebook.runCell(0);
    await page.notebook.runCell(1, true);
    const marks = page.locator('.jtv-inlays');
    await expect(marks.first()).toBeVisible();
    await execute(page, 'settingeditor:open', { query: 'JAX Trace' });
    const form = page.locator('.jp-SettingsPanel');
    for (const name of [
      'Load in every Python kernel',
      'Show marks in cells',
      'Show badges on cells'
    ]) {
      await expect(form.getByRole('checkbox', { name })).toBeVisible();
    }
    const own = '.jp-SettingsPanel *';
    expect.soft(await smallTargets(form, own)).toEqual([]);
    expect.soft(await unreadableTexts(form, own)).toEqual([]);
    await form.getByRole('checkbox', { name: 'Show marks in cells' }).focus();
    await page.keyboard.press('Space');
    await page.notebook.activate('begin.ipynb');
    await expect(marks).toHaveCount(0);
  });
});

async function changeTheme(page: Page, theme: string): Promise<void> {
  await execute(page, 'apputils:change-theme', { theme });
  await expect(page.locator('body')).toHaveAttribute(
    'data-jp-theme-name',
    theme
  );
}

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
