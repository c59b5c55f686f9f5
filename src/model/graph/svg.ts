import type { Graph } from '../../protocol';
import { counted } from '../words/counted';
import { formatCount } from '../words/format';
import type { Entry } from './box-mark';
import { trans } from '../words/language';
import { overlaidEntries, overlaidMarks } from './overlaid';
import { LIGHT } from './palette';
import { SMALL_WIDTH } from './picture';
import { traceName } from '../words/words';
import { filled, parts, small, styleSheet } from './svg-parts';
import { decimal, element, escapeXml } from './xml';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const FONT =
  "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const MARGIN = 12;
const HEAD = 18;
const LINE = 11;
/** Room for a colour before the line that explains it. */
const SWATCH = 13;

/**
 * A graph as one SVG file, the same as the kernel's package writes: no script, nothing from outside, readable in light and
 * dark and without style sheets.
 */
export function svgFile(graph: Graph): string {
  return file(sheetOf(graph).drawn({ withStyle: true }));
}

/** Two graphs beside each other, as one file. */
export function pairFile(before: Graph, after: Graph): string {
  const [left, right] = [sheetOf(before), sheetOf(after)];
  const width = left.width + right.width;
  const height = Math.max(left.height, right.height);
  const name = trans.__(
    'Computation graphs of %1: %2 and %3',
    before.name,
    traceName(before.name, before.trace),
    traceName(after.name, after.trace)
  );
  const inside = [
    element('title', {}, escapeXml(name)),
    left.drawn({ withStyle: true }),
    right.drawn({ withStyle: false, x: left.width })
  ];
  const root = {
    xmlns: NAMESPACE,
    role: 'img',
    'aria-label': name,
    viewBox: [0, 0, width, height].map(decimal).join(' '),
    width,
    height
  };
  return file(element('svg', root, inside.join('\n')));
}

function file(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

interface SheetOfPaper {
  readonly width: number;
  readonly height: number;
  /** The graph as an `svg` element, maybe inside another one at `x`. */
  readonly drawn: (how: { withStyle: boolean; x?: number }) => string;
}

/** One graph with the lines above it. */
function sheetOf(graph: Graph): SheetOfPaper {
  const marks = overlaidMarks(graph);
  const head = headOf(graph);
  const top = HEAD + LINE * (head.length - 1);
  const left = -MARGIN;
  const upper = -MARGIN - top;
  const width = Math.max(graph.width, ...head.map(widthOf)) + 2 * MARGIN;
  const height = graph.height + top + 2 * MARGIN;
  const name = trans.__('Computation graph of %1', graph.name);
  const paper = { class: 'paper', fill: LIGHT.paper };
  const drawn: SheetOfPaper['drawn'] = ({ withStyle, x }) => {
    const inside = [
      element('title', {}, escapeXml(name)),
      ...(withStyle ? [element('style', {}, styleSheet(marks.size > 0))] : []),
      element('rect', { ...paper, x: left, y: upper, width, height }),
      ...head.map((entry, i) =>
        writeEntry(upper + MARGIN + 4 + LINE * i, entry)
      ),
      ...parts(graph, marks)
    ];
    const root = {
      xmlns: NAMESPACE,
      class: 'jtv-picture',
      role: 'img',
      'aria-label': name,
      viewBox: [left, upper, width, height].map(decimal).join(' '),
      width,
      height,
      'font-family': FONT,
      'font-size': 11,
      ...(x === undefined ? {} : { x })
    };
    return element('svg', root, `\n${inside.join('\n')}\n`);
  };
  return { width, height, drawn };
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

function summary(graph: Graph): string {
  const boxes = graph.boxes.filter(box => !box.open).length;
  return trans.__(
    '%1: %2 in %3 boxes',
    graph.name,
    counted(graph.equations, 'equation'),
    formatCount(boxes)
  );
}
