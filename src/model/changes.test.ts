import { expect, it } from 'vitest';
import { aBox, aGraph } from '../testing/records';
import { changePaints, changeSwatches, changesWords } from './changes';

const none = { same: 0, only: 0, changed: 0, resized: 0 };

const changes = {
  other: 'f1#1',
  later: true,
  boxes: [
    { ...none, same: 1, only: 2, resized: 1 },
    { ...none, only: 2 },
    { ...none, resized: 1 },
    { ...none, same: 1 }
  ],
  note: ''
};

const graph = aGraph({
  changes,
  boxes: [
    aBox({ id: '/f', kind: 'group', open: true }),
    aBox({ id: '/f/a', parent: '/f' }),
    aBox({ id: '/f/b', parent: '/f' }),
    aBox({ id: '/f/c', parent: '/f' })
  ]
});

const signs = (later: boolean): string[][] =>
  [...changePaints({ ...graph, changes: { ...changes, later } })].map(
    ([id, { className, tag }]) => [id, className, tag]
  );

it('lights what differs, with a sign', () => {
  expect(signs(true)).toEqual([
    ['/f', 'jtv-change-changed', '~'],
    ['/f/a', 'jtv-change-added', '+'],
    ['/f/b', 'jtv-change-resized', '≈']
  ]);
  expect(signs(false)[1]).toEqual(['/f/a', 'jtv-change-removed', '−']);
  expect(changeSwatches(changes)[0]?.words).toBe('+ added');
});

it('counts each equation once, whatever is open', () => {
  expect(changesWords(graph)).toBe(
    '2 equations added, 1 with other types or sizes only, 1 the same'
  );
});
