import type { Box, Edge, EdgeValue, Graph } from '../../protocol';

/** One row of what a line stands for, with the boxes at its ends. */
export interface FoldedValue {
  readonly value: EdgeValue;
  readonly source: Box;
  readonly targets: readonly Box[];
}

/** The lines that stand for several: what arguments spread into a group, what a forward pass saves. */
export function foldsOf(graph: Graph): Edge[] {
  return graph.edges.filter(({ values }) => values.length > 0);
}

/** The line with an id, if it stands for several. */
export function foldOf(graph: Graph, id: string | null): Edge | null {
  return foldsOf(graph).find(edge => edge.id === id) ?? null;
}

/** What a line stands for, the largest first. */
export function valuesOf({ boxes }: Graph, edge: Edge): FoldedValue[] {
  return edge.values.flatMap(value => {
    const source = boxes[value.source];
    const targets = value.targets.flatMap(place => boxes[place] ?? []);
    return source ? [{ value, source, targets }] : [];
  });
}

/** How many values a line stands for, and their bytes. */
export function sizeOf({ values }: Edge): { count: number; bytes: number } {
  const sum = (of: (value: EdgeValue) => number): number =>
    values.reduce((total, value) => total + of(value), 0);
  return { count: sum(({ count }) => count), bytes: sum(({ bytes }) => bytes) };
}
