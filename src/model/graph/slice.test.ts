import { expect, it } from 'vitest';
import { aBox, aGraph } from '../../testing/records';
import { findBoxes } from './finding-boxes';
import { sliceOf } from './slice';

/** x → a → b → y beside z → b; a and b in a frame, whose other box c uses x. */
const graph = aGraph({
  boxes: [
    aBox({ id: '/f', kind: 'group', label: 'layer', open: true }),
    aBox({ id: 'x', kind: 'argument', label: 'x' }),
    aBox({ id: 'z', kind: 'argument', label: 'z' }),
    aBox({ id: '/f/a', label: 'mul', parent: '/f' }),
    aBox({ id: '/f/b', label: 'add', name: 'h', parent: '/f' }),
    aBox({ id: '/f/c', label: 'cos', parent: '/f' }),
    aBox({ id: 'y', kind: 'result', label: 'y' })
  ],
  links: [
    { source: 1, target: 3, type: 'f32[]', kind: 'value' },
    { source: 3, target: 4, type: 'f32[]', kind: 'value' },
    { source: 2, target: 4, type: 'f32[]', kind: 'value' },
    { source: 1, target: 5, type: 'f32[]', kind: 'saved' },
    { source: 4, target: 6, type: 'f32[]', kind: 'value' }
  ]
});

const slice = (id: string): Record<string, string[]> => {
  const box = graph.boxes.find(one => one.id === id) ?? aBox();
  const { own, above, below, near } = sliceOf(graph, box);
  const sorted = (ids: ReadonlySet<string>): string[] => [...ids].sort();
  return {
    own: sorted(own),
    above: sorted(above),
    below: sorted(below),
    near: sorted(near)
  };
};

it('goes up and down through frames', () => {
  expect(slice('/f/b')).toEqual({
    own: ['/f', '/f/b'],
    above: ['/f/a', 'x', 'z'],
    below: ['y'],
    near: ['/f/a', 'y', 'z']
  });
});

it('lights what uses saved values', () => {
  expect(slice('x')).toEqual({
    own: ['x'],
    above: [],
    below: ['/f', '/f/a', '/f/b', '/f/c', 'y'],
    near: ['/f', '/f/a', '/f/c']
  });
});

it('takes an open group as all that it holds', () => {
  expect(slice('/f')).toEqual({
    own: ['/f', '/f/a', '/f/b', '/f/c'],
    above: ['x', 'z'],
    below: ['y'],
    near: ['x', 'y', 'z']
  });
});

it('searches what is drawn', () => {
  const { matches } = findBoxes(graph, 'H add');
  expect(matches.map(match => [match.label, match.where])).toEqual([
    ['h = add', ['layer']]
  ]);
  expect(findBoxes(graph, ' ').matches).toEqual([]);
});
