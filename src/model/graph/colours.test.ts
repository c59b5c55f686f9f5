import { expect, it } from 'vitest';
import { merge } from '../../store/recording';
import { aBox, aGraph, anUpdate, place } from '../../testing/records';
import { ColourBy, legendOf, paintsOf } from './colours';
import { lineNames } from '../words/place';

const graph = aGraph({
  boxes: [
    aBox({ id: 'a', bytes: 4_000_000, places: [place(9)] }),
    aBox({ id: 'b', bytes: 300_000, places: [place(5)] }),
    aBox({ id: 'c', bytes: 4, places: [place(9)] }),
    aBox({ id: 'd', bytes: 0, places: [] }),
    aBox({ id: 'e', bytes: 9, open: true })
  ]
});

const names = lineNames(merge(null, anUpdate({ graphs: [graph] })));

const words = (by: ColourBy): string[] =>
  legendOf(graph, by, names).swatches.map(swatch => swatch.words);

const classes = (by: ColourBy): [string, string][] =>
  [...paintsOf(graph, by)].map(([id, { className }]) => [id, className]);

it('colours by bytes, each step ten times less', () => {
  expect(classes('bytes')).toEqual([
    ['a', 'jtv-heat-4'],
    ['b', 'jtv-heat-3'],
    ['c', 'jtv-heat-0'],
    ['d', 'jtv-heat-0']
  ]);
  expect(words('bytes')[0]).toBe('up to 4 MB');
});

it('colours by source line, where there is one', () => {
  expect(classes('line')).toEqual([
    ['a', 'jtv-hue-1'],
    ['b', 'jtv-hue-0'],
    ['c', 'jtv-hue-1']
  ]);
  expect(words('line')).toEqual(['line 5', 'line 9']);
});

it('leaves the colours of the kinds alone', () => {
  expect(paintsOf(graph, 'kind').size).toBe(0);
  expect(legendOf(graph, 'kind', names).swatches).toEqual([
    { className: 'jtv-plain', words: 'operation' }
  ]);
});
