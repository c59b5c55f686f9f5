import { expect, it } from 'vitest';
import type { Graph } from '../protocol';
import { aBox, aGraph } from '../testing/records';
import { kernelLegend, kernelPaints, kernelWords } from './kernels';

type Overlay = NonNullable<Graph['overlay']>;

const none = { placed: 0, alike: 0, dead: 0, constant: 0, unknown: 0 };

const overlay: Overlay = {
  compilation: 'c1',
  summary: '5 equations → 2 kernels',
  kernels: [
    {
      name: 'fusion.7',
      what: 'fusion of add',
      inside: '',
      bytes: 8,
      equations: 3
    },
    { name: 'dot', what: '', inside: 'a loop', bytes: 8, equations: 1 }
  ],
  boxes: [
    { ...none, kernels: [0], placed: 2, title: 'in fusion.7' },
    { ...none, kernels: [1, 0], placed: 2, title: 'in two' },
    { ...none, kernels: [], dead: 1, title: 'no result needs it' },
    { ...none, kernels: [], title: '' }
  ],
  flops: 2_000_000,
  bytes_accessed: null,
  note: 'One is unknown.'
};

const graph = aGraph({
  overlay,
  boxes: [
    aBox({ id: 'a', width: 200 }),
    aBox({ id: 'b' }),
    aBox({ id: 'c' }),
    aBox({ id: 'x', kind: 'argument' })
  ]
});

it('tells kernels by number and name, never by colour alone', () => {
  expect([...kernelPaints(graph)]).toEqual([
    [
      'a',
      {
        className: 'jtv-hue-0',
        tag: 'kernel 1: fusion.7',
        words: 'in fusion.7'
      }
    ],
    ['b', { className: 'jtv-several', tag: '2 kernels', words: 'in two' }],
    [
      'c',
      {
        className: 'jtv-unknown',
        tag: 'no kernel',
        words: 'no result needs it'
      }
    ]
  ]);
  expect(kernelWords(graph, 1)).toEqual([
    'kernel 2: dot, in a loop',
    'kernel 1: fusion.7 (fusion of add)',
    'in two'
  ]);
});

it('shortens a name that does not fit its box', () => {
  const tag = (width: number): string | undefined =>
    kernelPaints({ ...graph, boxes: [aBox({ id: 'a', width })] }).get('a')?.tag;
  expect([200, 60, 20].map(tag)).toEqual([
    'kernel 1: fusion.7',
    'kernel 1',
    'k1'
  ]);
});

it('sums up, and says what is not known', () => {
  expect(kernelLegend(graph).words).toBe(
    '5 equations → 2 kernels. 2 Mflops. One is unknown.'
  );
  expect(kernelLegend(aGraph()).swatches).toEqual([]);
});
