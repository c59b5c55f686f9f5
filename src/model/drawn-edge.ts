import type { Edge } from '../protocol';
import type { Caption, EdgeShape } from './shapes';
import { decimal } from './xml';

const EDGE_LABEL_RISE = 5;
const ARROW_LENGTH = 6;
const ARROW_HALF = 3.2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A curve with its arrow and what it says. */
export function drawEdge(edge: Edge): EdgeShape[] {
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
