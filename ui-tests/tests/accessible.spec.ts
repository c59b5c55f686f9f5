import type { Locator } from '@playwright/test';
import { axeFaults, nameless } from './axe';
import { faintGraphics, unreadableTexts } from './contrast';
import {
  CELL,
  HIGH_CONTRAST,
  LIGHT,
  OURS,
  ROOTS,
  THEMES,
  changeTheme,
  openAll
} from './everywhere';
import { keyboardFaults } from './keyboard';
import {
  execute,
  expect,
  openNotebook,
  output,
  restartKernel,
  runByIndex,
  test
} from './lab';

async function expectReadable(where: Locator, told: string): Promise<void> {
  expect.soft(await unreadableTexts(where), told).toEqual([]);
  expect.soft(await faintGraphics(where), told).toEqual([]);
}

async function expectUsable(where: Locator, told: string): Promise<void> {
  expect.soft(await axeFaults(where), told).toEqual([]);
  expect.soft(await nameless(where), told).toEqual([]);
  await expectReadable(where, told);
}

test('everybody can read and use it in each theme, and nothing moves where that is not wanted', async ({
  page,
  tmpPath
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { everywhere } = await openAll(page, `${tmpPath}/themes.ipynb`);
  for (const theme of THEMES) {
    await test.step(theme, async () => {
      await changeTheme(page, theme);
      await everywhere(async (where, name) => {
        const told = `${theme}: ${name}`;
        await expectUsable(where, told);
        expect.soft(await moving(where), told).toEqual([]);
      });
    });
  }
});

test('everybody can read it in forced colours', async ({ page, tmpPath }) => {
  test.slow();
  const { everywhere } = await openAll(page, `${tmpPath}/forced.ipynb`);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  // Whatever JupyterLab's theme is.
  for (const theme of [LIGHT, HIGH_CONTRAST]) {
    await test.step(theme, async () => {
      await changeTheme(page, theme);
      await everywhere((where, name) =>
        expectReadable(where, `forced over ${theme}: ${name}`)
      );
    });
  }
});

test('everybody can begin, and change our settings', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/begin.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL,
    '%%jaxtrace\nmodel(params, jnp.ones((4, 8)))',
    '%%jaxtrace\n1 + 1'
  ]);
  const expectAll = async (where: Locator, words: string): Promise<void> => {
    await expect(where).toContainText(words);
    for (const theme of THEMES) {
      await changeTheme(page, theme);
      await expectUsable(where, `${theme}: ${words}`);
    }
    expect.soft(await keyboardFaults(page, where), words).toEqual([]);
  };
  await test.step('where there is nothing to show', async () => {
    await expectAll(panel, 'has not loaded jax_trace_viz');
    await runByIndex(page, 0);
    await expectAll(panel, 'Nothing recorded yet');
    await runByIndex(page, 1, 2, 3);
    await expectAll(output(page, 2), 'cache hit');
    await expectAll(output(page, 3), 'Is @jax.jit missing');
  });

  await test.step('in the settings', async () => {
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
    expect.soft(await axeFaults(form, '.jp-SettingsPanel')).toEqual([]);
    await form.getByRole('checkbox', { name: 'Show marks in cells' }).focus();
    await page.keyboard.press('Space');
    await page.notebook.activate('begin.ipynb');
    await expect(marks).toHaveCount(0);
  });

  await test.step('where the kernel is gone', async () => {
    await restartKernel(page);
    await expectAll(panel, 'has not loaded jax_trace_viz');
  });
});

/** Elements that move. */
function moving(where: Locator): Promise<string[]> {
  return where.evaluate(
    (root, ours) =>
      [...root.querySelectorAll(ours)]
        .filter(node => {
          const { animationName, animationDuration, transitionDuration } =
            getComputedStyle(node);
          const lasts = (durations: string): boolean =>
            durations.split(',').some(duration => parseFloat(duration) > 0.001);
          return (
            (animationName !== 'none' && lasts(animationDuration)) ||
            lasts(transitionDuration)
          );
        })
        .map(node => node.outerHTML.slice(0, 120)),
    `${ROOTS}, ${OURS}`
  );
}
