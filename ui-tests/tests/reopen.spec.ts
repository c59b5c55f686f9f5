import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Route } from '@playwright/test';
import {
  expect,
  openFile,
  openNotebook,
  output,
  test,
  traces,
  shutDownKernels
} from './lab';

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return jnp.sin(x).sum()
for n in range(1, 4):
    f(jnp.ones(n))`;

const MIME_TYPE = 'application/vnd.jax-trace-viz+json';

/** What is tested of a saved notebook. */
interface Saved {
  cells: { outputs: { data?: Record<string, unknown> }[] }[];
}

test('a saved notebook shows its recordings without a kernel', async ({
  page,
  tmpPath,
  browser
}) => {
  const path = `${tmpPath}/saved.ipynb`;
  await openNotebook(page, path, ['%load_ext jax_trace_viz', CELL]);
  await page.notebook.runCell(0);
  await page.notebook.runCell(1, true);
  await expect.poll(() => traces(output(page, 1), 'f')).toBe(3);
  await page.notebook.save();
  await page.notebook.close();
  await shutDownKernels(page);

  const { content } = await (
    await page.request.get(`/api/contents/${path}?content=1`)
  ).json();
  const put = (name: string, changed: Saved): Promise<unknown> =>
    page.request.put(`/api/contents/${tmpPath}/${name}`, {
      data: { type: 'notebook', format: 'json', content: changed }
    });

  await test.step('as it was saved', async () => {
    const panel = await openFile(page, path);
    await expect.poll(() => traces(output(page, 1), 'f')).toBe(3);
    await expect.poll(() => traces(panel, 'f')).toBe(3);
    await expect(output(page, 1).getByRole('tab')).toHaveCount(5);
    await expect(
      page.locator('.jp-CodeCell').nth(1).locator('.jtv-inlay').first()
    ).toBeVisible();
    await page.notebook.close();
  });

  await test.step('not trusted', async () => {
    const edited = structuredClone(content) as Saved & {
      metadata: Record<string, unknown>;
    };
    edited.metadata.edited = 'elsewhere';
    await put('untrusted.ipynb', edited);
    await openFile(page, `${tmpPath}/untrusted.ipynb`);
    await expect.poll(() => traces(output(page, 1), 'f')).toBe(3);
    await page.notebook.close();
  });

  await test.step('saved while it was running', async () => {
    const running = structuredClone(content) as Saved;
    for (const { data } of running.cells.flatMap(cell => cell.outputs)) {
      const update = data?.[MIME_TYPE] as Record<string, unknown> | undefined;
      if (update) {
        update.state = 'running';
        update.session = 'lost';
        update.verdict = 'Recording · 3 traces';
      }
    }
    await put('lost.ipynb', running);
    await openFile(page, `${tmpPath}/lost.ipynb`);
    await expect(output(page, 1).getByRole('status')).toContainText(
      'Recording was cut off · 3 traces'
    );
    await page.notebook.close();
  });

  await test.step('written by a newer version', async () => {
    const newer = structuredClone(content) as Saved;
    for (const { data } of newer.cells.flatMap(cell => cell.outputs)) {
      const update = data?.[MIME_TYPE] as Record<string, unknown> | undefined;
      if (update) {
        update.schema_version = 99;
      }
    }
    await put('newer.ipynb', newer);
    await openFile(page, `${tmpPath}/newer.ipynb`);
    await expect(output(page, 1)).toContainText('f was traced 3×');
    await expect(output(page, 1).getByRole('img').first()).toBeVisible();
    await expect(output(page, 1).getByRole('tab')).toHaveCount(0);
    await page.notebook.close();
  });

  await test.step('read-only', async () => {
    await page.route(`**/${tmpPath}/saved.ipynb?*`, async route => {
      const response = await route.fetch();
      const model = await response.json();
      await route.fulfill({ response, json: { ...model, writable: false } });
    });
    const panel = await openFile(page, path);
    await expect.poll(() => traces(output(page, 1), 'f')).toBe(3);
    await expect.poll(() => traces(panel, 'f')).toBe(3);
    expect(
      await page.evaluate(
        () =>
          (window.jupyterapp.shell.currentWidget as unknown as NotebookPanel)
            .context.model.dirty
      )
    ).toBe(false);
    await page.notebook.close();
  });

  await test.step('where our extension is not installed', async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    const { origin } = new URL(page.url());
    await other.route('**/lab/workspaces/**', withoutOurExtension);
    await other.goto(`${origin}/lab/workspaces/bare/tree/${path}?reset`);
    const shown = output(other, 1);
    await expect(shown).toContainText('f was traced 3×');
    await expect
      .poll(() =>
        shown.locator('img').first().evaluate(node => {
          const { complete, naturalWidth } = node as HTMLImageElement;
          return complete && naturalWidth > 0;
        })
      )
      .toBe(true);
    await expect(shown.locator('.jtv-root')).toHaveCount(0);
    await context.close();
  });
});

/** Serves JupyterLab's page as a server does that has not our extension. */
async function withoutOurExtension(route: Route): Promise<void> {
  const response = await route.fetch();
  const text = await response.text();
  const body = text.replace(
    /("federated_extensions": )(\[.*?\])(,\s*"[a-zA-Z]+":)/s,
    (_, before: string, listed: string, after: string) => {
      const others = (JSON.parse(listed) as { name: string }[]).filter(
        ({ name }) => name !== 'jax-trace-viz'
      );
      return before + JSON.stringify(others) + after;
    }
  );
  await route.fulfill({ response, body });
}
