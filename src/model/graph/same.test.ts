import { expect, it } from 'vitest';
import { isSame } from './same';

const box = { id: 'a', x: 1, notes: ['n'], flops: null, places: [{ line: 3 }] };

it.each([
  ['a copy', { ...box, notes: ['n'], places: [{ line: 3 }] }, true],
  ['another number', { ...box, x: 2 }, false],
  ['another text in a list', { ...box, notes: ['m'] }, false],
  ['a longer list', { ...box, notes: ['n', 'n'] }, false],
  ['something deep inside', { ...box, places: [{ line: 4 }] }, false],
  ['zero for nothing', { ...box, flops: 0 }, false],
  ['one field more', { ...box, more: 1 }, false],
  ['nothing', undefined, false]
])('tells %s', (_, other, same) => {
  expect(isSame(box, other)).toBe(same);
});

it('tells a list from an object', () => {
  expect(isSame([], {})).toBe(false);
});
