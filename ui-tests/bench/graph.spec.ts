/**
 * How long a group takes to open in a picture of 300 boxes, and how long the frames are in which it is zoomed and moved.
 * Run by hand, `make test ARGS="browser --config playwright.bench.config.js"`; it prints its figures and asserts nothing of time,
 * because that would depend on what else the machine does.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, graph, openGraph, test } from '../tests/lab';

const BOXES = 300;

const CELLS = [
  '%load_ext jax_trace_viz',
  'import jax\nfrom bench import programs\nfunction, arguments = programs.transformer()',
  '%%jaxtrace\njax.jit(function).trace(*arguments)'
];

/** What the main thread did, in milliseconds of its own time. */
interface Work {
  readonly script: number;
  readonly layout: number;
  readonly all: number;
}

test('a transformer of 6,000 equations', async ({ page, tmpPath }) => {
  const path = `${tmpPath}/bench.ipynb`;
  const shown = await openGraph(page, path, CELLS, 'train_step');
  const picture = graph(shown, 'train_step');
  await grow(shown, picture);
  const boxes = await picture.locator('[data-box]').count();
  const opened = await openAndClose(shown);
  report(`open or close one of ${boxes} boxes`, opened);
  const scroll = shown.locator('.jtv-graph-scroll');
  await scroll.scrollIntoViewIfNeeded();
  const area = (await scroll.boundingBox()) ?? { x: 0, y: 0 };
  const [x, y] = [area.x + 300, area.y + 200];
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  report('zoom', [
    await frames(page, async i => page.mouse.wheel(0, i % 40 < 20 ? -30 : 30))
  ]);
  await page.keyboard.up('Control');
  await page.mouse.down();
  report('move', [
    await frames(page, async i => page.mouse.move(x - 3 * i, y - 2 * i))
  ]);
  await page.mouse.up();
});

/** Opens groups until there are enough boxes. */
async function grow(shown: Locator, picture: Locator): Promise<void> {
  const boxes = picture.locator('[data-box]');
  while ((await boxes.count()) < BOXES) {
    const before = await boxes.count();
    await shown.locator('[data-box][aria-expanded=false]').first().focus();
    await shown.page().keyboard.press('Enter');
    await expect.poll(() => boxes.count()).not.toBe(before);
  }
}

async function openAndClose(shown: Locator): Promise<Record<string, number>[]> {
  const own = shown.page(); // the bare one, which Galata's wraps
  const session = await own.context().newCDPSession(own);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async (): Promise<Work> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string): number =>
      1000 * (metrics.find(metric => metric.name === name)?.value ?? 0);
    return {
      script: of('ScriptDuration'),
      layout: of('LayoutDuration') + of('RecalcStyleDuration'),
      all: of('TaskDuration')
    };
  };
  const results: Record<string, number>[] = [];
  for (const i of [5, 9, 14, 20, 30]) {
    const knob = shown.locator('[data-disclose]').nth(i);
    const id = await knob.getAttribute('data-disclose');
    for (const way of ['first', 'again', 'third']) {
      const before = await work();
      const times = await click(shown, id ?? '');
      const after = await work();
      results.push({
        ...(way === 'first' ? times : { fromStore: times.painted ?? 0 }),
        script: after.script - before.script,
        layout: after.layout - before.layout,
        all: after.all - before.all
      });
    }
  }
  return results;
}

/**
 * Milliseconds from a click until the kernel has answered, and until the answer is on the screen. A message that is posted
 * in a frame comes when that frame has been painted; in the frame after, it would be one too late.
 */
function click(shown: Locator, id: string): Promise<Record<string, number>> {
  return shown.evaluate(
    (root, box) =>
      new Promise<Record<string, number>>(done => {
        const knob = [...root.querySelectorAll('[data-disclose]')].find(
          node => node.getAttribute('data-disclose') === box
        );
        const begin = performance.now();
        let answered = 0;
        let isDrawn = false;
        const { port1, port2 } = new MessageChannel();
        const frame = (): void => port2.postMessage(null);
        port1.onmessage = () => {
          if (isDrawn) {
            done({ answered, painted: performance.now() - begin });
          } else {
            requestAnimationFrame(frame);
          }
        };
        const watch = new MutationObserver(changes => {
          answered ||= changes.some(
            ({ target }) =>
              (target as Element).getAttribute('aria-busy') === 'false'
          )
            ? performance.now() - begin
            : 0;
          isDrawn ||= changes.some(({ type }) => type === 'childList');
        });
        const picture = root.querySelector('.jtv-graph-scroll');
        if (picture) {
          watch.observe(picture, {
            childList: true,
            subtree: true,
            attributeFilter: ['aria-busy']
          });
        }
        requestAnimationFrame(frame);
        knob?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      }),
    id
  );
}

/** Milliseconds between the frames while something is done 60 times. */
async function frames(
  page: Page,
  act: (i: number) => Promise<void>
): Promise<Record<string, number>> {
  const lengths = page.evaluate(
    () =>
      new Promise<number[]>(done => {
        const found: number[] = [];
        let last = performance.now();
        const next = (now: number): void => {
          found.push(now - last);
          last = now;
          if (found.length < 80) {
            requestAnimationFrame(next);
          } else {
            done(found.slice(5).sort((a, b) => a - b));
          }
        };
        requestAnimationFrame(next);
      })
  );
  for (let i = 0; i < 60; i += 1) {
    await act(i);
  }
  const sorted = await lengths;
  const at = (part: number): number =>
    sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { median: at(0.5), p95: at(0.95), longest: at(1) };
}

/** Prints the median and the worst of each figure. */
function report(
  what: string,
  measured: readonly Readonly<Record<string, number>>[]
): void {
  const names = [...new Set(measured.flatMap(Object.keys))];
  const texts = names.map(name => {
    const values = measured
      .flatMap(one => one[name] ?? [])
      .sort((a, b) => a - b);
    const median = values[Math.floor(values.length / 2)] ?? 0;
    const worst = values[values.length - 1] ?? 0;
    return `${name} ${median.toFixed(1)} (worst ${worst.toFixed(1)})`;
  });

  console.log(`${what}, ms: ${texts.join(', ')}`);
}
