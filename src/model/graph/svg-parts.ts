import type { Graph } from '../../protocol';
import type { Mark } from './box-mark';
import { DARK, LIGHT, Palette, Tone } from './palette';
import {
  BADGE_HEIGHT,
  BADGE_TEXT_Y,
  DrawnBox,
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
import { element, escapeXml } from './xml';

const BOLD = { 'font-weight': '600' };
const STROKES = {
  value: {},
  bundle: { 'stroke-width': '2.5' },
  saved: { 'stroke-width': '2', 'stroke-dasharray': '6 3' }
};

/** Frames, lines over them, the frames' headings over these, boxes on top. */
export function parts(
  graph: Graph,
  marks: ReadonlyMap<string, Mark>
): string[] {
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

export function small(x: number, y: number, text: string, ink: Ink): string {
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

/** The colours in light and in dark. */
export function styleSheet(withMarks: boolean): string {
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

/** The colours of a tone, for viewers with style sheets and without. */
export function filled(tone: Tone): Record<string, string> {
  const { fill, stroke } = LIGHT.tones[tone];
  return { class: `fill-${tone} s-${tone}`, fill, stroke };
}
