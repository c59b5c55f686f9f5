import { galata } from '@jupyterlab/galata';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Locator, Page } from '@playwright/test';
import {
  execute,
  expect,
  graph,
  openNotebook,
  output,
  runByIndex,
  test
} from './lab';

const DEFINE = `import jax, jax.numpy as jnp
@jax.jit
def centre(image, size):
    height, width = image.shape
    window = image[height // 2:][:1]
    return jnp.tanh(window) * size`;

const CALL = `%%jaxtrace
centre(jnp.ones((28, 30)), 2.0)
centre(jnp.ones((32, 30)), 2.0)`;

const TWIN = `%%jaxtrace
@jax.jit
def twin(x):
    doubled = x + x
    return doubled
twin(jnp.ones(3))`;

function line(page: Page, cell: number, text: string): Locator {
  return page
    .locator('.jp-CodeCell')
    .nth(cell)
    .locator('.cm-line')
    .filter({ hasText: text });
}

function marks(where: Locator): Locator {
  return where.locator('.jtv-inlay');
}

async function run(
  page: Parameters<typeof openNotebook>[0],
  ...cells: number[]
): Promise<void> {
  for (const cell of cells) {
    await page.notebook.runCell(cell, true);
  }
}

/** A kernel that imports JAX takes its time where many tests run at once. */
test.slow();

/** As a user does: cells that are not drawn yet have no place to scroll to. */
async function scrollTo(page: Page, end: 'top' | 'bottom'): Promise<void> {
  await page.locator('.jp-WindowedPanel-outer').evaluate((outer, to) => {
    outer.scrollTop = to === 'top' ? 0 : outer.scrollHeight;
  }, end);
}

test('the lines of a traced function are marked, as long as they are what ran', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/marks.ipynb`, [
    '%load_ext jax_trace_viz',
    DEFINE,
    CALL
  ]);
  await run(page, 0, 1, 2);
  // Written in one cell and called from another.
  const shape = marks(line(page, 1, 'height, width'));
  await expect(shape).toHaveText(['height ■ 28 → 32', 'width ■ 30']);
  await expect(marks(line(page, 1, 'window ='))).toHaveText([
    '● f32[1,30]'
  ]);

  await shape.first().hover();
  const details = page.locator('.jtv-tooltip');
  await expect(details).toContainText('static, 32 (int) in trace #2');
  await expect(details).toContainText('static, 28 (int) in trace #1');
  // Marks are those of all traces; each can be chosen.
  const height = output(page, 2).getByRole('option', { name: /height, width/ });
  await expect(height).toContainText('32');
  await details.getByRole('button', { name: '#1' }).first().click();
  await expect(height).toContainText('28');
  await expect(height).not.toContainText('32');

  // The part of the line under the pointer, with what it staged.
  await line(page, 1, 'return').locator('span', { hasText: 'tanh' }).first().hover();
  await expect(details).toContainText('jnp.tanh(window)');
  await expect(details).toContainText('tanh → f32[1,30]');

  await line(page, 1, 'return').click();
  await page.keyboard.press('End');
  await page.keyboard.type('  # or not');
  await expect(marks(page.locator('.jp-CodeCell').nth(1))).toHaveCount(0);
  await page.keyboard.press('Control+Z');
  await expect(shape).toHaveCount(2);
});

test('of two cells with the same text the one that ran is marked', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/twins.ipynb`, [
    '%load_ext jax_trace_viz\nimport jax, jax.numpy as jnp',
    TWIN,
    TWIN
  ]);
  await run(page, 0, 2);
  await expect(marks(line(page, 2, 'doubled ='))).toHaveText(['● f32[3]']);
  await expect(marks(line(page, 1, 'doubled ='))).toHaveCount(0);
  await run(page, 1);
  await expect(marks(line(page, 1, 'doubled ='))).toHaveText(['● f32[3]']);
  await expect(marks(line(page, 2, 'doubled ='))).toHaveText(['● f32[3]']);
});

test('a line and the boxes that came from it light up together', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/linked.ipynb`, [
    '%load_ext jax_trace_viz',
    DEFINE,
    CALL
  ]);
  await run(page, 0, 1, 2);
  const shown = output(page, 2);
  await shown.getByRole('tab', { name: 'Graph' }).click();
  const tanh = graph(shown, 'centre').getByRole('button', { name: /^tanh/ });
  await expect(tanh).not.toHaveClass(/jtv-lit/);
  const ending = line(page, 1, 'return jnp.tanh');
  await ending.click();
  await expect(tanh).toHaveClass(/jtv-lit/);
  await expect(ending).toHaveClass(/jtv-cell-lit/);
  // By keyboard too: the cursor leaves the line.
  await page.keyboard.press('ArrowUp');
  await expect(line(page, 1, 'window =')).toHaveClass(/jtv-cell-lit/);
  await expect(tanh).not.toHaveClass(/jtv-lit/);

  await tanh.click();
  await expect(ending).toHaveClass(/jtv-cell-lit/);
  await expect(line(page, 1, 'window =')).not.toHaveClass(/jtv-cell-lit/);
});

test('a value from outside is marked where it is read, and once it changed, as stale', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/stale.ipynb`, [
    '%load_ext jax_trace_viz\nimport jax, jax.numpy as jnp',
    `%%jaxtrace
rate = 12.0
@jax.jit
def scaled(x):
    return x * rate
scaled(1.0)`,
    `%%jaxtrace
rate = 3.0
for _ in range(3):
    scaled(1.0)`
  ]);
  await run(page, 0, 1);
  const read = marks(line(page, 1, 'x * rate'));
  await expect(read).toHaveText(['rate ■ 12.0']);
  await run(page, 2);
  await expect(output(page, 2)).toContainText('rate changed 12.0 → 3.0');
  // Where the function was written too, though nothing was traced there again.
  await expect(read).toHaveText(['rate ■ 12.0', '! rate became 3.0']);
});

