import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { parseUpdate } from '../../protocol';
import { aSession } from '../../testing/records';
import { cleanUp, showSession } from '../../testing/screen';

afterEach(cleanUp);

const read = (name: string): string =>
  readFileSync(`src/testing/fixtures/${name}`, 'utf8');

const numbers = (text: string | null): number[] =>
  [...(text ?? '').matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);

/** Left, top, width and height of rectangles, moved as far as the group around them. */
function rects(nodes: Iterable<Element>): number[][] {
  return [...nodes].map(node => {
    const [dx = 0, dy = 0] = numbers(
      node.closest('[transform^=translate]')?.getAttribute('transform') ?? null
    );
    const of = (name: string): number => Number(node.getAttribute(name));
    return [of('x') + dx, of('y') + dy, of('width'), of('height')];
  });
}

const curves = (nodes: Iterable<Element>): number[][] =>
  [...nodes].map(node => numbers(node.getAttribute('d')));

/** Texts hold one decimal, and two languages round a half differently. */
function expectSame(ours: number[][], theirs: number[][]): void {
  expect(ours.length).toBeGreaterThan(30);
  expect(ours.map(one => one.length)).toEqual(theirs.map(one => one.length));
  const others = theirs.flat();
  const apart = ours
    .flat()
    .map((value, i) => Math.abs(value - (others[i] ?? NaN)));
  expect(Math.max(...apart)).toBeLessThan(0.11);
}

// There is one layout, the kernel's; its own picture is checked by tests/exports/test_front_end_picture.py.
it('draws every box and line where the picture that Python writes has it', () => {
  const graph: unknown = JSON.parse(read('graph.json'));
  const trace = (graph as { trace: string }).trace;
  const [fn = '', number = ''] = trace.split('#');
  const plain = aSession();
  const [aTrace] = plain.traces;
  const update = parseUpdate({
    ...plain,
    functions: [{ ...plain.functions[0], id: fn }],
    traces: [{ ...aTrace, id: `${fn}#${number}`, function: fn }],
    graphs: [graph],
    selected: trace
  });
  const screen = showSession(update ?? plain);
  screen.get('tab', 'Graph').click();
  screen.paint();
  const theirs = document.createElement('div');
  // eslint-disable-next-line no-restricted-globals -- to look at what Python wrote
  const page = new DOMParser().parseFromString(
    read('graph.svg'),
    'image/svg+xml'
  );
  theirs.append(page.documentElement);
  expectSame(
    rects(
      screen.node.querySelectorAll('[data-box] > :is(.jtv-frame, .jtv-box)')
    ),
    rects(theirs.querySelectorAll('g > rect'))
  );
  expectSame(
    curves(screen.node.querySelectorAll('path.jtv-edge')),
    curves(theirs.querySelectorAll('path.line'))
  );
});
