import { expectAllThere, flood } from './flood';
import { expect, test } from './lab';

test('a cell that traces as fast as it can loses nothing, and the panel answers meanwhile', async ({
  page,
  tmpPath
}) => {
  const flooded = await flood(page, `${tmpPath}/flood.ipynb`, 6);
  expect(flooded.answers.length).toBeGreaterThanOrEqual(3);
  await expectAllThere(page, flooded);
});
