import { expect, it } from 'vitest';
import type { Graph } from '../../protocol';
import { aBox, aGraph } from '../../testing/records';
import { Mark } from './box-mark';
import { Picture, drawGraph } from './picture';

const NO_MARKS = new Map<string, Mark>();
const [edge] = aGraph().edges;
if (!edge) {
  throw new Error('The graph of the tests lacks an edge.');
}

/** The same graph as it comes in the next message. */
const again = (fields: Partial<Graph> = {}): Graph =>
  structuredClone(aGraph(fields));

const first = drawGraph(aGraph(), NO_MARKS);
const next = (fields: Partial<Graph>, marks = NO_MARKS): Picture =>
  drawGraph(again(fields), marks, first);

/** The edge as far to the right and down. */
const moved = (dx: number, dy: number): Graph['edges'][number] => ({
  ...edge,
  points: edge.points.map((value, i) => value + (i % 2 === 0 ? dx : dy))
});

it('takes over what is the same', () => {
  const { boxes, edges } = next({});
  expect(boxes.map((box, i) => box === first.boxes[i])).toEqual([true, true]);
  expect(edges[0]).toBe(first.edges[0]);
});

it('draws a box that moved of the same shapes', () => {
  const [box] = next({ boxes: [aBox({ x: 30, places: [] })] }).boxes;
  const before = first.boxes.find(({ box: { id } }) => id === 'b1');
  expect(box?.box.x).toBe(30);
  expect(box?.shapes).toBe(before?.shapes);
});

it('tells what is new in a box that looks the same', () => {
  const [box] = next({ boxes: [aBox({ title: 'new' })] }).boxes;
  expect(box?.box.title).toBe('new');
});

it('marks a box that is the same', () => {
  const mark = { tone: 'plain', badge: '1', title: 'in kernel 1' } as const;
  const { boxes } = next({}, new Map([['b1', { ...mark, dashed: false }]]));
  expect(boxes.map(box => box.mark?.title)).toEqual([undefined, mark.title]);
});

it('moves an edge, from where it was drawn first', () => {
  const once = next({ edges: [moved(12.1, 30.2)] });
  const twice = drawGraph(
    again({ edges: [moved(12.4, 30.4)] }),
    NO_MARKS,
    once
  );
  expect(once.edges[0]?.moved).toEqual({ x: 12.1, y: 30.2 });
  expect(twice.edges[0]?.moved).toEqual({ x: 12.4, y: 30.4 });
  expect(twice.edges[0]?.shapes).toBe(first.edges[0]?.shapes);
});

it.each([
  ['form', { points: edge.points.map((value, i) => value + 10 * i) }],
  ['words', { label: '3 values saved' }],
  ['kind', { kind: 'saved' as const }],
  ['length', { points: [...edge.points, ...edge.points.slice(2)] }]
])('draws an edge anew that has another %s', (_, change) => {
  const [drawn] = next({ edges: [{ ...edge, ...change }] }).edges;
  const [alone] = drawGraph(
    again({ edges: [{ ...edge, ...change }] }),
    NO_MARKS
  ).edges;
  expect(drawn).toEqual(alone);
  expect(drawn?.shapes).not.toEqual(first.edges[0]?.shapes);
});
