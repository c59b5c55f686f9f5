import type { BrowserContext, Locator, Page } from '@playwright/test';
import { resolve } from 'node:path';
import { expect, openFile, openNotebook, output, test } from './lab';

const PREPARE = `import sys
sys.path.insert(0, ${JSON.stringify(resolve('..'))})
%load_ext jax_trace_viz
from tests.promises import hostile
TEXTS = hostile.payloads()`;

const WIDE = `%%jaxtrace
hostile.wide(TEXTS)`;

const DENSE = `%%jaxtrace
hostile.dense(TEXTS)`;

const MARKED = `%%jaxtrace
import jax, jax.numpy as jnp
Error = type("<img src=x onerror=hit(1)>", (Exception,), {})
@jax.jit
def marked(x, note="<img src=x onerror=hit(2)>"):
    y = jnp.sin(x)  # <svg onload=hit(3)>
    raise Error("<script>hit(4)</script><img src=x onerror=hit(4)>")
marked(jnp.ones(3))`;

const EXPORT = `import json, jax_trace_viz
from jax_trace_viz.exports.html import fallback
from jax_trace_viz.session.front_end.view import update
pages, pictures = [], []
for record in (hostile.wide, hostile.dense):
    with jax_trace_viz.trace() as session:
        record(TEXTS)
    pages += [session.to_html(), fallback(update(session))]
    names = [one.name for one in session.document().functions if one.name != "fails"]
    pictures += [session.to_svg(name) for name in names[::24]]
with open("exports.json", "w") as file:
    json.dump({"texts": TEXTS, "pages": pages, "pictures": pictures}, file)`;

interface Exports {
  readonly texts: readonly string[];
  readonly pages: readonly string[];
  readonly pictures: readonly string[];
}

/** What a text has brought about that only markup, a link or code could. */
interface Misdeeds {
  readonly hits: Set<number>;
  readonly dialogs: string[];
  readonly requests: string[];
}

async function watched(context: BrowserContext): Promise<Misdeeds> {
  const misdeeds: Misdeeds = { hits: new Set(), dialogs: [], requests: [] };
  await context.exposeBinding('hit', (_, number: number) => {
    misdeeds.hits.add(number);
  });
  context.on('dialog', dialog => {
    misdeeds.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  context.on('request', request => {
    const url = new URL(request.url());
    const own = ['127.0.0.1', ''].includes(url.hostname);
    if (!own || /\/[x1]$/.test(url.pathname)) {
      misdeeds.requests.push(request.url().slice(0, 100));
    }
  });
  return misdeeds;
}

function expectNone(misdeeds: Misdeeds): void {
  expect([...misdeeds.hits]).toEqual([]);
  expect(misdeeds.dialogs).toEqual([]);
  expect(misdeeds.requests).toEqual([]);
}

/** Opens functions, each in the next tab, and goes over all that is shown with the pointer. */
function lookAtAll(where: Locator, step = 1): Promise<number> {
  return where.evaluate(async (root, every) => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const rows = () =>
      root.querySelectorAll<HTMLElement>('.jtv-functions tbody tr button');
    const events = ['pointerover', 'mouseover', 'mouseenter', 'focusin'];
    let seen = 0;
    for (let row = 0; row < rows().length; row += every, seen++) {
      rows()[row].click();
      const tabs = root.querySelectorAll<HTMLElement>('[role="tab"]');
      tabs[seen % tabs.length].click();
      await frame();
      const shown = root.querySelector('[role="tabpanel"]');
      for (const node of [...(shown?.querySelectorAll('*') ?? [])].slice(0, 20)) {
        events.forEach(name =>
          node.dispatchEvent(new Event(name, { bubbles: true }))
        );
      }
    }
    return seen;
  }, step);
}

/** Serves a text as a page of its own, without anything that would forbid scripts. */
async function visit(page: Page, type: string, body: string): Promise<void> {
  await page.route('**/shown', route =>
    route.fulfill({ contentType: type, body })
  );
  await page.goto('/shown');
  await page.unroute('**/shown');
}

/** Without what Python, or whoever shows a text, replaces, folds or leaves out. */
function letters(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '');
}

