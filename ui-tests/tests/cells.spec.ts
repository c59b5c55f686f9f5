import type { Locator, Page } from '@playwright/test';
import { expect, openNotebook, runByIndex, test } from './lab';

const DEFINE = `import jax, jax.numpy as jnp

@jax.jit
def centre(image, size):
    height, width = image.shape
    return jnp.tanh(image[height // 2]) * size`;

const CALL = `%%jaxtrace
centre(jnp.ones((28, 30)), 2.0)`;

/** A kernel that imports JAX takes its time where many tests run at once. */
test.slow();

function marks(page: Page, text: string): Locator {
  const lines = page.locator('.jp-CodeCell').nth(1).locator('.cm-line');
  return lines.filter({ hasText: text }).locator('.jtv-inlay');
}

test('a function that stands in one cell and is traced from two others is told across them', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/cells.ipynb`, [
    '%load_ext jax_trace_viz',
    DEFINE,
    CALL,
    CALL.replace('28', '32')
  ]);
  await runByIndex(page, 0, 1, 2);
  await expect(marks(page, 'height, width')).toHaveText([
    'height ■ 28',
    'width ■ 30'
  ]);
  await expect(marks(page, 'def centre').last()).toHaveText('in cell [3]');

  await runByIndex(page, 3);
  await expect(marks(page, 'height, width').first()).toHaveText('height ■ 32');
  await expect(marks(page, 'def centre').last()).toHaveText('in cell [4]');

  // The retrace is cell [4]'s; what it was compared with is cell [3]'s.
  const badge = page.locator('.jp-CodeCell').nth(3).locator('.jtv-badge');
  await expect(badge).toContainText('1 retrace');
  await badge.getByRole('button').click();
  const parts = panel.getByRole('table', { name: 'Parts of centre #1' });
  await expect(parts).toContainText('Before (trace #1 of cell [3])');
  await expect(
    parts.getByRole('row', { name: /^image shape/ })
  ).toContainText('f32[28,30]f32[32,30]');
  const recording = panel.getByRole('combobox', { name: 'Recording' });
  const chosen = recording.locator('option:checked');
  await expect(chosen).toContainText('cell [4]');

  await panel
    .getByRole('button', { name: 'Show the trace that it was compared with' })
    .click();
  await expect(chosen).toContainText('cell [3]');
  const line = panel.getByRole('option', { name: /height, width/ });
  await expect(line).toContainText('static 28');
  await panel.getByRole('button', { name: /^Back/ }).click();
  await expect(chosen).toContainText('cell [4]');
  await expect(parts).toBeVisible();
});
