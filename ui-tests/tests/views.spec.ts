import { readFile } from 'node:fs/promises';
import { execute, expect, graph, openNotebook, output, test } from './lab';

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
for batch in (4, 8):
    model(params, jnp.ones((batch, 8)))`;

test.beforeEach(async ({ page, tmpPath }) => {
  await openNotebook(page, `${tmpPath}/views.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL
  ]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1, true);
  await expect(output(page, 1).getByRole('status')).toContainText(
    'model was traced twice'
  );
});

test('an output answers first, then shows', async ({ page }) => {
  const shown = output(page, 1);
  await expect(shown.getByRole('list', { name: 'Findings' })).toContainText(
    'x changed shape f32[4,8] → f32[8,8]'
  );
  await expect(
    shown
      .getByRole('table', { name: 'Functions' })
      .getByRole('row', { name: 'model' })
  ).toBeVisible();
  await expect(shown.getByRole('tab')).toHaveText([
    'Source',
    'Graph',
    'Timeline',
    'Jaxpr',
    'Arguments & constants'
  ]);

  await expect(
    shown.getByRole('listbox', { name: 'Source of model' })
  ).toContainText('x● traced f32[8,8]');
  await shown.getByRole('tab', { name: 'Timeline' }).click();
  await expect(
    shown.getByRole('button', { name: /^compile model \(f\d+#2\)/ })
  ).toBeVisible();
  await shown.getByRole('tab', { name: 'Jaxpr' }).click();
  await expect(shown.getByRole('listbox', { name: 'Jaxpr' })).toContainText(
    'tanh'
  );
  await shown.getByRole('tab', { name: 'Arguments & constants' }).click();
  const constants = shown.getByRole('table', { name: 'Constants' });
  await expect(constants.getByRole('row', { name: 'TABLE' })).toContainText(
    '4 kB'
  );
});

test('a line, its equations and its boxes light up together', async ({
  page
}) => {
  const shown = output(page, 1);
  await shown.getByRole('option', { name: 'return x.sum()' }).click();
  const equations = shown
    .getByRole('listbox', { name: 'Jaxpr' })
    .getByRole('option', { selected: true });
  await expect(equations.filter({ hasText: 'reduce_sum' })).not.toHaveCount(0);
  await shown.getByRole('tab', { name: 'Graph' }).click();
  const picture = graph(shown, 'model');
  await expect(
    picture.getByRole('button', { name: /reduce_sum/, pressed: true }).first()
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picture.getByRole('button', { pressed: true })).toHaveCount(0);
});

test('the graph is walked through and opened by keys alone', async ({
  page
}) => {
  const shown = output(page, 1);
  await shown.getByRole('tab', { name: 'Graph' }).click();
  const picture = graph(shown, 'model');
  await expect(picture).toBeVisible();
  const boxes = picture.getByRole('button');
  const open = await picture.getByRole('button', { expanded: true }).count();
  await picture.getByRole('button', { expanded: true }).first().focus();
  await page.keyboard.press('Space');
  await expect(picture.getByRole('button', { expanded: true })).toHaveCount(
    open - 1
  );
  await page.keyboard.press('Space');
  await expect(picture.getByRole('button', { expanded: true })).toHaveCount(
    open
  );
  await boxes.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(picture.locator(':focus')).toHaveCount(1);
  await expect(boxes.first()).not.toBeFocused();
});

test('the graph is saved as a file that stands alone', async ({ page }) => {
  const download = page.waitForEvent('download');
  await output(page, 1).getByRole('button', { name: 'Save SVG' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('model.svg');
  const svg = await readFile(await file.path(), 'utf8');
  await page.setContent('<main></main>');
  const sizes = await page.evaluate(async text => {
    const image = new Image();
    image.src = URL.createObjectURL(
      new Blob([text], { type: 'image/svg+xml' })
    );
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, svg);
  expect(Math.min(...sizes)).toBeGreaterThan(50);
});

for (const theme of [
  'JupyterLab Light',
  'JupyterLab Dark',
  'JupyterLab Dark High Contrast'
]) {
  test(`text can be read in ${theme}`, async ({ page }) => {
    await execute(page, 'apputils:change-theme', { theme });
    await expect(page.locator("body")).toHaveAttribute("data-jp-theme-name", theme);
    const shown = output(page, 1);
    for (const name of await shown.getByRole('tab').allInnerTexts()) {
      await shown.getByRole('tab', { name }).click();
      expect(await shown.evaluate(unreadable)).toEqual([]);
    }
  });
}

/** Texts whose contrast to what lies under them is below 4.5 : 1. Runs in the page. */
function unreadable(root: Element): string[] {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext('2d', { willReadFrequently: true });
  const over = (under: number[], colour: string): number[] => {
    if (!paint) {
      return under;
    }
    paint.fillStyle = `rgb(${under.join(' ')})`;
    paint.fillRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour: number[]): number => {
    const [red = 0, green = 0, blue = 0] = colour.map(value => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const background = (node: Element | null): number[] =>
    node
      ? over(
          background(node.parentElement),
          getComputedStyle(node).backgroundColor
        )
      : [255, 255, 255];
  const nodes = [...root.querySelectorAll('*')].filter(
    node =>
      !(node instanceof SVGElement) &&
      !node.closest(':disabled') &&
      [...node.childNodes].some(
        child => child.nodeType === Node.TEXT_NODE && child.textContent?.trim()
      )
  );
  return nodes.flatMap(node => {
    const under = background(node);
    const text = over(under, getComputedStyle(node).color);
    const [a, b] = [light(under), light(text)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return ratio < 4.5
      ? [`${ratio.toFixed(2)} ${node.className} ${node.textContent}`]
      : [];
  });
}
