import { expect, it } from 'vitest';
import { unseenWords } from './words';

it('says where not every line was seen', () => {
  const words = (python: string, ...limited: string[]): boolean =>
    unseenWords({ python, limited }) !== null;
  expect(words('3.11.7')).toBe(true);
  expect(words('3.12.0')).toBe(false);
  expect(words('3.12.0', 'lines')).toBe(true);
  expect(words('4.0.0')).toBe(false);
});
