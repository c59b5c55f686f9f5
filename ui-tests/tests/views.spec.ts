import { readFile } from 'node:fs/promises';
import { expect, graph, openNotebook, output, test } from './lab';

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
    return x.sum() + TABLE.sum()

params = [jnp.ones((8, 8)) for _ in range(6)]
for batch in (4, 8, 16):
    model(params, jnp.ones((batch, 8)))`;

test.beforeEach(async ({ page, tmpPath }) => {
  await openNotebook(page, `${tmpPath}/views.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL
  ]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1, true);
  await expect(output(page, 1).getByRole('status')).toContainText(
    'model was traced 3×'
  );
});

test('an output answers first, then shows', async ({ page }) => {
  const shown = output(page, 1);
  const tab = (name: string) => shown.getByRole('tab', { name }).click();
  const picture = graph(shown, 'model');
  const openGroups = picture.getByRole('button', { expanded: true });
  const pressed = picture.getByRole('button', { pressed: true });

  await test.step('in words', async () => {
    await expect(shown.getByRole('list', { name: 'Findings' })).toContainText(
      'x changed shape f32[4,8] → f32[8,8]'
    );
    const table = shown.getByRole('table', { name: 'Functions' });
    await expect(table.getByRole('row', { name: 'model' })).toBeVisible();
    await expect(shown.getByRole('tab')).toHaveText([
      'Source',
      'Graph',
      'Timeline',
      'Jaxpr',
      'Arguments & constants'
    ]);
  });

  await test.step('where: the line of the cell itself', async () => {
    await shown.getByRole('button', { name: 'line 18' }).click();
    await expect(page.locator('#jp-main-statusbar')).toContainText('Ln 18');
  });

  await test.step('why, part by part, and what that changed', async () => {
    const findings = shown.getByRole('list', { name: 'Findings' });
    await findings.getByRole('button', { name: 'Why?' }).click();
    const parts = shown.getByRole('table', { name: /^Parts of model #3$/ });
    await expect(parts.getByRole('row', { name: 'the cause' })).toHaveText(
      /x shape\s*f32\[8,8\]\s*f32\[16,8\]\s*↻ the cause/
    );
    await shown.getByRole('button', { name: 'Compare the two jaxprs' }).click();
    await expect(shown.getByRole('tabpanel')).toContainText(
      'equations with other types or sizes only'
    );
    await shown.getByLabel('types and sizes only').check();
    await expect(
      shown
        .getByRole('list', { name: 'Changes of the jaxpr' })
        .getByText('f32[16,8] = tanh')
        .first()
    ).toBeVisible();
  });

  await test.step('when it happened and with what', async () => {
    await tab('Timeline');
    const compiled = shown.getByRole('button', {
      name: /^compile .*: model \(model #3\)/
    });
    await compiled.click();
    const before = (await compiled.boundingBox())?.width ?? 0;
    await page.keyboard.press('f');
    await expect
      .poll(async () => (await compiled.boundingBox())?.width ?? 0)
      .toBeGreaterThan(before);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowLeft');
    await expect(
      shown.getByRole('button', { name: /^lower .*: model \(model #3\)/ })
    ).toBeFocused();
    await expect(
      shown.getByRole('button', { name: /^Why model #3\? x f32/ })
    ).toBeVisible();
    await tab('Arguments & constants');
    const constants = shown.getByRole('table', { name: 'Constants' });
    await expect(constants.getByRole('row', { name: 'TABLE' })).toContainText(
      '4 kB'
    );
  });

  await test.step('a line with its equations and its boxes', async () => {
    await tab('Source');
    const source = shown.getByRole('listbox', { name: 'Source of model' });
    await expect(source).toContainText('x● traced f32[16,8]');
    await source.getByRole('option', { name: 'return x.sum()' }).click();
    await tab('Jaxpr');
    const equations = shown
      .getByRole('listbox', { name: 'Jaxpr' })
      .getByRole('option', { selected: true });
    await expect(equations.first()).toContainText('reduce_sum');
    await tab('Graph');
    await expect(pressed.first()).toBeVisible();
    await pressed.first().focus();
    await page.keyboard.press('Escape');
    await expect(pressed).toHaveCount(0);
  });

  await test.step('a graph to be used by keys alone', async () => {
    const open = await openGroups.count();
    await openGroups.first().focus();
    await page.keyboard.press('Enter');
    await expect(openGroups).toHaveCount(open - 1);
    await page.keyboard.press('Enter');
    await expect(openGroups).toHaveCount(open);
    await expect(openGroups.first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(openGroups.first()).not.toBeFocused();
    await expect(picture.locator(':focus')).toHaveCount(1);
  });

  await test.step('a file that stands alone', async () => {
    const download = page.waitForEvent('download');
    await shown.getByRole('button', { name: 'Save SVG' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('model.svg');
    const svg = await readFile(await file.path(), 'utf8');
    const size = await page.evaluate(async text => {
      const image = new Image();
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, svg);
    expect(Math.min(...size)).toBeGreaterThan(50);
  });
});
