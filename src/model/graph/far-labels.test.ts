import { expect, it } from 'vitest';
import { aBox, aGraph } from '../../testing/records';
import { farLabels } from './far-labels';

const group = { kind: 'group', height: 40 } as const;

const graph = aGraph({
  boxes: [
    aBox({ ...group, id: '/f', label: 'model', y: 0, width: 900, open: true }),
    aBox({
      ...group,
      id: '/f/a',
      label: 'first layer',
      parent: '/f',
      y: 4,
      width: 300
    }),
    aBox({
      ...group,
      id: '/f/b',
      label: 'second layer',
      parent: '/f',
      y: 90,
      width: 160
    }),
    aBox({
      ...group,
      id: '/f/c',
      label: 'third',
      parent: '/f',
      y: 200,
      width: 40
    }),
    aBox({ id: '/f/d', label: 'sin', parent: '/f', y: 300, width: 300 })
  ]
});

it('names groups as far as there is room, outer ones first', () => {
  const labels = farLabels(graph, 0.5);
  expect(labels.map(({ box, text }) => [box, text])).toEqual([
    ['/f', 'model'],
    ['/f/b', 'second lay…']
  ]);
  expect(labels[0]?.size).toBe(20);
});

it('names more from nearer', () => {
  expect(farLabels(graph, 2).map(({ text }) => text)).toEqual([
    'model',
    'second layer',
    'third'
  ]);
});