test('no text of the program is ever more than text', async ({
  page,
  tmpPath
}) => {
  test.slow();
  const misdeeds = await watched(page.context());
  const path = `${tmpPath}/hostile.ipynb`;
  const cells = [PREPARE, WIDE, DENSE, MARKED, EXPORT];
  const panel = await openNotebook(page, path, cells);
  for (const cell of cells.keys()) {
    await page.notebook.runCell(cell, true);
  }
  const exports = (await (
    await page.request.get(`/files/${tmpPath}/exports.json`)
  ).json()) as Exports;

  await test.step('in outputs and the panel', async () => {
    const wide = output(page, 1);
    const shown = letters(
      (await wide.getByRole('table', { name: 'Functions' }).textContent()) ?? ''
    );
    const missing = exports.texts.filter(
      text => text.length < 200 && !shown.includes(letters(text))
    );
    // Python itself takes no such name.
    const impossible = (text: string): boolean =>
      text.includes('\0') || /[\ud800-\udfff]/.test(text);
    expect(missing.filter(text => !impossible(text))).toEqual([]);
    expect(await lookAtAll(wide, 7)).toBeGreaterThan(35);
    expect(await lookAtAll(output(page, 2))).toBeGreaterThan(0);
    expect(await lookAtAll(panel, 15)).toBeGreaterThan(0);
    expectNone(misdeeds);
  });

  await test.step('in the editor', async () => {
    const cell = page.locator('.jp-CodeCell').nth(3);
    await expect(
      cell.locator('.jtv-inlay').filter({ hasText: '<img src=x onerror=hit' })
    ).toHaveCount(1);
    await cell.locator('.jtv-inlay').first().hover();
    expectNone(misdeeds);
  });

  await test.step('in a notebook that is opened again, trusted or not', async () => {
    await page.notebook.save();
    await page.notebook.close();
    const { content } = await (
      await page.request.get(`/api/contents/${path}?content=1`)
    ).json();
    content.metadata.edited = 'elsewhere';
    await page.request.put(`/api/contents/${tmpPath}/untrusted.ipynb`, {
      data: { type: 'notebook', format: 'json', content }
    });
    for (const name of ['hostile', 'untrusted']) {
      await openFile(page, `${tmpPath}/${name}.ipynb`);
      await expect(output(page, 2).getByRole('tab')).toHaveCount(5);
      expect(await lookAtAll(output(page, 2))).toBeGreaterThan(0);
      await page.notebook.close();
    }
    expectNone(misdeeds);
  });

  const other = await page.context().newPage();
  await test.step('in files', async () => {
    for (const body of exports.pages) {
      await visit(other, 'text/html; charset=utf-8', body);
      await expect(other.locator('table').first()).toBeVisible();
    }
    const drawn = await other.evaluate(
      pictures =>
        Promise.all(
          pictures.map(async text => {
            const root = new DOMParser().parseFromString(text, 'image/svg+xml');
            const image = new Image();
            image.src = URL.createObjectURL(
              new Blob([text], { type: 'image/svg+xml' })
            );
            await image.decode();
            return (
              image.naturalWidth > 0 && !root.querySelector('parsererror')
            );
          })
        ),
      exports.pictures
    );
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn).not.toContain(false);
    for (const body of exports.pictures.slice(0, 5)) {
      await visit(other, 'image/svg+xml', body);
      await expect(other.locator('svg').first()).toBeVisible();
    }
    expectNone(misdeeds);
  });

  await test.step('though it would be, where it is taken for markup', async () => {
    await visit(other, 'text/html', '<p>');
    const staying = exports.texts.filter(text => !text.includes('refresh'));
    await other.evaluate(texts => {
      for (const text of texts) {
        const place = document.body.appendChild(document.createElement('div'));
        place.innerHTML = text;
      }
    }, staying);
    await expect.poll(() => misdeeds.hits.size).toBeGreaterThan(50);
    expect(misdeeds.requests.length).toBeGreaterThan(20);
  });
});
