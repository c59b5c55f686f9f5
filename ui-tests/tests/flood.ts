import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import type { Locator, Page } from '@playwright/test';
import {
  expect,
  openNotebook,
  output,
  prompt,
  startCell,
  traces
} from './lab';

const STEPS = Array.from({ length: 8 }, (_, i) => `step${i}`);
const EQUATIONS = 200;

/** Eight functions, traced again and again as fast as the machine can; each round prints a line. */
const cell = (seconds: number): string => `%%jaxtrace
import jax, jax.numpy as jnp, time
from jax.extend.core.primitives import add_p
${STEPS.map(
  name => `
@jax.jit
def ${name}(x):
    for _ in range(${EQUATIONS}):
        x = add_p.bind(x, x)
    return x
`
).join('')}
begun, worked, rounds = time.monotonic(), time.thread_time(), 0
while time.monotonic() - begun < ${seconds}:
    rounds += 1
    for step in [${STEPS.join(', ')}]:
        step.trace(jax.ShapeDtypeStruct((rounds,), "float32"))
    print("round", rounds, flush=True)
rate = rounds * ${EQUATIONS * STEPS.length} / (time.thread_time() - worked)
print(round(rate), "equations", rounds, "rounds")`;

export interface Flooded {
  readonly panel: Locator;
  /** Equations that a second of the program's own processor time staged. */
  readonly rate: number;
  readonly rounds: number;
  /** Lines that the program printed, but for the last. */
  readonly lines: readonly string[];
  /** Most messages of ours within a second. */
  readonly busiest: number;
  /** Milliseconds from one frame to the next, and from a click to the frame that answers it. */
  readonly frames: readonly number[];
  readonly answers: readonly number[];
}

/** Runs a cell that traces as much as it can, and uses the panel meanwhile. */
export async function flood(
  page: IJupyterLabPageFixture,
  path: string,
  seconds: number
): Promise<Flooded> {
  const told = messagesOf(page);
  const panel = await openNotebook(page, path, [
    '%load_ext jax_trace_viz',
    cell(seconds)
  ]);
  await page.notebook.runCell(0);
  await startCell(page, 1);
  await expect.poll(() => traces(panel, 'step0')).toBeGreaterThan(0);
  const watch = await watchFrames(page);
  const answers: number[] = [];
  while ((await prompt(page, 1).innerText()) === '[*]:') {
    for (const name of ['Timeline', 'Graph', 'Source']) {
      // Nothing by its role: for that the page works out the roles of all it shows, each time, in the frames that count.
      const tab = page.locator('#jax-trace-viz-panel [role=tab]', {
        hasText: name
      });
      answers.push(await click(page, tab));
    }
  }
  const frames = await watch.evaluate(stop => stop());
  await expect(prompt(page, 1)).toHaveText('[2]:');
  const lines = await printed(output(page, 1));
  const [, rate, rounds] =
    /^(\d+) equations (\d+) rounds$/.exec(lines.pop() ?? '') ?? [];
  return {
    panel,
    rate: Number(rate),
    rounds: Number(rounds),
    lines,
    busiest: mostWithin(told, 1000),
    frames,
    answers
  };
}

/** Nothing that the program printed and nothing that it traced is lost, and its output has room between our messages. */
export async function expectAllThere(
  page: Page,
  { panel, rounds, lines, busiest }: Flooded
): Promise<void> {
  expect(rounds).toBeGreaterThan(0);
  expect(lines).toEqual(
    Array.from({ length: rounds }, (_, i) => `round ${i + 1}`)
  );
  for (const where of [panel, output(page, 1)]) {
    for (const name of STEPS) {
      await expect.poll(() => traces(where, name)).toBe(rounds);
    }
  }
  expect(busiest).toBeGreaterThan(0);
  expect(busiest).toBeLessThanOrEqual(20);
}

/** The value below which a part of them lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * sorted.length)] ?? NaN;
}

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

function mostWithin(times: readonly number[], span: number): number {
  const within = (start: number): number =>
    times.filter(time => time >= start && time < start + span).length;
  return Math.max(0, ...times.map(within));
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
async function click(page: Page, tab: Locator): Promise<number> {
  const watch = await tab.evaluateHandle(node => {
    let answered = NaN;
    node.addEventListener(
      'pointerdown',
      event => {
        const look = (): void => {
          if (node.getAttribute('aria-selected') === 'true') {
            answered = performance.now() - event.timeStamp;
          } else {
            requestAnimationFrame(look);
          }
        };
        requestAnimationFrame(look);
      },
      { once: true }
    );
    return (): number => answered;
  });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  await expect.poll(() => watch.evaluate(time => time())).not.toBeNaN();
  return watch.evaluate(time => time());
}

async function printed(area: Locator): Promise<string[]> {
  const texts = await area.locator('.jp-OutputArea-output pre').allInnerTexts();
  return texts.join('\n').split('\n').filter(Boolean);
}
