import type { Box, Graph } from '../protocol';
import { usesOf } from './slice';

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** A step aside counts this much more than a step ahead. */
const ASIDE = 2;

/**
 * Where an arrow key leads: down to what uses a box and up to what it uses, whichever lies nearest; else to what lies next
 * in the direction.
 */
export function follow(
  graph: Graph,
  from: Box,
  direction: Direction
): Box | null {
  const down = direction === 'ArrowDown';
  const linked =
    down || direction === 'ArrowUp'
      ? usesOf(graph)
          .filter(use => (down ? use.source : use.target).id === from.id)
          .map(use => (down ? use.target : use.source))
          .filter(box => (down ? box.y > from.y : box.y < from.y))
      : [];
  const nearest = linked.sort((a, b) => away(from, a) - away(from, b))[0];
  return nearest ?? neighbour(graph.boxes, from, direction);
}

function away(from: Box, to: Box): number {
  const aside = to.x + to.width / 2 - (from.x + from.width / 2);
  return Math.hypot(aside, to.y - from.y);
}

/** The box that lies next in a direction, for walking through a picture by arrow keys. */
export function neighbour(
  boxes: readonly Box[],
  from: Box,
  direction: Direction
): Box | null {
  let nearest: Box | null = null;
  let least = Infinity;
  for (const box of boxes) {
    const distance = box === from ? Infinity : distanceTo(from, box, direction);
    if (distance < least) {
      nearest = box;
      least = distance;
    }
  }
  return nearest;
}

/** Infinite for what does not lie in the direction. */
function distanceTo(from: Box, to: Box, direction: Direction): number {
  const right = to.x + to.width / 2 - (from.x + from.width / 2);
  const down = anchor(to) - anchor(from);
  const across = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const back = direction === 'ArrowUp' || direction === 'ArrowLeft';
  const ahead = (back ? -1 : 1) * (across ? right : down);
  const aside = Math.abs(across ? down : right);
  return ahead < 1 ? Infinity : ahead + ASIDE * aside;
}

/** An open group is met at its heading. */
function anchor(box: Box): number {
  return box.open ? box.y : box.y + box.height / 2;
}
