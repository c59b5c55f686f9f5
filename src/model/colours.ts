import type { Box, Graph } from '../protocol';
import { formatBytes } from './format';

/** What the colours of the boxes tell. */
export type ColourBy = 'kind' | 'bytes' | 'line';

export const COLOURINGS: Readonly<Record<ColourBy, string>> = {
  kind: 'kind',
  bytes: 'bytes handed on',
  line: 'source line'
};

const STEPS = 5;
const HUES = 8;

/** A class for each box, as in style/graph-colours.css; none where the kind alone tells. */
export function coloursOf(
  graph: Graph,
  by: ColourBy
): ReadonlyMap<string, string> {
  const closed = graph.boxes.filter(box => !box.open);
  if (by === 'bytes') {
    const most = Math.max(...closed.map(box => box.bytes), 1);
    return new Map(
      closed.map(box => [box.id, `jtv-heat-${step(box.bytes, most)}`])
    );
  }
  if (by === 'line') {
    const lines = [...new Set(closed.map(lineOf).filter(Boolean))].sort();
    return new Map(
      closed
        .filter(box => lineOf(box))
        .map(box => [box.id, `jtv-hue-${lines.indexOf(lineOf(box)) % HUES}`])
    );
  }
  return new Map();
}

/** What the colours mean, in words. */
export function legendOf(graph: Graph, by: ColourBy): string {
  if (by === 'bytes') {
    const most = Math.max(...graph.boxes.map(box => box.bytes), 0);
    return `The stronger the colour, the more bytes a box hands on: at most ${formatBytes(most)}.`;
  }
  return by === 'line'
    ? 'Boxes of one colour come from one line of source; colours repeat.'
    : '';
}

/** Each step is ten times less than the next. */
function step(bytes: number, most: number): number {
  const less = Math.log10(most / Math.max(bytes, 1));
  return bytes === 0 ? 0 : Math.max(0, STEPS - 1 - Math.floor(less));
}

function lineOf(box: Box): string {
  const [place] = box.places;
  return place ? `${place.file}:${String(place.line).padStart(7)}` : '';
}
