import { expectAllThere, flood, percentile } from '../tests/flood';
import { expect, test } from '../tests/lab';

const SECONDS = 60;

// Playwright's own would copy the page with each step, which takes longer than a frame.
test.use({ trace: 'off' });

test(`a cell that floods us for ${SECONDS} seconds leaves page and output as they are`, async ({
  page,
  tmpPath
}) => {
  test.setTimeout(600_000);
  const flooded = await flood(page, `${tmpPath}/flood.ipynb`, SECONDS);
  const { rate, rounds, busiest, frames, answers } = flooded;
  const told = {
    rate,
    rounds,
    busiest,
    frame: percentile(frames, 0.95),
    answer: percentile(answers, 0.95),
    slowest: Math.max(...answers)
  };
  console.info(JSON.stringify(told));
  await expectAllThere(page, flooded);
  expect(rate).toBeGreaterThanOrEqual(10_000);
  expect(told.frame).toBeLessThanOrEqual(50);
  expect(told.answer).toBeLessThanOrEqual(200);
});
