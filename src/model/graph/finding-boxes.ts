import type { Box, Found, Graph, Match } from '../../protocol';
import { labelOf } from './box-label';

/** Searches the boxes that are drawn, where no kernel can search what is hidden. */
export function findBoxes(graph: Graph, text: string): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : graph.boxes.filter(has(words));
  return {
    matches: found.map(box => matchOf(graph, box)),
    equations: found.reduce((sum, box) => sum + box.equations, 0),
    more: false
  };
}

/** The box that stands for a match: itself, or the first of what its frame became one with. */
export function boxOf(graph: Graph, match: Match): Box | null {
  return (
    graph.boxes.find(box => box.id === match.box) ??
    graph.boxes.find(box => box.id.startsWith(`${match.box}/`)) ??
    null
  );
}

function has(words: readonly string[]): (box: Box) => boolean {
  return ({ label, name, detail, title, notes }) => {
    const text = [label, name, detail, title, ...notes].join(' ').toLowerCase();
    return words.every(word => text.includes(word));
  };
}

function matchOf(graph: Graph, box: Box): Match {
  const where: string[] = [];
  for (let at = box.parent; at !== null;) {
    const frame = graph.boxes.find(one => one.id === at);
    where.unshift(frame?.label ?? '');
    at = frame?.parent ?? null;
  }
  return {
    box: box.id,
    open_boxes: [],
    label: labelOf(box),
    detail: box.detail,
    where: where.filter(Boolean),
    equations: box.equations,
    place: box.places[0] ?? null
  };
}
