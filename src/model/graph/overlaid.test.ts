import { describe, expect, it } from 'vitest';
import type { Graph } from '../../protocol';
import { aBox, aGraph } from '../../testing/records';
import { kernelWords } from './kernels';
import { overlaidEntries, overlaidLegend, overlaidMarks } from './overlaid';

const ids = ['a', 'b', 'c', 'd', 'e'];
const boxes = ids.map(id => aBox({ id }));

const marksOf = (graph: Graph): unknown[] =>
  [...overlaidMarks(graph)].map(([id, { tone, badge, dashed }]) => [
    id,
    tone,
    badge,
    dashed
  ]);

describe('kernels', () => {
  const none = {
    more: 0,
    placed: 0,
    alike: 0,
    dead: 0,
    constant: 0,
    unknown: 0
  };
  const kernel = { what: '', inside: '', bytes: 8, equations: 0, alike: 0 };
  const graph = aGraph({
    boxes,
    overlay: {
      compilation: 'c1',
      summary: '7 equations → 9 kernels',
      kernels: [
        {
          ...kernel,
          number: 1,
          name: 'fusion.7',
          what: 'fusion of add',
          equations: 3
        },
        {
          ...kernel,
          number: 2,
          name: 'dot',
          inside: 'a loop',
          what: 'dot',
          alike: 1
        },
        { ...kernel, number: 9, name: 'copy.6', what: 'copy' }
      ],
      holding: 20,
      boxes: [
        { ...none, kernels: [0], placed: 2, title: 'in one' },
        { ...none, kernels: [2, 1], more: 4, placed: 2, title: 'in six' },
        { ...none, kernels: [1], alike: 1, title: 'one of several' },
        { ...none, kernels: [], dead: 1, title: 'no result needs it' },
        { ...none, kernels: [], title: '' }
      ],
      flops: 2_000,
      bytes_accessed: null,
      note: 'One is unknown.'
    }
  });

  it('are told by number, and what is not known by a dashed border', () => {
    expect(marksOf(graph)).toEqual([
      ['a', 'kernel-0', '1', false],
      ['b', 'kernel-0', '9, 2 +4', false],
      ['c', 'kernel-1', '2', true],
      ['d', 'plain', '–', true]
    ]);
    expect(kernelWords(graph, 2)).toEqual(['kernel 2: dot in a loop']);
    expect(kernelWords(graph, 1)).toEqual([
      'kernel 9: copy.6: copy',
      'kernel 2: dot in a loop',
      'and 4 more kernels'
    ]);
  });

  it('are summed up and listed, where they hold equations', () => {
    expect(overlaidEntries(graph)).toEqual([
      { tone: null, text: 'XLA: 7 equations → 9 kernels, 2,000 flops' },
      { tone: null, text: 'XLA: One is unknown.' },
      {
        tone: 'kernel-0',
        text: '1 fusion.7: fusion of add (3 equations, 8 B in and out)'
      },
      {
        tone: 'kernel-1',
        text: '2 dot in a loop (perhaps 1 equation, 8 B in and out)'
      },
      { tone: null, text: 'and 4 more kernels with fewer equations' }
    ]);
  });

  it('have their colours in sight: one sentence before them, the others after', () => {
    const { words, swatches, more } = overlaidLegend(graph);
    expect(words).toBe('XLA: 7 equations → 9 kernels, 2,000 flops.');
    expect(swatches).toHaveLength(2);
    expect(more).toBe(
      'and 4 more kernels with fewer equations. XLA: One is unknown.'
    );
  });
});

describe('changes', () => {
  const none = { same: 0, only: 0, changed: 0, resized: 0 };
  const changes = {
    other: 'f1#0',
    later: true,
    boxes: [
      { ...none, same: 1, only: 2, resized: 1 },
      { ...none, changed: 2 },
      { ...none, resized: 1 },
      { ...none, same: 1 },
      none
    ],
    note: ''
  };
  const graph = aGraph({ boxes, changes });

  it('are told by sign and number', () => {
    expect(marksOf(graph)).toEqual([
      ['a', 'added', '+2 ≠1', false],
      ['b', 'changed', '~2', false],
      ['c', 'changed', '≠1', true]
    ]);
    expect(overlaidMarks(graph).get('a')?.title).toBe(
      '2 added, 1 of other types or sizes, 1 the same'
    );
  });

  it('are removals in the earlier of the two', () => {
    const earlier = { ...graph, changes: { ...changes, later: false } };
    expect(marksOf(earlier)[0]).toEqual(['a', 'removed', '−2 ≠1', false]);
    expect(overlaidEntries(earlier).map(({ text }) => text)).toContain(
      '− removed: not in the later trace step #0'
    );
  });
});
