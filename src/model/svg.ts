import type { Graph } from '../protocol';
import { counted, formatCount } from './format';
import type { Entry, Mark } from './box-mark';
import { overlaidEntries, overlaidMarks } from './overlaid';
import { DARK, LIGHT, Palette, Tone } from './palette';
import {
  BADGE_HEIGHT,
  BADGE_TEXT_Y,
  DrawnBox,
  SMALL_WIDTH,
  drawGraph,
  moved
} from './picture';
import type {
  BoxBadge,
  BoxShape,
  Caption,
  Heading,
  Label,
  Rect,
  Shape
} from './shapes';
import { decimal, element, escapeXml } from './xml';

const FONT =
  "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const MARGIN = 12;
const HEAD = 18;
const LINE = 11;
/** Room for a colour before the line that explains it. */
const SWATCH = 13;

const BOLD = { 'font-weight': '600' };
const STROKES = {
  value: {},
  bundle: { 'stroke-width': '2.5' },
  saved: { 'stroke-width': '2', 'stroke-dasharray': '6 3' }
};

/**
 * A graph as one SVG file, the same as the kernel's package writes: no script, nothing from outside, readable in light and
 * dark and without style sheets.
 */
export function svgFile(graph: Graph): string {
  const marks = overlaidMarks(graph);
  const head = headOf(graph);
  const top = HEAD + LINE * (head.length - 1);
  const x = -MARGIN;
  const y = -MARGIN - top;
  const width = Math.max(graph.width, ...head.map(widthOf)) + 2 * MARGIN;
  const height = graph.height + top + 2 * MARGIN;
  const name = `Computation graph of ${graph.name}`;
  const paper = { class: 'paper', fill: LIGHT.paper };
  const inside = [
    element('title', {}, escapeXml(name)),
    element('style', {}, styleSheet(marks.size > 0)),
    element('rect', { ...paper, x, y, width, height }),
    ...head.map((entry, i) => writeEntry(y + MARGIN + 4 + LINE * i, entry)),
    ...parts(graph, marks)
  ];
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'jtv-picture',
    role: 'img',
    'aria-label': name,
    viewBox: [x, y, width, height].map(decimal).join(' '),
    width,
    height,
    'font-family': FONT,
    'font-size': 11
  };
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${prolog}\n${element('svg', root, `\n${inside.join('\n')}\n`)}\n`;
}

/** The lines above the picture. */
function headOf(graph: Graph): Entry[] {
  const notes = [summary(graph), graph.note].filter(Boolean);
  return [
    ...notes.map(text => ({ tone: null, text })),
    ...overlaidEntries(graph)
  ];
}

function widthOf({ tone, text }: Entry): number {
  return SMALL_WIDTH * text.length + (tone ? SWATCH : 0);
}

/** A line above the picture, with the colour that it explains. */
function writeEntry(y: number, { tone, text }: Entry): string {
  if (!tone) {
    return small(0, y, text, 'quiet');
  }
  const place = { x: 0.5, y: y - 7.5, width: 8, height: 8, rx: 2 };
  const swatch = element('rect', { ...place, ...filled(tone) });
  return swatch + small(SWATCH, y, text, 'ink');
}

function filled(tone: Tone): Record<string, string> {
  const { fill, stroke } = LIGHT.tones[tone];
  return { class: `fill-${tone} s-${tone}`, fill, stroke };
}

function summary(graph: Graph): string {
  const boxes = graph.boxes.filter(box => !box.open).length;
  return `${graph.name}: ${counted(graph.equations, 'equation')} in ${formatCount(boxes)} boxes`;
}

/** Frames, lines over them, the frames' headings over these, boxes on top. */
function parts(graph: Graph, marks: ReadonlyMap<string, Mark>): string[] {
  const { frames, edges, headings, boxes } = drawGraph(graph, marks);
  return [
    ...frames.map(writeBox),
    ...edges.map(({ edge, shapes }) => group(edge.title, shapes)),
    ...headings.map(({ box, heading }) => writeHeading(moved(heading, box))),
    '<g text-anchor="middle">',
    ...boxes.map(writeBox),
    '</g>'
  ];
}

function writeBox({ box, mark, shapes }: DrawnBox): string {
  const isClosed = box.kind === 'group' && !box.open;
  const placed = shapes.map(shape => moved(shape, box));
  const title = [box.title, mark?.title].filter(Boolean).join('\n');
  return group(title, isClosed ? placed.map(asClosed) : placed);
}

/** A closed group is marked by a triangle; the live view has a button there. */
function asClosed(shape: BoxShape): BoxShape {
  return shape.shape === 'label'
    ? { ...shape, text: `▸ ${shape.text}` }
    : shape;
}

function group(title: string, shapes: readonly Shape[]): string {
  const tooltip = title && element('title', {}, escapeXml(title));
  return element('g', {}, tooltip + shapes.map(writeShape).join(''));
}

function writeShape(shape: Shape): string {
  switch (shape.shape) {
    case 'rect':
      return writeRect(shape);
    case 'line': {
      const look = { class: 'line', fill: 'none', stroke: LIGHT.line };
      return element('path', { ...look, ...STROKES[shape.kind], d: shape.d });
    }
    case 'tip':
      return element('path', { class: 'tip', fill: LIGHT.line, d: shape.d });
    case 'caption':
      return writeCaption(shape);
    case 'badge':
      return writeBadge(shape);
    case 'label':
      return writeLabel(shape);
    case 'heading':
      return writeHeading(shape);
    case 'note':
      return small(shape.x, shape.y, shape.text, shape.ink);
  }
}

function writeRect({ part, tone, radius, dashed, ...rect }: Rect): string {
  const { x, y, width, height } = rect;
  const look =
    part === 'frame'
      ? {
          class: `frame s-${tone}`,
          fill: LIGHT.frame,
          stroke: LIGHT.tones[tone].stroke
        }
      : filled(tone);
  const place = { x, y, width, height, rx: radius };
  const dashes = { 'stroke-dasharray': '3 2' };
  return element('rect', { ...place, ...look, ...(dashed && dashes) });
}

function writeBadge({ tone, x, y, width, text }: BoxBadge): string {
  const place = { x, y, width, height: BADGE_HEIGHT, rx: 4 };
  const rect = element('rect', { ...place, ...filled(tone) });
  return rect + small(x + width / 2, y + BADGE_TEXT_Y, text, 'ink');
}

function writeLabel({ x, y, bold, name, text }: Label): string {
  const inside = variable(name) + span('ink', text);
  return element('text', { x, y, ...(bold ? BOLD : {}) }, inside);
}

function writeHeading({ x, y, name, text, detail }: Heading): string {
  const more = detail && span('quiet', `  ${detail}`, { 'font-size': 9 });
  return element(
    'text',
    { x, y, 'xml:space': 'preserve', ...halo('halo', LIGHT.frame) },
    variable(name) + span('ink', text, BOLD) + more
  );
}

function writeCaption({ x, y, text }: Caption): string {
  const glowing = element(
    'g',
    halo('glow', LIGHT.paper),
    small(x, y, text, 'ink')
  );
  return element('g', { 'text-anchor': 'middle' }, glowing);
}

/** So that a line which crosses a text does not strike it through. */
function halo(name: string, stroke: string): Record<string, string> {
  return {
    class: name,
    stroke,
    'stroke-width': '3.5',
    'stroke-linejoin': 'round',
    'paint-order': 'stroke'
  };
}

type Ink = 'ink' | 'quiet' | 'variable';

function small(x: number, y: number, text: string, ink: Ink): string {
  const look = { class: ink, fill: LIGHT[ink], x, y, 'font-size': 9 };
  return element('text', look, escapeXml(text));
}

function variable(name: string): string {
  return name && span('variable', `${name} = `, BOLD);
}

function span(
  ink: Ink,
  text: string,
  more: Readonly<Record<string, string | number>> = {}
): string {
  const look = { class: ink, fill: LIGHT[ink] };
  return element('tspan', { ...look, ...more }, escapeXml(text));
}

/** Tones that only marks have. */
const MARKED = /^(kernel-\d|added|removed|changed)$/;

function styleSheet(withMarks: boolean): string {
  const dark = `@media (prefers-color-scheme:dark){${rules(DARK, withMarks)}}`;
  return `${rules(LIGHT, withMarks)}${dark}.jtv-picture g:hover>.line{stroke-width:3}`;
}

function rules(palette: Palette, withMarks: boolean): string {
  const { line, frame, paper, tones } = palette;
  const inks = ['ink', 'quiet', 'variable', 'paper'] as const;
  return [
    ...inks.map(name => `.${name}{fill:${palette[name]}}`),
    `.line{stroke:${line}}`,
    `.tip{fill:${line}}`,
    `.frame{fill:${frame}}`,
    `.halo{stroke:${frame}}`,
    `.glow{stroke:${paper}}`,
    ...Object.entries(tones)
      .filter(([name]) => withMarks || !MARKED.test(name))
      .flatMap(([name, { fill, stroke }]) => [
        `.fill-${name}{fill:${fill}}`,
        `.s-${name}{stroke:${stroke}}`
      ])
  ]
    .map(rule => `.jtv-picture ${rule}`)
    .join('');
}
