import { expect, it } from 'vitest';
import { aBox } from '../../testing/records';
import { Direction, neighbour } from './neighbour';

const at = (id: string, x: number, y: number) =>
  aBox({ id, x, y, width: 40, height: 20 });

const boxes = [
  at('top', 100, 0),
  at('left', 0, 100),
  at('middle', 100, 100),
  at('right', 200, 100),
  at('bottom', 110, 200),
  at('far', 400, 140)
];
const middle = at('middle', 100, 100);

it.each<[Direction, string]>([
  ['ArrowUp', 'top'],
  ['ArrowDown', 'bottom'],
  ['ArrowLeft', 'left'],
  ['ArrowRight', 'right']
])('%s from the middle comes to %s', (direction, id) => {
  const from = boxes.find(box => box.id === 'middle') ?? middle;
  expect(neighbour(boxes, from, direction)?.id).toBe(id);
});

it('stays at the border', () => {
  const [top] = boxes;
  expect(top && neighbour(boxes, top, 'ArrowUp')).toBeNull();
});

it('enters an open group by its heading', () => {
  const frame = aBox({ id: 'g', x: 90, y: 90, height: 300, open: true });
  const inside = at('inside', 100, 120);
  expect(neighbour([frame, inside], frame, 'ArrowDown')?.id).toBe('inside');
  expect(neighbour([frame, inside], inside, 'ArrowUp')?.id).toBe('g');
});
