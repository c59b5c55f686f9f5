import type { Page } from '@playwright/test';
import {
  expect,
  openNotebook,
  output,
  prompt,
  startCell,
  test,
  traces
} from '../tests/lab';

const SECONDS = 60;

/** Equations of one trace; a new one begins as soon as the one before has ended, so that the rate is what the machine can. */
const EQUATIONS = 5000;

const CELL = `%%jaxtrace
import jax, jax.numpy as jnp, time
@jax.jit
def long(x):
    for _ in range(${EQUATIONS}):
        x = x + 1
    return x
begun, rounds = time.monotonic(), 0
while time.monotonic() - begun < ${SECONDS}:
    rounds += 1
    long.trace(jax.ShapeDtypeStruct((rounds,), "float32"))
    print("round", rounds, flush=True)
print("rate", round(rounds * ${EQUATIONS} / (time.monotonic() - begun)), "equations a second")
print("all", rounds)`;

test(`a cell that floods us for ${SECONDS} seconds leaves page and output as they are`, async ({
  page,
  tmpPath
}) => {
  test.setTimeout(600_000);
  const told = messagesOf(page);
  await page.reload();
  const panel = await openNotebook(page, `${tmpPath}/flood.ipynb`, [
    '%load_ext jax_trace_viz',
    CELL
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1);
  await expect.poll(() => traces(panel, 'long')).toBeGreaterThan(0);
  const frames = await watchFrames(page);
  const answers: number[] = [];
  while ((await prompt(page, 1).innerText()) === '[*]:') {
    for (const name of ['Timeline', 'Graph', 'Source']) {
      answers.push(await click(page, name));
      await page.waitForTimeout(1000);
    }
  }
  const longest = await frames.evaluate(stop => stop());
  await expect(prompt(page, 1)).toHaveText('[2]:');

  const printed = (
    await output(page, 1).locator('.jp-OutputArea-output pre').allInnerTexts()
  )
    .join('\n')
    .split('\n')
    .filter(Boolean);
  const rounds = Number(/^all (\d+)$/.exec(printed.at(-1) ?? '')?.[1]);
  const busiest = mostWithin(told, 1000);
  console.info(
    JSON.stringify({
      rate: printed.at(-2),
      rounds,
      messages: told.length,
      busiest,
      p95OfFrames: percentile(longest, 0.95),
      slowestAnswer: Math.max(...answers)
    })
  );
  expect(printed.filter(line => line.startsWith('round '))).toEqual(
    Array.from({ length: rounds }, (_, i) => `round ${i + 1}`)
  );
  await expect.poll(() => traces(panel, 'long')).toBe(rounds);
  await expect.poll(() => traces(output(page, 1), 'long')).toBe(rounds);
  expect(busiest).toBeLessThanOrEqual(20);
  expect(percentile(longest, 0.95)).toBeLessThanOrEqual(50);
  expect(Math.max(...answers)).toBeLessThanOrEqual(200);
});

/** When each message of ours came, in milliseconds. */
function messagesOf(page: Page): number[] {
  const times: number[] = [];
  page.on('websocket', socket =>
    socket.on('framereceived', ({ payload }) => {
      if (payload.includes('"jax_trace_viz')) {
        times.push(Date.now());
      }
    })
  );
  return times;
}

/** Returns what ends the watch and tells how long each frame took, in milliseconds. */
function watchFrames(page: Page) {
  return page.evaluateHandle(() => {
    const frames: number[] = [];
    let last = performance.now();
    let goesOn = true;
    const step = (): void => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      if (goesOn) {
        requestAnimationFrame(step);
      }
    };
    requestAnimationFrame(step);
    return (): number[] => {
      goesOn = false;
      return frames;
    };
  });
}

/** Clicks a tab of the panel as a person does; milliseconds until the frame is painted that shows it. */
async function click(page: Page, name: string): Promise<number> {
  const tab = page
    .getByRole('region', { name: 'JAX Trace' })
    .getByRole('tab', { name });
  await tab.scrollIntoViewIfNeeded();
  const answered = tab.evaluate(
    node =>
      new Promise<number>(resolve => {
        node.addEventListener(
          'pointerdown',
          event => {
            const look = (): void => {
              if (node.getAttribute('aria-selected') === 'true') {
                resolve(performance.now() - event.timeStamp);
              } else {
                requestAnimationFrame(look);
              }
            };
            requestAnimationFrame(look);
          },
          { once: true }
        );
      })
  );
  const box = await tab.boundingBox();
  if (box) {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
  return answered;
}

function mostWithin(times: readonly number[], span: number): number {
  return Math.max(
    0,
    ...times.map(
      start => times.filter(time => time >= start && time < start + span).length
    )
  );
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * sorted.length)] ?? 0;
}
