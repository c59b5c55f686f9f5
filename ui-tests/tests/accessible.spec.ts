import {
  keyboardFaults,
  moving,
  nameless,
  smallTargets,
  wrongRoles
} from './accessible';
import { faintGraphics, unreadableTexts } from './contrast';
import { CELL, THEMES, changeTheme, openAll } from './everywhere';
import { execute, expect, openNotebook, runByIndex, test } from './lab';

// Not axe-core, whose licence (MPL-2.0) asks for more than ours may: what it would find is measured here.
test('all has a role, a name and a size, and nothing moves where that is not wanted', async ({
  page,
  tmpPath
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { everywhere } = await openAll(page, `${tmpPath}/all.ipynb`);
  await everywhere(async (where, name) => {
    expect.soft(await wrongRoles(where), name).toEqual([]);
    expect.soft(await smallTargets(where), name).toEqual([]);
    expect.soft(await moving(where), name).toEqual([]);
  });
  for (const selector of ['.jtv-output', '.jtv-panel']) {
    expect.soft(await nameless(page, selector), selector).toEqual([]);
  }
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
    await runByIndex(page, 0, 1);
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
