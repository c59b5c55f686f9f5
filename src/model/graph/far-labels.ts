import type { Graph } from '../../protocol';
import { labelOf } from './box-label';
import { byDepth } from './nesting';

/** The name of a group in a picture that is too small for its own texts; in the picture's measures. */
export interface FarLabel {
  readonly box: string;
  readonly x: number;
  readonly y: number;
  /** Of the font: always the same on the screen. */
  readonly size: number;
  readonly text: string;
}

/** On the screen. */
const SIZE = 10;
const INDENT = 3;
const ADVANCE = 0.62;
const LEADING = 1.25;
/** A shorter beginning of a name says nothing. */
const SHORTEST = 4;

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** As many groups' names as there is room for, outer groups first. No two of them touch. */
export function farLabels(graph: Graph, scale: number): FarLabel[] {
  const size = SIZE / scale;
  const taken: Area[] = [];
  return byDepth(graph).flatMap(box => {
    const text = cut(labelOf(box), (box.width - size) / (size * ADVANCE));
    const x = box.x + INDENT / scale;
    const area = {
      left: x,
      top: box.y,
      right: x + text.length * size * ADVANCE,
      bottom: box.y + size * LEADING
    };
    if (!text || taken.some(other => overlap(area, other))) {
      return [];
    }
    taken.push(area);
    return [{ box: box.id, x, y: box.y + size, size, text }];
  });
}

function cut(text: string, most: number): string {
  const room = Math.floor(most);
  if (text.length <= room) {
    return text;
  }
  return room < SHORTEST ? '' : `${text.slice(0, room - 1)}…`;
}

function overlap(a: Area, b: Area): boolean {
  return (
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
  );
}
