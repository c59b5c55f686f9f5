import type { Box, Graph } from '../../protocol';
import type { Mark } from './box-mark';
import type { Tone } from './palette';
import { DrawnEdge, followEdge } from './drawn-edge';
import { isSame } from './same';
import type { BoxBadge, BoxShape, Heading, Label, Note, Rect } from './shapes';

/** A box with what it is drawn of, as if its corner were the origin: so it can be moved without drawing it anew. */
export interface DrawnBox {
  readonly box: Box;
  readonly mark: Mark | undefined;
  readonly shapes: readonly BoxShape[];
}

/** The one line of an open group, as if the group's corner were the origin. */
export interface DrawnHeading {
  readonly box: Box;
  readonly heading: Heading;
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
/** Advance of a character at 9 pixels. */
export const SMALL_WIDTH = 5.45;
export const BADGE_HEIGHT = 11;
export const BADGE_TEXT_Y = 8.5;
const BADGE_MARGIN = 6;
const BADGE_OUT = 5;
const BADGE_RISE = 9;

const GLYPHS: Partial<Record<Box['kind'], string>> = {
  argument: '● ',
  constant: '◆ '
};

/**
 * @param marks - what is said of boxes beyond what they are, by id.
 * @param before - the picture that this one follows: what looks the same is taken over from it as the same object.
 */
export function drawGraph(
  graph: Graph,
  marks: ReadonlyMap<string, Mark>,
  before?: Picture
): Picture {
  const known = new Map(
    [...(before?.frames ?? []), ...(before?.boxes ?? [])].map(drawn => [
      drawn.box.id,
      drawn
    ])
  );
  const edges = new Map(before?.edges.map(drawn => [drawn.edge.id, drawn]));
  const draw = (box: Box): DrawnBox => {
    const mark = marks.get(box.id);
    const last = known.get(box.id);
    if (last && isSame(last.box, box) && isSame(last.mark, mark)) {
      return last;
    }
    return last && looksLike(box, last.box) && sameMark(mark, last.mark)
      ? { box, mark, shapes: last.shapes }
      : { box, mark, shapes: box.open ? drawFrame(box) : drawBox(box, mark) };
  };
  const frames = graph.boxes.filter(box => box.open).map(draw);
  return {
    frames,
    edges: graph.edges.map(edge => followEdge(edge, edges.get(edge.id))),
    headings: frames.map(({ box }) => ({ box, heading: drawHeading(box) })),
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

function sameMark(one: Mark | undefined, other: Mark | undefined): boolean {
  return (
    one?.tone === other?.tone &&
    one?.badge === other?.badge &&
    one?.dashed === other?.dashed
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
    x: HEADING_X + box.heading,
    y: HEADING_Y,
    name: box.name,
    text: textOf(box),
    detail: box.detail
  };
}

function drawFrame(box: Box): BoxShape[] {
  return plates(box, { part: 'frame', tone: toneOf(box), radius: 6 });
}

function drawBox(box: Box, mark: Mark | undefined): BoxShape[] {
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
    ...plates(box, {
      part: 'box',
      tone: mark?.tone ?? toneOf(box),
      radius: round ? 10 : 3,
      dashed: box.kind === 'port' || mark?.dashed === true
    }),
    label,
    ...notes.map<Note>((note, i) => ({
      shape: 'note',
      x,
      y: y + LINE_HEIGHT * (i + 1),
      ...note
    })),
    ...(mark ? [drawBadge(box, mark)] : [])
  ];
}

function drawBadge(box: Box, { tone, badge }: Mark): BoxBadge {
  const width = SMALL_WIDTH * badge.length + BADGE_MARGIN;
  return {
    shape: 'badge',
    tone,
    x: box.width - width + BADGE_OUT,
    y: -BADGE_RISE,
    width,
    text: badge
  };
}

/** A box's rectangle, on those of the copies that it stands for. */
function plates(
  box: Box,
  look: Pick<Rect, 'part' | 'tone' | 'radius'> & { dashed?: boolean }
): Rect[] {
  const { width, height } = box;
  const steps = box.repeat > 1 ? [2 * PLATE_STEP, PLATE_STEP, 0] : [0];
  return steps.map(step => ({
    shape: 'rect',
    dashed: false,
    ...look,
    x: step,
    y: step,
    width,
    height
  }));
}

/** A shape as far to the right and down as a box stands. */
export function moved<S extends BoxShape | Heading>(
  shape: S,
  { x, y }: Box
): S {
  return { ...shape, x: shape.x + x, y: shape.y + y };
}
