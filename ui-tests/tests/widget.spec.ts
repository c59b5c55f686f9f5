import { expect, Page, test as base } from '@playwright/test';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { axeFaults } from './axe';
import { unreadableTexts } from './contrast';
import { graph, traces } from './lab';
import { Watched } from './watching';

interface State {
  _esm: string;
  update: unknown;
}

/** The widget's Python side, without Jupyter. */
interface Host {
  state: State;
  ask(message: unknown): Promise<unknown>;
}

const test = base.extend<object, { host: Host }>({
  host: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants the pattern
    async ({}, use) => {
      const child = spawn('python', ['widget_host.py'], {
        stdio: ['pipe', 'pipe', 'inherit']
      });
      const lines = createInterface({ input: child.stdout });
      const next = lines[Symbol.asyncIterator]();
      const read = async (): Promise<unknown> =>
        JSON.parse((await next.next()).value as string);
      await use({
        state: (await read()) as State,
        ask: message => {
          child.stdin.write(`${JSON.stringify(message)}\n`);
          return read();
        }
      });
      child.stdin.end();
    },
    { scope: 'worker' }
  ]
});

const ADDRESS = 'http://notebook.example/';

/** Shows the widget on a page of its own, by the front-end interface that all of anywidget's hosts have. */
async function show(
  page: Page,
  { state, ask }: Host,
  html = '<main></main>',
  inShadow = false
): Promise<void> {
  await page.route('**', route =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Elsewhere</title>${html}`
    })
  );
  await page.exposeFunction('ask', ask);
  await page.goto(ADDRESS);
  await page.evaluate(
    async ({ state, inShadow }) => {
      const listeners: ((message: unknown) => void)[] = [];
      const model = {
        get: (name: 'update') => state[name],
        on: (name: string, listener: (message: unknown) => void) => {
          if (name === 'msg:custom') {
            listeners.push(listener);
          }
        },
        off: () => undefined,
        send: (message: unknown) =>
          void (window as unknown as Host)
            .ask(message)
            .then(answer => listeners.forEach(listener => listener(answer)))
      };
      const address = URL.createObjectURL(
        new Blob([state._esm], { type: 'text/javascript' })
      );
      const { default: widget } = await import(address);
      const place = document.querySelector('main') ?? document.body;
      const root = inShadow ? place.attachShadow({ mode: 'open' }) : place;
      const el = root.appendChild(document.createElement('div'));
      widget.render({ model, el });
    },
    { state, inShadow }
  );
}

for (const inShadow of [false, true]) {
  const where = inShadow ? "a shadow tree, as marimo's" : 'a plain page';
  test(`the widget is complete on its own in ${where}`, async ({
    page,
    host
  }) => {
    const watched = new Watched(page);
    await show(page, host, undefined, inShadow);
    const widget = page.locator('.jtv-root');
    await expect(widget.getByRole('status')).toContainText(
      'model was traced twice'
    );
    expect(await traces(widget, 'model')).toBe(2);
    for (const name of ['Timeline', 'Jaxpr', 'Arguments & constants']) {
      await widget.getByRole('tab', { name }).click();
      await expect(widget.getByRole('tabpanel', { name })).toBeVisible();
    }
    await widget.getByRole('tab', { name: 'Graph' }).click();
    const picture = graph(widget, 'model');
    const closed = picture.getByRole('button', { expanded: false }).first();
    const boxes = await picture.getByRole('button').count();
    await closed.focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => picture.getByRole('button').count())
      .toBeGreaterThan(boxes);
    await expect(picture.locator(':focus')).toHaveCount(1);
    expect(watched.outside(ADDRESS)).toEqual([]);
    expect(watched.complaints).toEqual([]);
  });
}

for (const { system, html } of [
  { system: 'dark', html: '<main></main>' },
  { system: 'light', html: '<body style="background: #111"><main></main>' },
  { system: 'dark', html: '<body style="background: #fff"><main></main>' },
  { system: 'light', html: '<body class="vscode-dark" style="background: #1e1e1e"><main></main>' }
] as const) {
  test(`the widget is readable on ${html} where the system is ${system}`, async ({
    page,
    host
  }) => {
    await page.emulateMedia({ colorScheme: system });
    await show(page, host, html, html.includes('#111'));
    const widget = page.locator('.jtv-root');
    for (const tab of await widget.getByRole('tab').all()) {
      await tab.click();
      expect(await unreadableTexts(widget)).toEqual([]);
      expect(await axeFaults(widget)).toEqual([]);
    }
  });
}
