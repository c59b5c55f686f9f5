import type { Box, Edge, Graph } from '../protocol';

/** What a picture is made of; the live view and the saved file draw the same. */
export type Shape =
  | {
      readonly shape: 'rect';
      readonly className: string;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
    }
  | { readonly shape: 'path'; readonly className: string; readonly d: string }
  | {
      readonly shape: 'text';
      readonly className: string;
      readonly x: number;
      readonly y: number;
      readonly spans: readonly Stretch[];
    };

/** Text of one look. */
export interface Stretch {
  readonly className: string;
  readonly text: string;
}

export interface DrawnBox {
  readonly box: Box;
  readonly shapes: readonly Shape[];
  /** An open group's heading, drawn over the edges that cross its border. */
  readonly heading: readonly Shape[];
}

export interface DrawnEdge {
  readonly edge: Edge;
  readonly shapes: readonly Shape[];
}

/** In painting order: frames, edges, the frames' headings, boxes. */
export interface Picture {
  readonly frames: readonly DrawnBox[];
  readonly edges: readonly DrawnEdge[];
  readonly boxes: readonly DrawnBox[];
}

const PLATE_STEP = 3;
const LABEL_BASELINE = 13.5;
const LINE_STEP = 11;
const HEADING_BASELINE = 12;
const HEADING_INDENT = 11;
const ARROW = { length: 5, halfWidth: 3 };

export function drawGraph(graph: Graph): Picture {
  const isFrame = (box: Box): boolean => box.kind === 'group' && box.open;
  return {
    frames: graph.boxes.filter(isFrame).map(drawFrame),
    edges: graph.edges.map(edge => ({ edge, shapes: drawEdge(edge) })),
    boxes: graph.boxes.filter(box => !isFrame(box)).map(drawBox)
  };
}

/** Which fill and stroke a box has: that of its phase, else of its kind. */
function tone(box: Box): string {
  const plain = box.kind === 'operation' || box.kind === 'group';
  return `jtv-${plain && box.phase ? box.phase : box.kind}`;
}

function drawFrame(box: Box): DrawnBox {
  const { x, y } = box;
  return {
    box,
    shapes: drawPlates(box, `jtv-frame ${tone(box)}`, 6),
    heading: [
      {
        shape: 'text',
        className: 'jtv-heading',
        x: x + HEADING_INDENT,
        y: y + HEADING_BASELINE,
        spans: [
          ...labelOf(box),
          { className: 'jtv-detail', text: box.detail && `  ${box.detail}` }
        ]
      }
    ]
  };
}

/** `h = tanh`, with the user's own name in its own colour. */
function labelOf(box: Box): Stretch[] {
  return [
    { className: 'jtv-variable', text: box.name && `${box.name} = ` },
    { className: 'jtv-label', text: box.label }
  ];
}

function drawBox(box: Box): DrawnBox {
  const rounded = box.kind === 'argument' || box.kind === 'result';
  const center = box.x + box.width / 2;
  const shapes = drawPlates(box, `jtv-box ${tone(box)}`, rounded ? 10 : 3);
  const lines: Stretch[][] = [labelOf(box)];
  if (box.detail) {
    lines.push([{ className: 'jtv-detail', text: box.detail }]);
  }
  lines.push(...box.notes.map(text => [{ className: 'jtv-aside', text }]));
  lines.forEach((spans, i) => {
    const y = box.y + LABEL_BASELINE + i * LINE_STEP;
    shapes.push({ shape: 'text', className: '', x: center, y, spans });
  });
  return { box, shapes, heading: [] };
}

/** The box's own rectangle, on those of the copies it stands for. */
function drawPlates(box: Box, className: string, radius: number): Shape[] {
  const offsets = box.repeat > 1 ? [2 * PLATE_STEP, PLATE_STEP, 0] : [0];
  return offsets.map(offset => ({
    shape: 'rect',
    className,
    x: box.x + offset,
    y: box.y + offset,
    width: box.width,
    height: box.height,
    radius
  }));
}

function drawEdge(edge: Edge): Shape[] {
  const points = pairs(edge.points);
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  if (!last || !before) {
    return [];
  }
  const shapes: Shape[] = [
    { shape: 'path', className: `jtv-edge jtv-${edge.kind}`, d: curve(points) },
    { shape: 'path', className: 'jtv-arrow', d: arrow(before, last) }
  ];
  const middle = points[Math.floor(points.length / 2)];
  if (edge.label && middle) {
    shapes.push({
      shape: 'text',
      className: '',
      x: middle.x,
      y: middle.y - 5,
      spans: [{ className: 'jtv-detail', text: edge.label }]
    });
  }
  return shapes;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function pairs(flat: readonly number[]): Point[] {
  return flat.flatMap((x, i) => {
    const y = flat[i + 1];
    return i % 2 === 0 && y !== undefined ? [{ x, y }] : [];
  });
}

const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The start, then triples of two control points and an end. */
function curve(points: readonly Point[]): string {
  return points
    .map(({ x, y }, i) => (i === 0 ? 'M' : i % 3 === 1 ? 'C' : ' ') + at(x, y))
    .join('');
}

/** A triangle at the curve's end, in the direction in which it arrives. */
function arrow(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const dx = (to.x - from.x) / length;
  const dy = (to.y - from.y) / length;
  const backX = to.x - dx * ARROW.length;
  const backY = to.y - dy * ARROW.length;
  const corner = (side: number): string =>
    at(backX - dy * side, backY + dx * side);
  return `M${corner(ARROW.halfWidth)}L${at(to.x, to.y)}L${corner(-ARROW.halfWidth)}z`;
}
