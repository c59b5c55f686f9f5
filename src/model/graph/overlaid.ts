import type { Graph } from '../../protocol';
import type { Entry, Mark } from './box-mark';
import { changeEntries, changeMark } from './changes';
import { kernelEntries, kernelMark } from './kernels';
import type { Legend } from './paint';

/** The marked boxes: by how they differ from another trace's, else by the kernels that their equations ended up in. */
export function overlaidMarks(graph: Graph): ReadonlyMap<string, Mark> {
  const { boxes, changes, overlay } = graph;
  const markOf = (place: number): Mark | null => {
    const counts = changes?.boxes[place];
    if (changes && changes.boxes.length > 0) {
      return counts ? changeMark(counts, changes.later) : null;
    }
    const kernels = overlay?.boxes[place];
    return overlay && kernels ? kernelMark(kernels, overlay) : null;
  };
  return new Map(
    boxes.flatMap(({ id }, place) => {
      const mark = markOf(place);
      return mark ? [[id, mark] as const] : [];
    })
  );
}

/** What the marks mean. */
export function overlaidEntries(graph: Graph): Entry[] {
  if (graph.changes) {
    return changeEntries(graph);
  }
  return graph.overlay ? kernelEntries(graph.overlay) : [];
}

/** The same for the legend of a live picture: one sentence before the colours, so that they are in sight. */
export function overlaidLegend(graph: Graph): Legend {
  const entries = overlaidEntries(graph);
  const swatches = entries.flatMap(({ tone, text }) =>
    tone ? [{ className: `jtv-${tone}`, words: text }] : []
  );
  const first = entries.findIndex(({ tone }) => tone);
  const before = sentences(first < 0 ? entries : entries.slice(0, first));
  const after = sentences(first < 0 ? [] : entries.slice(first));
  return {
    swatches,
    words: before.slice(0, 1).join(''),
    more: [...after, ...before.slice(1)].join(' ')
  };
}

function sentences(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ tone, text }) =>
    tone ? [] : [text.replace(/\.?$/, '.')]
  );
}
