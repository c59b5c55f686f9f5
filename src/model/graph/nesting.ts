import type { Box, Graph } from '../../protocol';

/** How many open groups are around each box. */
function depths(graph: Graph): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  // Groups come before what they hold.
  for (const { id, parent } of graph.boxes) {
    found.set(id, parent === null ? 0 : (found.get(parent) ?? 0) + 1);
  }
  return found;
}

/** The groups, open and closed, outer ones first. */
export function byDepth(graph: Graph): Box[] {
  const depth = depths(graph);
  return graph.boxes
    .filter(box => box.kind === 'group')
    .sort((a, b) => (depth.get(a.id) ?? 0) - (depth.get(b.id) ?? 0));
}
