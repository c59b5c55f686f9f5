import type { Box, Graph, Place } from '../../protocol';
import { counted } from '../words/counted';
import { formatBytes, formatFlops } from '../words/format';
import { Words, trans } from '../words/language';
import { overlaidLegend } from './overlaid';
import { Legend, Paint, Swatch, hue } from './paint';
import { toneOf } from './picture';
import type { LineNames } from '../words/place';
import type { Tone } from './palette';

/** What the colours of the boxes tell. */
export type ColourBy = 'kind' | 'bytes' | 'flops' | 'line' | 'kernel';

export const COLOURINGS: Readonly<Record<ColourBy, Words>> = {
  kind: () => trans.__('kind'),
  bytes: () => trans.__('bytes handed on'),
  flops: () => trans.__('flops'),
  line: () => trans.__('source line'),
  kernel: () => trans.__('kernel (XLA)')
};

/** Those that tell what a box is. */
const TONES: Readonly<Partial<Record<Tone, Words>>> = {
  argument: () => trans.__('argument'),
  constant: () => trans.__('baked-in constant'),
  plain: () => trans.__('operation'),
  forward: () => trans.__('forward pass'),
  backward: () => trans.__('backward pass'),
  port: () => trans.__('value of a loop or branch'),
  result: () => trans.__('result')
};

const STEPS = 5;
/** So many lines are told apart in the legend. */
const LISTED = 8;

/** The boxes that are coloured otherwise than by their kind. */
export function paintsOf(
  graph: Graph,
  by: ColourBy
): ReadonlyMap<string, Paint> {
  const closed = graph.boxes.filter(box => !box.open);
  switch (by) {
    case 'kind':
    case 'kernel':
      return new Map();
    case 'bytes':
    case 'flops':
      return heatPaints(closed, by);
    case 'line':
      return linePaints(closed);
  }
}

/** What the colours mean. */
export function legendOf(graph: Graph, by: ColourBy, names: LineNames): Legend {
  const closed = graph.boxes.filter(box => !box.open);
  switch (by) {
    case 'kind':
      return { swatches: toneSwatches(graph), words: '' };
    case 'bytes':
    case 'flops':
      return heatLegend(closed, by);
    case 'line':
      return lineLegend(closed, names);
    case 'kernel':
      return overlaidLegend(graph);
  }
}

function toneSwatches({ boxes }: Graph): Swatch[] {
  const present = new Set(boxes.map(toneOf));
  return (Object.entries(TONES) as [Tone, Words][])
    .filter(([tone]) => present.has(tone))
    .map(([tone, words]) => ({ className: `jtv-${tone}`, words: words() }));
}

type Measure = 'bytes' | 'flops';

const MEASURES: Readonly<
  Record<Measure, { format: (value: number) => string; noun: Words }>
> = {
  bytes: {
    format: formatBytes,
    noun: () => trans.__('Bytes handed on to other boxes')
  },
  flops: {
    format: formatFlops,
    noun: () => trans.__('Flops of matrix products and convolutions')
  }
};

function heatPaints(boxes: readonly Box[], by: Measure): Map<string, Paint> {
  const most = Math.max(...boxes.map(box => box[by] ?? 0), 1);
  return new Map(
    boxes.map(box => {
      const value = box[by];
      const paint =
        value === null
          ? { className: 'jtv-unknown', words: trans.__('%1: not known', by) }
          : {
              className: `jtv-heat-${step(value, most)}`,
              words: MEASURES[by].format(value)
            };
      return [box.id, paint];
    })
  );
}

function heatLegend(boxes: readonly Box[], by: Measure): Legend {
  const { format, noun } = MEASURES[by];
  const values = boxes.flatMap(box => box[by] ?? []);
  const most = Math.max(...values, 0);
  const steps = Array.from({ length: most > 0 ? STEPS : 0 }, (_, i) => ({
    className: `jtv-heat-${STEPS - 1 - i}`,
    words: i === 0 ? trans.__('up to %1', format(most)) : format(most / 10 ** i)
  }));
  const unknown = boxes.length - values.length;
  const left = { className: 'jtv-unknown', words: trans.__('not known') };
  return {
    swatches: [...steps, ...(unknown > 0 ? [left] : [])],
    words: trans.__(
      '%1; each colour ten times less than the one before.',
      noun()
    )
  };
}

/** Each step is ten times less than the next. */
function step(value: number, most: number): number {
  const less = Math.log10(most / Math.max(value, 1));
  return value === 0 ? 0 : Math.max(0, STEPS - 1 - Math.floor(less));
}

function linePaints(boxes: readonly Box[]): Map<string, Paint> {
  const order = [...linesOf(boxes).keys()];
  return new Map(
    boxes.flatMap(box => {
      const [place] = box.places;
      const className = place && hue(order.indexOf(lineKey(place)));
      return className ? [[box.id, { className, words: '' }] as const] : [];
    })
  );
}

function lineLegend(boxes: readonly Box[], names: LineNames): Legend {
  const lines = [...linesOf(boxes).values()];
  const more = lines.length - LISTED;
  return {
    swatches: lines.slice(0, LISTED).map((line, i) => ({
      className: hue(i),
      words: names.long(line)
    })),
    words:
      more > 0
        ? trans.__('and %1; colours repeat.', counted(more, 'more line'))
        : ''
  };
}

/** The lines that boxes came from, in the order of the source. */
function linesOf(boxes: readonly Box[]): Map<string, Place> {
  const lines = boxes.flatMap(({ places: [place] }) =>
    place ? [[lineKey(place), place] as const] : []
  );
  return new Map(lines.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

function lineKey({ file, line }: Place): string {
  return `${file}:${String(line).padStart(7)}`;
}
