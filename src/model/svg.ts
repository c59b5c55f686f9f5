import type { Graph } from '../protocol';
import { counted, formatCount } from './format';
import { DARK, LIGHT, Palette } from './palette';
import { Heading, Label, Note, Rect, Shape, drawGraph, round } from './picture';

const FONT =
  "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const MARGIN = 12;
const HEAD = 18;
const HEAD_LINE = 11;
/** Advance of a character at 9 pixels. */
const SMALL_WIDTH = 5.45;

const LINE_STYLES = {
  value: '',
  bundle: ' stroke-width="2.5"',
  saved: ' stroke-width="2" stroke-dasharray="6 3"'
};

/**
 * A graph as one SVG file, the same as the kernel's package writes: no script, nothing from outside, readable in light and
 * dark and without style sheets.
 */
export function svgFile(graph: Graph): string {
  const picture = drawGraph(graph);
  const head = [summary(graph), graph.note].filter(line => line !== '');
  const top = HEAD + HEAD_LINE * (head.length - 1);
  const textWidth = Math.max(...head.map(line => SMALL_WIDTH * line.length));
  const width = round(Math.max(graph.width, textWidth) + 2 * MARGIN);
  const height = round(graph.height + top + 2 * MARGIN);
  const [x, y] = [-MARGIN, -MARGIN - top];
  const name = escapeXml(`Computation graph of ${graph.name}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" class="jtv-picture" role="img" aria-label="${name}" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" font-family="${FONT}" font-size="11">`,
    `<title>${name}</title>`,
    `<style>${styleSheet()}</style>`,
    `<rect class="paper" x="${x}" y="${y}" width="${width}" height="${height}" rx="0" fill="${LIGHT.paper}" stroke="none"/>`,
    ...head.map((line, i) => headLine(line, y + MARGIN + 4 + HEAD_LINE * i)),
    ...picture.frames.map(({ box, shapes }) => group(box.title, shapes)),
    ...picture.edges.map(({ edge, shapes }) => group(edge.title, shapes)),
    ...picture.headings.map(writeHeading),
    '<g text-anchor="middle">',
    ...picture.boxes.map(({ box, shapes }) =>
      group(box.title, box.kind === 'group' ? shapes.map(asClosed) : shapes)
    ),
    '</g></svg>\n'
  ].join('\n');
}

function summary(graph: Graph): string {
  const boxes = graph.boxes.filter(box => !box.open).length;
  return `${graph.name}: ${counted(graph.equations, 'equation')} in ${formatCount(boxes)} boxes`;
}

function headLine(text: string, y: number): string {
  return `<text class="quiet" fill="${LIGHT.quiet}" x="0" y="${round(y)}" font-size="9">${escapeXml(text)}</text>`;
}

/** A closed group is marked by a triangle; the live view has a button there. */
function asClosed(shape: Shape): Shape {
  return shape.shape === 'label'
    ? { ...shape, text: `▸ ${shape.text}` }
    : shape;
}

function group(title: string, shapes: readonly Shape[]): string {
  const tooltip = title ? `<title>${escapeXml(title)}</title>` : '';
  return `<g>${tooltip}${shapes.map(writeShape).join('')}</g>`;
}

function writeShape(shape: Shape): string {
  switch (shape.shape) {
    case 'rect':
      return writeRect(shape);
    case 'line':
      return `<path class="line" fill="none" stroke="${LIGHT.line}"${LINE_STYLES[shape.kind]} d="${shape.d}"/>`;
    case 'tip':
      return `<path class="tip" fill="${LIGHT.line}" d="${shape.d}"/>`;
    case 'label':
      return writeLabel(shape);
    case 'heading':
      return writeHeading(shape);
    case 'note':
      return writeNote(shape);
  }
}

function writeRect({ part, tone, radius, ...rect }: Rect): string {
  const { fill, stroke } = LIGHT.tones[tone];
  const [classes, paint] =
    part === 'frame'
      ? [`frame s-${tone}`, LIGHT.frame]
      : [`fill-${tone} s-${tone}`, fill];
  const dashed = tone === 'port' ? ' stroke-dasharray="3 2"' : '';
  const { x, y, width, height } = rect;
  return `<rect class="${classes}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${paint}" stroke="${stroke}"${dashed}/>`;
}

function writeLabel({ x, y, bold, name, text }: Label): string {
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${round(x)}" y="${round(y)}"${weight}>${variable(name)}${span('ink', text)}</text>`;
}

/** With a halo, so that a line which crosses the border does not strike it through. */
function writeHeading({ x, y, name, text, detail }: Heading): string {
  const label = span('ink', text, ' font-weight="600"');
  const more = detail ? span('quiet', `  ${detail}`, ' font-size="9"') : '';
  return `<text class="halo" xml:space="preserve" x="${round(x)}" y="${round(y)}" stroke="${LIGHT.frame}" stroke-width="3.5" stroke-linejoin="round" paint-order="stroke">${variable(name)}${label}${more}</text>`;
}

function writeNote({ ink, x, y, text }: Note): string {
  const anchor = ink === 'ink' ? ' text-anchor="middle"' : '';
  return `<text class="${ink}" fill="${LIGHT[ink]}" x="${round(x)}" y="${round(y)}" font-size="9"${anchor}>${escapeXml(text)}</text>`;
}

function variable(name: string): string {
  return name && span('variable', `${name} = `, ' font-weight="600"');
}

function span(ink: Note['ink'], text: string, extra = ''): string {
  return `<tspan class="${ink}" fill="${LIGHT[ink]}"${extra}>${escapeXml(text)}</tspan>`;
}

function styleSheet(): string {
  return `${rules(LIGHT)}@media (prefers-color-scheme:dark){${rules(DARK)}}.jtv-picture g:hover>.line{stroke-width:3}`;
}

function rules(palette: Palette): string {
  const inks = (['ink', 'quiet', 'variable', 'paper'] as const).map(
    name => `.${name}{fill:${palette[name]}}`
  );
  const tones = Object.entries(palette.tones).flatMap(
    ([name, { fill, stroke }]) => [
      `.fill-${name}{fill:${fill}}`,
      `.s-${name}{stroke:${stroke}}`
    ]
  );
  return [
    ...inks,
    `.line{stroke:${palette.line}}`,
    `.tip{fill:${palette.line}}`,
    `.frame{fill:${palette.frame}}`,
    `.halo{stroke:${palette.frame}}`,
    ...tones
  ]
    .map(rule => `.jtv-picture ${rule}`)
    .join('');
}

/** What XML 1.0 cannot hold, and what would turn the direction of the text around it. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;'
};

function escapeXml(text: string): string {
  return text
    .replace(UNSAFE, '\ufffd')
    .replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign);
}
