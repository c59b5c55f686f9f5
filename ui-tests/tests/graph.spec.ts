import type { Locator } from '@playwright/test';
import { expect, graph, openGraph, output, test } from './lab';

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp

def layer(w, x):
    h = jnp.tanh(x @ w)
    return h + jnp.sin(h)

def loss_fn(params, x):
    for w in params:
        x = layer(w, x)
    return jnp.mean(x**2)

@jax.jit
def step(params, x):
    loss, grads = jax.value_and_grad(loss_fn)(params, x)
    if x.shape[0] > 4:
        loss = jnp.exp(loss)
    return loss, [p - 0.1 * g for p, g in zip(params, grads)]

params = [jnp.ones((8, 8)) for _ in range(4)]
for batch in (4, 8):
    step(params, jnp.ones((batch, 8)))`;

test.beforeEach(async ({ page, tmpPath }) => {
  const cells = ['%load_ext jax_trace_viz', CELL];
  await openGraph(page, `${tmpPath}/graph.ipynb`, cells, 'step');
});

/** Of the view that scrolls over the picture. */
function scroll(shown: Locator): Promise<{ left: number; top: number }> {
  return shown
    .locator('.jtv-graph-scroll')
    .evaluate(({ scrollLeft, scrollTop }) => ({
      left: scrollLeft,
      top: scrollTop
    }));
}

/** Words of a table's cells that stand on more than one line. */
function brokenWords(table: Locator): Promise<string[]> {
  return table.locator('td').evaluateAll(cells => {
    const range = document.createRange();
    const wordsIn = (text: Node): string[] =>
      [...(text.textContent ?? '').matchAll(/\w+/g)].flatMap(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? word : [];
      });
    return cells.flatMap(cell => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      while (walker.nextNode()) {
        broken.push(...wordsIn(walker.currentNode));
      }
      return broken;
    });
  });
}

test('is looked at from near and from afar', async ({ page }) => {
  const shown = output(page, 1);
  const picture = graph(shown, 'step');
  const box = picture.getByRole('button', { name: /^(loss = )?exp,/ });
  const zoom = async (name: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) {
      await shown.getByRole('button', { name }).click();
    }
  };

  await test.step('from afar only groups are named', async () => {
    await zoom('Zoom out', 5);
    await expect(picture.locator('.jtv-far-labels')).toContainText('jax.value');
    await expect(box.locator('text').first()).toBeHidden();
    await zoom('Zoom in', 9);
    await expect(picture.locator('.jtv-far-labels')).toHaveText('');
    await expect(box.locator('text').first()).toBeVisible();
  });

  await test.step('the wheel zooms around the pointer', async () => {
    await box.scrollIntoViewIfNeeded();
    const before = await box.boundingBox();
    await box.hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -60); // nearer: from afar, a box at the picture's edge would have to leave the pointer
    await page.keyboard.up('Control');
    await expect
      .poll(async () => (await box.boundingBox())?.width)
      .toBeGreaterThan((before?.width ?? 0) * 1.1);
    const after = await box.boundingBox();
    const middle = (area: typeof after): number =>
      (area?.x ?? 0) + (area?.width ?? 0) / 2;
    expect(Math.abs(middle(after) - middle(before))).toBeLessThan(3);
  });

  await test.step('the map goes anywhere', async () => {
    const map = shown.locator('.jtv-minimap');
    await map.click({ position: { x: 2, y: 2 } });
    await expect.poll(() => scroll(shown)).toMatchObject({ top: 0 });
    const { height = 0 } = (await map.boundingBox()) ?? {};
    await map.click({ position: { x: 2, y: height - 3 } });
    await expect.poll(async () => (await scroll(shown)).top).toBeGreaterThan(50);
    await shown.getByRole('button', { name: 'Map' }).click();
    await expect(map).toHaveCount(0);
  });
});

test('opens by a double click, and closes by the same key', async ({ page }) => {
  const picture = graph(output(page, 1), 'step');
  const boxes = picture.locator('[data-box]');
  const closed = picture.locator('[data-box][aria-expanded=false]').first();
  const before = await boxes.count();
  const id = (await closed.getAttribute('data-box')) ?? '';
  await closed.dblclick();
  const group = picture.locator(`[data-box="${id}"]`);
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  expect(await boxes.count()).toBeGreaterThan(before);
  await group.focus();
  await page.keyboard.press('Enter');
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(boxes).toHaveCount(before);
  await expect(group).toBeFocused();
});

test('leads from a forward box to the backward boxes that use what it saved', async ({
  page
}) => {
  const shown = output(page, 1);
  const picture = graph(shown, 'step');
  const forward = picture.getByRole('button', { name: /^h = .*tanh|^tanh/ });
  await forward.first().focus();
  await page.keyboard.press('Space');
  await expect(picture.locator('.jtv-reach-saved').first()).toBeVisible();
  const saved = shown.locator('.jtv-saved');
  await expect(saved).toContainText('saves values for');
  await saved.getByRole('button').first().click();
  await expect(saved).toContainText('uses what is saved by');
});

test('says which kernels XLA made of it', async ({ page }) => {
  const shown = output(page, 1);
  const picture = graph(shown, 'step');
  await shown.getByLabel('Colours:').selectOption('kernel');
  const legend = shown.getByRole('group', { name: 'Legend' });
  await expect(legend).toContainText(/equations → \d+ kernels/);
  await expect(picture.locator('.jtv-badge').first()).toBeVisible();
  await shown.getByLabel('Colours:').selectOption('kind');
  await expect(picture.locator('.jtv-badge')).toHaveCount(0);
  await expect(legend).toContainText('backward pass');
});

test('compares two traces side by side', async ({ page }) => {
  const shown = output(page, 1);
  const choice = shown.getByLabel('Compare with:');
  await choice.selectOption({ index: 1 });
  const before = shown.getByRole('region', { name: /^before: step #1/ });
  const now = shown.getByRole('region', { name: /^now: step #2/ });
  await expect(
    graph(now, 'step').getByRole('button', { name: /^.*exp.*1 added/ })
  ).toBeVisible();
  await expect(graph(before, 'step').getByText('exp', { exact: true })).toHaveCount(0);
  await expect(before.getByRole('group', { name: 'Legend' })).toContainText(
    'not in the later trace'
  );

  await test.step('a table in half a narrow panel breaks between words only', async () => {
    await page.setViewportSize({ width: 900, height: 800 });
    await now.getByRole('button', { name: 'Table' }).click();
    const table = now.getByRole('table', { name: /^Computation graph of step/ });
    await expect(table.getByRole('row')).not.toHaveCount(0);
    expect(await brokenWords(table)).toEqual([]);
    await now.getByRole('button', { name: 'Table' }).click();
  });

  await choice.selectOption('');
  await expect(now).toHaveCount(0);
  await expect(graph(shown, 'step').locator('.jtv-badge')).toHaveCount(0);
});
