import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseUpdate } from '../../protocol';
import { aBox, aGraph, aSession } from '../../testing/records';
import type { Graph } from '../../protocol';
import { pairFile, svgFile } from './svg';

function parse(svg: string): Document {
  // eslint-disable-next-line no-restricted-globals -- to look at what we wrote
  const page = new DOMParser().parseFromString(svg, 'image/svg+xml');
  expect(page.querySelector('parsererror')).toBeNull();
  return page;
}

/** What a picture says, whatever the order of attributes; numbers apart, because two languages round a half differently. */
function pieces(svg: string): { words: string[]; numbers: number[] } {
  const number = /-?\d+(?:\.\d+)?/g;
  const texts = [...parse(svg).querySelectorAll('*')].flatMap(node => [
    node.tagName,
    ...[...node.attributes].map(a => `${a.name}=${a.value}`).sort(),
    node.childElementCount === 0 ? node.textContent : ''
  ]);
  const all = texts.join('\n');
  return {
    words: all.split(number),
    numbers: [...all.matchAll(number)].map(Number)
  };
}

function readGraph(data: unknown): Graph {
  const update = parseUpdate({ ...aSession(), graphs: [data] });
  const [graph] = update?.graphs ?? [];
  if (!graph) {
    throw new Error('the fixture is no graph');
  }
  return graph;
}

const read = (name: string): string =>
  readFileSync(`src/testing/fixtures/${name}`, 'utf8');

const fixture = (name: string): Graph =>
  readGraph(JSON.parse(read(`${name}.json`)));

function expectSame(one: string, other: string): void {
  const [ours, theirs] = [pieces(one), pieces(other)];
  expect(ours.words).toEqual(theirs.words);
  ours.numbers.forEach((value, i) => {
    expect(Math.abs(value - (theirs.numbers[i] ?? NaN))).toBeLessThan(0.11);
  });
}

describe('svgFile', () => {
  // The fixture is checked against the Python writer by tests/exports/test_front_end_picture.py.
  it.each(['graph', 'graph-kernels', 'graph-changes'])(
    'is the same picture as the one that Python writes: %s',
    name => {
      expectSame(svgFile(fixture(name)), read(`${name}.svg`));
    }
  );

  it('is the same for two graphs beside each other', () => {
    const written = pairFile(
      fixture('graph-changes'),
      fixture('graph-kernels')
    );
    expectSame(written, read('graph-pair.svg'));
  });

  it('keeps hostile text mere text', () => {
    const text = '</title><script>alert("1")</script>&\u0000\u202e\ud800\'';
    const graph = aGraph({
      name: text,
      note: text,
      boxes: [aBox({ label: text, detail: text, title: text, notes: [text] })],
      edges: []
    });
    const page = parse(svgFile(graph));
    expect(page.querySelector('script')).toBeNull();
    const shown = '</title><script>alert("1")</script>&\ufffd\ufffd\ufffd\'';
    expect(page.querySelector('tspan')?.textContent).toContain(shown);
    expect(page.documentElement.getAttribute('aria-label')).toBe(
      `Computation graph of ${shown}`
    );
  });

  it('keeps letters outside the basic plane', () => {
    const page = parse(svgFile(aGraph({ name: 'f_𝛼' })));
    expect(page.querySelector('title')?.textContent).toContain('f_𝛼');
  });

  it('loads nothing from anywhere', () => {
    const page = parse(svgFile(fixture('graph')));
    const elements = [...page.querySelectorAll('*')];
    const attributes = elements.flatMap(e => [...e.attributes]);
    expect(attributes.filter(a => /href|src|^on/.test(a.name))).toEqual([]);
    expect(svgFile(aGraph())).not.toMatch(/url\(|@import/);
  });
});