test('a line that failed says so, and what it was about', async ({
  page,
  tmpPath
}) => {
  await openNotebook(page, `${tmpPath}/failed.ipynb`, [
    '%load_ext jax_trace_viz\nimport jax, jax.numpy as jnp',
    `%%jaxtrace
@jax.jit
def clip(x, limit):
    norm = jnp.sum(x)
    if norm > limit:
        x = x / norm
    return x
clip(jnp.ones(3), 1.0)`
  ]);
  await run(page, 0, 1);
  const failed = line(page, 1, 'if norm > limit');
  await expect(failed).toHaveClass(/jtv-cell-failed/);
  await expect(marks(failed)).toHaveText(['✕ TracerBoolConversionError']);
  await expect(marks(line(page, 1, 'norm = '))).toHaveText(['● f32[]']);
});

test('marks are turned off and on by command and in the panel', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/toggle.ipynb`, [
    '%load_ext jax_trace_viz\nimport jax, jax.numpy as jnp',
    TWIN
  ]);
  await run(page, 0, 1);
  const doubled = marks(line(page, 1, 'doubled ='));
  const box = panel.getByRole('checkbox', { name: 'Marks in cells' });
  await expect(doubled).toHaveCount(1);
  await execute(page, 'jax-trace:toggle-marks');
  await expect(doubled).toHaveCount(0);
  await expect(box).not.toBeChecked();
  await box.check();
  await expect(doubled).toHaveCount(1);
});

// In two of the modes JupyterLab draws one cell after the other, when it has nothing else to do.
for (const [mode, count] of [
  ['full', 300],
  ['defer', 60],
  ['contentVisibility', 60],
  ['none', 300]
] as const) {
  test.describe(`windowing ${mode}`, () => {
    test.use({
      mockSettings: {
        ...galata.DEFAULT_SETTINGS,
        '@jupyterlab/notebook-extension:tracker': {
          ...galata.DEFAULT_SETTINGS['@jupyterlab/notebook-extension:tracker'],
          windowingMode: mode
        }
      }
    });

    test('cells of a long notebook are marked when they come into view', async ({
      page,
      tmpPath
    }) => {
      const filling = Array.from({ length: count }, (_, i) => `${i} + 1`);
      await openNotebook(page, `${tmpPath}/long.ipynb`, [
        '%load_ext jax_trace_viz\nimport jax, jax.numpy as jnp',
        TWIN,
        ...filling,
        TWIN.replaceAll('twin', 'last')
      ]);
      const windowing = await page.evaluate(() => {
        const { currentWidget } = window.jupyterapp.shell;
        const { content } = currentWidget as unknown as NotebookPanel;
        return content.notebookConfig.windowingMode;
      });
      expect(windowing).toBe(mode);
      const doubled = (text: string): Locator =>
        page
          .locator('.jp-CodeCell', { hasText: `def ${text}` })
          .locator('.cm-line')
          .filter({ hasText: 'doubled =' });
      await runByIndex(page, 0, 1, count + 2);
      for (const [end, text] of [
        ['bottom', 'last'],
        ['top', 'twin']
      ] as const) {
        await expect(async () => {
          await scrollTo(page, end);
          const [mark] = await marks(doubled(text)).allTextContents();
          expect(mark).toBe('● f32[3]');
        }).toPass({ timeout: 30_000 });
      }
    });
  });
}

test('a cell that traced has a badge that leads to the reason', async ({
  page,
  tmpPath
}) => {
  const panel = await openNotebook(page, `${tmpPath}/badge.ipynb`, [
    '%load_ext jax_trace_viz',
    DEFINE,
    CALL,
    CALL.replaceAll('32', '28')
  ]);
  await run(page, 0, 1, 2, 3);
  const badge = (cell: number): Locator =>
    page.locator('.jp-CodeCell').nth(cell).locator('.jtv-badge button');
  await expect(badge(2)).toHaveText(/^↻ 1 retrace · /);
  // It wrote the function and called nothing; all calls of the other were hits.
  await expect(badge(1)).toHaveCount(0);
  await expect(badge(3)).toHaveCount(0);
  await expect(panel.getByRole('status').first()).toContainText('cache hit');
  await badge(2).click();
  await expect(panel.getByRole('tab', { name: 'Arguments & constants' })).toHaveAttribute(
    'aria-selected',
    'true'
  );
  await expect(panel).toContainText('f32[28,30] → f32[32,30]');
});
