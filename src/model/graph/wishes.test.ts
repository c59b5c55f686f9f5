import { expect, it } from 'vitest';
import { aBox } from '../../testing/records';
import { showCopy, showMatch, toggleGroup } from './wishes';

const closed = aBox({ id: '/g', kind: 'group' });
const open = { ...closed, open: true };

it('opens and closes groups beside those already asked for', () => {
  expect(toggleGroup([], closed)).toEqual(['/g']);
  expect(toggleGroup([], open)).toEqual(['-/g']);
  expect(toggleGroup(['/other', '/g'], open)).toEqual(['/other']);
  expect(toggleGroup(['/other', '-/g'], closed)).toEqual(['/other']);
});

it('closes a group also where something inside it was opened', () => {
  expect(toggleGroup(['/g/inner'], open)).toEqual(['/g/inner', '-/g']);
  expect(toggleGroup(['/g', '/g/inner'], open)).toEqual(['/g/inner', '-/g']);
  expect(toggleGroup(['/g/inner', '-/g'], closed)).toEqual(['/g/inner']);
});

it('shows one copy at a time', () => {
  expect(showCopy(['/g', '/g#2', '/h#1'], '/g', 7)).toEqual([
    '/g',
    '/h#1',
    '/g#7'
  ]);
});

it('opens the way to what was found, whatever was closed before', () => {
  const match = {
    box: '/a/b/c',
    open_boxes: ['/a#3', '/a/b'],
    label: 'sin',
    detail: '',
    where: [],
    equations: 1,
    place: null
  };
  expect(showMatch(['-/a', '-/ab', '/a#1', '/z'], match)).toEqual([
    '-/ab',
    '/z',
    '/a#3',
    '/a/b'
  ]);
});
