import { faintGraphics, unreadableTexts } from './contrast';
import { Everywhere, HIGH_CONTRAST, LIGHT, THEMES, changeTheme, openAll } from './everywhere';
import { expect, test } from './lab';

async function expectContrast(
  everywhere: Everywhere,
  colours: string
): Promise<void> {
  await everywhere(async (where, name) => {
    const told = `${colours}: ${name}`;
    expect.soft(await unreadableTexts(where), told).toEqual([]);
    expect.soft(await faintGraphics(where), told).toEqual([]);
  });
}

test('everybody can read it in each theme', async ({ page, tmpPath }) => {
  test.slow();
  const { everywhere } = await openAll(page, `${tmpPath}/themes.ipynb`);
  for (const theme of THEMES) {
    await test.step(theme, async () => {
      await changeTheme(page, theme);
      await expectContrast(everywhere, theme);
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
      await expectContrast(everywhere, `forced over ${theme}`);
    });
  }
});
