import { expect, it, vi } from 'vitest';
import { place } from '../testing/records';
import { Selection, Target, lightsPlace } from './selection';

const line = (number: number): Target => ({
  trace: 'f1#1',
  box: null,
  places: [place(number)]
});

it('previews what the pointer is over, and keeps what was clicked', () => {
  const selection = new Selection();
  selection.toggle(line(5));
  selection.hover(line(7));
  expect(selection.target).toEqual(line(7));
  expect(selection.pinned).toEqual(line(5));
  selection.hover(null);
  expect(selection.target).toEqual(line(5));
});

it('lets go of a target by a second click or by clearing', () => {
  const selection = new Selection();
  selection.toggle(line(5));
  selection.toggle(line(5));
  expect(selection.target).toBeNull();
  expect(selection.clear()).toBe(false);
  selection.toggle(line(5));
  expect(selection.clear()).toBe(true);
  expect(selection.target).toBeNull();
});

it('lets go of the target when another trace is shown', () => {
  const selection = new Selection();
  selection.show('f1', 'f1#1');
  selection.toggle(line(5));
  selection.show('f1', 'f1#2');
  expect(selection.target).toBeNull();
  expect([selection.function, selection.trace]).toEqual(['f1', 'f1#2']);
});

it('tells nobody of what changes nothing', () => {
  const selection = new Selection();
  const listener = vi.fn();
  selection.hover(line(5));
  selection.show('f1', null);
  selection.changed.subscribe(listener);
  selection.hover(null);
  selection.show('f1', null);
  expect(listener).not.toHaveBeenCalled();
});

it('takes a place for lit only in the same file', () => {
  expect(lightsPlace(line(5), place(5))).toBe(true);
  expect(lightsPlace(line(5), { file: 'other.py', line: 5 })).toBe(false);
  expect(lightsPlace(null, place(5))).toBe(false);
});
