import { keyboardFaults } from './keyboard';
import { MARKS, WHY, WORD, openAll } from './everywhere';
import { expect, test } from './lab';

test('everybody can use it by keyboard alone', async ({ page, tmpPath }) => {
  test.slow();
  const { panel, cell, everywhere } = await openAll(
    page,
    `${tmpPath}/keys.ipynb`
  );
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
      panel.getByRole('tab', { name: WHY, selected: true })
    ).toBeVisible();
  });
});
