import type { Graph } from '../protocol';
import { DrawnBox, DrawnEdge, Shape, drawGraph } from './picture';

const MARGIN = 12;
const TITLE_HEIGHT = 16;
const FONT =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace';

/** Fills and strokes by class: on light paper and on dark. The views have the same in style/variables.css. */
const COLOURS: Record<string, { fill?: Pair; stroke?: Pair }> = {
  paper: { fill: ['#ffffff', '#212121'] },
  label: { fill: ['#1f1f1f', '#e0e0e0'] },
  detail: { fill: ['#616161', '#b0b0b0'] },
  variable: { fill: ['#0b5cad', '#7db8ff'] },
  aside: { fill: ['#0b5cad', '#7db8ff'] },
  operation: { fill: ['#eef1f6', '#262d3a'], stroke: ['#7d8798', '#77839a'] },
  group: { fill: ['#eef1f6', '#262d3a'], stroke: ['#7d8798', '#77839a'] },
  forward: { fill: ['#e3eefc', '#1c3354'], stroke: ['#3b78c4', '#6ea8f0'] },
  backward: { fill: ['#fdeadd', '#47301f'], stroke: ['#c4692a', '#f0a06a'] },
  argument: { fill: ['#e2f4e8', '#1a3a28'], stroke: ['#2f8f56', '#63c78c'] },
  result: { fill: ['#efe6fb', '#35264f'], stroke: ['#7b4bc2', '#b795f0'] },
  constant: { fill: ['#fff3c4', '#4a3f10'], stroke: ['#8a6f00', '#e0c040'] },
  port: { fill: ['#ffffff', '#212121'], stroke: ['#7d8798', '#77839a'] },
  frame: { fill: ['#f4f6fa', '#1b212b'] },
  heading: { stroke: ['#f4f6fa', '#1b212b'] },
  edge: { stroke: ['#767d89', '#8c96a8'] },
  arrow: { fill: ['#767d89', '#8c96a8'] }
};

type Pair = readonly [light: string, dark: string];

const RULES = [
  'text{font-size:11px;text-anchor:middle}',
  '.jtv-heading{paint-order:stroke;stroke-width:3.5px;font-weight:600;text-anchor:start}',
  '.jtv-detail,.jtv-aside{font-size:9px;font-weight:400}',
  '.jtv-variable{font-weight:600}',
  '.jtv-frame{stroke-width:.8px}',
  '.jtv-port{stroke-dasharray:3 2}',
  '.jtv-edge{fill:none}',
  '.jtv-bundle,.jtv-saved{stroke-width:2.5px}',
  '.jtv-saved{stroke-dasharray:6 3}'
].join('');

/** The picture of a graph as a file that stands alone: no script and no link, light or dark as the reader has it. */
export function svgFile(graph: Graph): string {
  const picture = drawGraph(graph);
  const left = -MARGIN;
  const top = -MARGIN - TITLE_HEIGHT;
  const width = Math.ceil(graph.width + 2 * MARGIN);
  const height = Math.ceil(graph.height + 2 * MARGIN + TITLE_HEIGHT);
  const title = `Computation graph of ${graph.name}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="graphics-document" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" font-family="${FONT}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${stylesheet(0)}${RULES}@media (prefers-color-scheme:dark){${stylesheet(1)}}</style>`,
    `<rect class="jtv-paper" x="${left}" y="${top}" width="${width}" height="${height}"/>`,
    writeShape({
      shape: 'text',
      className: 'jtv-heading',
      x: 0,
      y: -TITLE_HEIGHT / 2,
      spans: [{ className: 'jtv-detail', text: title }]
    }),
    ...picture.frames.map(writeBox),
    ...picture.edges.map(writeEdge),
    ...picture.frames.flatMap(({ heading }) => heading.map(writeShape)),
    ...picture.boxes.map(writeBox),
    '</svg>\n'
  ].join('\n');
}

function stylesheet(theme: 0 | 1): string {
  return Object.entries(COLOURS)
    .map(([name, { fill, stroke }]) => {
      const parts = [
        ...(fill ? [`fill:${fill[theme]}`] : []),
        ...(stroke ? [`stroke:${stroke[theme]}`] : [])
      ];
      return `.jtv-${name}{${parts.join(';')}}`;
    })
    .join('');
}

function writeBox({ box, shapes }: DrawnBox): string {
  return writeGroup(box.title || box.label, shapes);
}

function writeEdge({ edge, shapes }: DrawnEdge): string {
  return writeGroup(edge.title, shapes);
}

function writeGroup(title: string, shapes: readonly Shape[]): string {
  return `<g><title>${escapeXml(title)}</title>${shapes.map(writeShape).join('')}</g>`;
}

function writeShape(shape: Shape): string {
  const className = `class="${shape.className}"`;
  switch (shape.shape) {
    case 'rect':
      return `<rect ${className} x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" rx="${shape.radius}"/>`;
    case 'path':
      return `<path ${className} d="${shape.d}"/>`;
    case 'text': {
      const spans = shape.spans.map(
        ({ className: own, text }) =>
          `<tspan class="${own}">${escapeXml(text)}</tspan>`
      );
      return `<text ${className} xml:space="preserve" x="${round(shape.x)}" y="${round(shape.y)}">${spans.join('')}</text>`;
    }
  }
}

function round(value: number): string {
  return String(Number(value.toFixed(1)));
}

/** What XML 1.0 cannot hold, and what would turn the direction of the text around it. */
const FORBIDDEN =
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff\u202a-\u202e\u2066-\u2069\u200e\u200f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;'
};

function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"]/g, sign => ENTITIES[sign] ?? sign);
}
