import type { Edge } from '../../protocol';
import type { Caption, EdgeShape } from './shapes';
import { decimal } from './xml';

const EDGE_LABEL_RISE = 5;
const ARROW_LENGTH = 6;
const ARROW_HALF = 3.2;

/** In the picture's measures. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An edge with what it is drawn of, where it was when it was first drawn. */
export interface DrawnEdge {
  readonly edge: Edge;
  readonly shapes: readonly EdgeShape[];
  /** How far it has moved since then without changing its form. */
  readonly moved: Point;
}

/** Positions are told in tenths of a pixel. */
const PRECISION = 0.05;

/** @param last - the same edge in the picture before: an edge that only moved is not drawn anew. */
export function followEdge(edge: Edge, last?: DrawnEdge): DrawnEdge {
  const by = last && distance(last.edge, edge);
  if (!last || !by) {
    return { edge, shapes: drawEdge(edge), moved: { x: 0, y: 0 } };
  }
  return by.x === 0 && by.y === 0 && last.edge.title === edge.title
    ? last
    : {
        edge,
        shapes: last.shapes,
        moved: {
          x: tenths(last.moved.x + by.x),
          y: tenths(last.moved.y + by.y)
        }
      };
}

/** How far an edge has moved; null where it changed otherwise. */
function distance(before: Edge, now: Edge): Point | null {
  const [x = 0, y = 0] = now.points.map(
    (to, i) => to - (before.points[i] ?? 0)
  );
  const isMoved =
    before.kind === now.kind &&
    before.label === now.label &&
    before.points.length === now.points.length &&
    now.points.every((to, i) => {
      const by = to - (before.points[i] ?? 0);
      return Math.abs(by - (i % 2 === 0 ? x : y)) < PRECISION;
    });
  return isMoved ? { x: tenths(x), y: tenths(y) } : null;
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

/** A curve with its arrow and what it says. */
function drawEdge(edge: Edge): EdgeShape[] {
  const points = pairs(edge.points);
  const first = points[0];
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  if (!first || !last || !before) {
    return [];
  }
  const caption: Caption = {
    shape: 'caption',
    x: (first.x + last.x) / 2,
    y: (first.y + last.y) / 2 - EDGE_LABEL_RISE,
    text: edge.label
  };
  return [
    { shape: 'line', kind: edge.kind, d: curve(points) },
    { shape: 'tip', d: arrow(before, last) },
    ...(edge.label ? [caption] : [])
  ];
}

function pairs(flat: readonly number[]): Point[] {
  return flat.flatMap((x, i) => {
    const y = flat[i + 1];
    return i % 2 === 0 && y !== undefined ? [{ x, y }] : [];
  });
}

function at(x: number, y: number): string {
  return `${decimal(x)} ${decimal(y)}`;
}

/** The start, then triples of two control points and an end. */
function curve(points: readonly Point[]): string {
  return points
    .map(({ x, y }, i) => (i === 0 ? 'M' : i % 3 === 1 ? 'C' : ' ') + at(x, y))
    .join('');
}

/** A triangle at the end of a curve, in the direction in which it arrives. */
function arrow(before: Point, end: Point): string {
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const dx = (end.x - before.x) / length;
  const dy = (end.y - before.y) / length;
  const backX = end.x - dx * ARROW_LENGTH;
  const backY = end.y - dy * ARROW_LENGTH;
  const corner = (side: number): string =>
    at(backX - dy * side, backY + dx * side);
  return `M${corner(ARROW_HALF)}L${at(end.x, end.y)}L${corner(-ARROW_HALF)}z`;
}
