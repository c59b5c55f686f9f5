import { expect, it } from 'vitest';
import { aBox, aGraph, place } from '../testing/records';
import { ColourBy, legendOf, paintsOf } from './colours';

const graph = aGraph({
  boxes: [
    aBox({ id: 'a', bytes: 4_000_000, places: [place(9)] }),
    aBox({ id: 'b', bytes: 300_000, places: [place(5)] }),
    aBox({ id: 'c', bytes: 4, places: [place(9)] }),
    aBox({ id: 'd', bytes: 0, places: [] }),
    aBox({ id: 'e', bytes: 9, open: true })
  ]
});

const classes = (by: ColourBy): [string, string][] =>
  [...paintsOf(graph, by)].map(([id, { className }]) => [id, className]);

it('colours by bytes, each step ten times less', () => {
  expect(classes('bytes')).toEqual([
    ['a', 'jtv-heat-4'],
    ['b', 'jtv-heat-3'],
    ['c', 'jtv-heat-0'],
    ['d', 'jtv-heat-0']
  ]);
  expect(legendOf(graph, 'bytes').swatches[0]?.words).toBe('up to 4 MB');
});

it('colours by source line, where there is one', () => {
  expect(classes('line')).toEqual([
    ['a', 'jtv-hue-1'],
    ['b', 'jtv-hue-0'],
    ['c', 'jtv-hue-1']
  ]);
});

it('leaves the colours of the kinds alone', () => {
  expect(paintsOf(graph, 'kind').size).toBe(0);
  expect(legendOf(graph, 'kind').swatches).toEqual([
    { className: 'jtv-plain', words: 'operation' }
  ]);
});
