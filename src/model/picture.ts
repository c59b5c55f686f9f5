import type { Box, Edge, Graph } from '../protocol';
import type { Tone } from './palette';
import { decimal } from './xml';

/** What a picture is made of; the live view and the saved file draw the same, as `exports/svg.py` does. */
export type Shape = BoxShape | EdgeShape | Heading;

export type BoxShape = Rect | Label | Note;

export type EdgeShape = Line | Tip | Caption;

export interface Rect {
  readonly shape: 'rect';
  /** An open group's background, or a box. */
  readonly part: 'frame' | 'box';
  readonly tone: Tone;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

/** The curve of an edge. */
export interface Line {
  readonly shape: 'line';
  readonly kind: Edge['kind'];
  readonly d: string;
}

/** The arrow at its end. */
export interface Tip {
  readonly shape: 'tip';
  readonly d: string;
}

/** What an edge says, with a glow in the colour of the paper. */
export interface Caption {
  readonly shape: 'caption';
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A box's first line, centred: `h = tanh`, with the user's own name in its own colour. */
export interface Label {
  readonly shape: 'label';
  readonly x: number;
  readonly y: number;
  readonly bold: boolean;
  readonly name: string;
  readonly text: string;
}

/** The one line of an open group. */
export interface Heading {
  readonly shape: 'heading';
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly text: string;
  readonly detail: string;
}

/** A small line of a box, centred. */
export interface Note {
  readonly shape: 'note';
  readonly ink: 'quiet' | 'variable';
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A box with what it is drawn of, as if its corner were the origin: so it can be moved without drawing it anew. */
export interface DrawnBox {
  readonly box: Box;
  readonly shapes: readonly BoxShape[];
}

/** The one line of an open group, as if the group's corner were the origin. */
export interface DrawnHeading {
  readonly box: Box;
  readonly heading: Heading;
}

export interface DrawnEdge {
  readonly edge: Edge;
  readonly shapes: readonly EdgeShape[];
}

/** In painting order. */
export interface Picture {
  /** Open groups. */
  readonly frames: readonly DrawnBox[];
  readonly edges: readonly DrawnEdge[];
  /** Of the open groups, over the edges that cross their borders. */
  readonly headings: readonly DrawnHeading[];
  readonly boxes: readonly DrawnBox[];
}

const PLATE_STEP = 3;
const LABEL_Y = 13.5;
const LINE_HEIGHT = 11;
const HEADING_X = 8;
const HEADING_Y = 12.5;
const EDGE_LABEL_RISE = 5;
const ARROW_LENGTH = 6;
const ARROW_HALF = 3.2;

const GLYPHS: Partial<Record<Box['kind'], string>> = {
  argument: '● ',
  constant: '◆ '
};

/** @param before - the picture that this one follows: what looks the same is taken over from it as the same object. */
export function drawGraph(graph: Graph, before?: Picture): Picture {
  const known = new Map(
    [...(before?.frames ?? []), ...(before?.boxes ?? [])].map(drawn => [
      drawn.box.id,
      drawn
    ])
  );
  const draw = (box: Box): DrawnBox => {
    const last = known.get(box.id);
    return last && looksLike(box, last.box)
      ? { box, shapes: last.shapes }
      : { box, shapes: box.open ? plates(box, 'frame', 6) : drawBox(box) };
  };
  const frames = graph.boxes.filter(box => box.open);
  return {
    frames: frames.map(draw),
    edges: graph.edges.map(edge => ({ edge, shapes: drawEdge(edge) })),
    headings: frames.map(box => ({ box, heading: drawHeading(box) })),
    boxes: graph.boxes.filter(box => !box.open).map(draw)
  };
}

/** Whether two boxes are drawn alike, wherever they stand. */
function looksLike(one: Box, other: Box): boolean {
  const keys = [
    'kind',
    'phase',
    'open',
    'repeat',
    'width',
    'height',
    'name',
    'label',
    'detail'
  ] as const;
  return (
    keys.every(key => one[key] === other[key]) &&
    one.notes.length === other.notes.length &&
    one.notes.every((note, i) => note === other.notes[i])
  );
}

/** Which colours a box has. */
export function toneOf({ kind, phase }: Box): Tone {
  return kind === 'operation' || kind === 'group' ? phase || 'plain' : kind;
}

function textOf(box: Box): string {
  return (GLYPHS[box.kind] ?? '') + box.label;
}

function drawHeading(box: Box): Heading {
  return {
    shape: 'heading',
    x: HEADING_X,
    y: HEADING_Y,
    name: box.name,
    text: textOf(box),
    detail: box.detail
  };
}

function drawBox(box: Box): BoxShape[] {
  const round = box.kind === 'argument' || box.kind === 'result';
  const x = box.width / 2;
  const y = LABEL_Y;
  const label: Label = {
    shape: 'label',
    x,
    y,
    bold: box.kind !== 'operation' && box.kind !== 'port',
    name: box.name,
    text: textOf(box)
  };
  const notes: Pick<Note, 'ink' | 'text'>[] = [
    ...(box.detail ? [{ ink: 'quiet' as const, text: box.detail }] : []),
    ...box.notes.map(text => ({ ink: 'variable' as const, text }))
  ];
  return [
    ...plates(box, 'box', round ? 10 : 3),
    label,
    ...notes.map<Note>((note, i) => ({
      shape: 'note',
      x,
      y: y + LINE_HEIGHT * (i + 1),
      ...note
    }))
  ];
}

/** A box's rectangle, on those of the copies that it stands for. */
function plates(box: Box, part: Rect['part'], radius: number): Rect[] {
  const { width, height } = box;
  const steps = box.repeat > 1 ? [2 * PLATE_STEP, PLATE_STEP, 0] : [0];
  return steps.map(step => ({
    shape: 'rect',
    part,
    tone: toneOf(box),
    x: step,
    y: step,
    width,
    height,
    radius
  }));
}

/** A shape as far to the right and down as a box stands. */
export function moved<S extends BoxShape | Heading>(
  shape: S,
  { x, y }: Box
): S {
  return { ...shape, x: shape.x + x, y: shape.y + y };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

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
