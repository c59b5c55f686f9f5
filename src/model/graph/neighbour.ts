import type { Box, Edge, Graph } from '../../protocol';
import { foldOf, foldsOf } from './folds';
import { usesOf } from './slice';

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** Where the focus can be: a box, or the middle of a line that stands for several. */
export type Spot = Pick<Box, 'id' | 'x' | 'y' | 'width' | 'height' | 'open'>;

/** A step aside counts this much more than a step ahead. */
const ASIDE = 2;

/** The box or line with an id. */
export function spotOf(graph: Graph, id: string | null): Spot | null {
  const fold = foldOf(graph, id);
  return fold ? middle(fold) : (graph.boxes.find(box => box.id === id) ?? null);
}

/**
 * Where an arrow key leads: down to what uses a box and up to what it uses, whichever lies nearest, by way of the line if
 * that stands for several; else to what lies next in the direction.
 */
export function follow(
  graph: Graph,
  from: Spot,
  direction: Direction
): Spot | null {
  const fold = foldOf(graph, from.id);
  if (fold) {
    const on = direction === 'ArrowDown' || direction === 'ArrowRight';
    return spotOf(graph, on ? fold.target : fold.source);
  }
  const next = [
    ...linkedTo(graph, from, direction),
    ...foldsAt(graph, from, direction)
  ];
  const nearest = next.sort((a, b) => away(from, a) - away(from, b))[0];
  return nearest ?? neighbour(graph.boxes, from, direction);
}

/** What uses a box, below it, or what it uses, above it. */
function linkedTo(graph: Graph, from: Spot, direction: Direction): Spot[] {
  const down = direction === 'ArrowDown';
  return down || direction === 'ArrowUp'
    ? usesOf(graph)
        .filter(use => (down ? use.source : use.target).id === from.id)
        .map(use => (down ? use.target : use.source))
        .filter(box => (down ? box.y > from.y : box.y < from.y))
    : [];
}

/** The lines that begin or end at a box. Saved values go across; down from an open group is into it. */
function foldsAt(graph: Graph, from: Spot, direction: Direction): Spot[] {
  const isAt = ({ kind, source, target }: Edge): boolean => {
    switch (direction) {
      case 'ArrowRight':
        return kind === 'saved' && source === from.id;
      case 'ArrowLeft':
        return kind === 'saved' && target === from.id;
      case 'ArrowDown':
        return kind === 'bundle' && source === from.id && !from.open;
      case 'ArrowUp':
        return kind === 'bundle' && target === from.id;
    }
  };
  return foldsOf(graph).filter(isAt).map(middle);
}

function middle({ id, points }: Edge): Spot {
  const [x = 0, y = 0] = points;
  const [toX = 0, toY = 0] = points.slice(-2);
  return {
    id,
    x: (x + toX) / 2,
    y: (y + toY) / 2,
    width: 0,
    height: 0,
    open: false
  };
}

function away(from: Spot, to: Spot): number {
  const aside = to.x + to.width / 2 - (from.x + from.width / 2);
  return Math.hypot(aside, to.y - from.y);
}

/** The box that lies next in a direction, for walking through a picture by arrow keys. */
export function neighbour(
  boxes: readonly Box[],
  from: Spot,
  direction: Direction
): Box | null {
  let nearest: Box | null = null;
  let least = Infinity;
  for (const box of boxes) {
    const distance =
      box.id === from.id ? Infinity : distanceTo(from, box, direction);
    if (distance < least) {
      nearest = box;
      least = distance;
    }
  }
  return nearest;
}

/** Infinite for what does not lie in the direction. */
function distanceTo(from: Spot, to: Spot, direction: Direction): number {
  const right = to.x + to.width / 2 - (from.x + from.width / 2);
  const down = anchor(to) - anchor(from);
  const across = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const back = direction === 'ArrowUp' || direction === 'ArrowLeft';
  const ahead = (back ? -1 : 1) * (across ? right : down);
  const aside = Math.abs(across ? down : right);
  return ahead < 1 ? Infinity : ahead + ASIDE * aside;
}

/** An open group is met at its heading. */
function anchor(box: Spot): number {
  return box.open ? box.y : box.y + box.height / 2;
}
