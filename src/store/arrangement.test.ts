import { expect, it, vi } from 'vitest';
import { AT_FIRST, Arranged, readArrangement } from './arrangement';

it('folds and unfolds sections, and tells that it did', () => {
  const arranged = new Arranged();
  const changed = vi.fn();
  arranged.changed.subscribe(changed);
  expect(arranged.isOpen('functions')).toBe(true);
  arranged.toggle('functions');
  expect(arranged.isOpen('functions')).toBe(false);
  arranged.toggle('functions');
  expect(arranged.isOpen('functions')).toBe(true);
  expect(changed).toHaveBeenCalledTimes(2);
});

it('reads again what it was', () => {
  const arranged = new Arranged();
  arranged.pin('cell a:f');
  arranged.set({ tab: 'Graph', sorting: { by: 'name', descending: false } });
  const kept: unknown = JSON.parse(JSON.stringify(arranged.now));
  expect(readArrangement(kept)).toEqual(arranged.now);
});

it.each([
  null,
  'text',
  { folded: [1], sorting: { by: 'age' }, pinned: 'f', tab: 7, hinted: 'yes' }
])('is as at first where what was kept makes no sense: %o', kept => {
  expect(readArrangement(kept)).toEqual(AT_FIRST);
});
