import type { Box, Edge, Graph, Link } from '../../protocol';
import { addTo } from '../groups';
import { valuesOf } from './folds';

/** What a box depends on and what depends on it, through all groups; frames count where something in them does. */
export interface Slice {
  /** Ids of the box itself, with what is inside it or around it. */
  readonly own: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
  readonly below: ReadonlySet<string>;
  /** What the box uses, or is used by, without anything between. */
  readonly near: ReadonlySet<string>;
  /** Those of them that are bound to it by values saved for the backward pass; without the frames around. */
  readonly saved: ReadonlySet<string>;
}

/** A link with the boxes at its ends. */
export interface Use {
  readonly link: Link;
  readonly source: Box;
  readonly target: Box;
}

/** What uses what, in the order of the program. */
export function usesOf(graph: Graph): Use[] {
  return graph.links.flatMap(link => {
    const source = graph.boxes[link.source];
    const target = graph.boxes[link.target];
    return source && target ? [{ link, source, target }] : [];
  });
}

/** The ids of a box and of the groups around it, innermost first. */
function outward(graph: Graph): (id: string) => string[] {
  const parents = new Map(graph.boxes.map(one => [one.id, one.parent]));
  return id => {
    const found = [id];
    for (let at = parents.get(id); at; at = parents.get(at)) {
      found.push(at);
    }
    return found;
  };
}

/** What a line that stands for several leads from and to; it has nothing above or below. */
export function sliceOfFold(graph: Graph, edge: Edge): Slice {
  const around = outward(graph);
  const ends = new Set(
    valuesOf(graph, edge)
      .flatMap(({ source, targets }) => [source, ...targets])
      .map(box => box.id)
  );
  return {
    own: new Set([...around(edge.source), ...around(edge.target)]),
    above: new Set(),
    below: new Set(),
    near: new Set([...ends].flatMap(around)),
    saved: edge.kind === 'saved' ? ends : new Set()
  };
}

/** The slice through a box, or through all that an open group holds. */
export function sliceOf(graph: Graph, box: Box): Slice {
  const uses = usesOf(graph);
  const around = outward(graph);
  const start = graph.boxes
    .filter(one => around(one.id).includes(box.id))
    .map(one => one.id);
  const own = new Set([...start, ...around(box.id)]);
  const withFrames = (ids: Iterable<string>): Set<string> =>
    new Set([...ids].flatMap(around).filter(id => !own.has(id)));
  const others = ({ source, target }: Use): string[] => [
    ...(own.has(source.id) && !own.has(target.id) ? [target.id] : []),
    ...(own.has(target.id) && !own.has(source.id) ? [source.id] : [])
  ];
  const saved = uses.filter(use => use.link.kind === 'saved').flatMap(others);
  return {
    own,
    above: withFrames(reached(start, uses, 'target', 'source')),
    below: withFrames(reached(start, uses, 'source', 'target')),
    near: withFrames(uses.flatMap(others)),
    saved: new Set(saved)
  };
}

/** The ids that can be reached from some, going along the links from one end to the other. */
function reached(
  start: readonly string[],
  uses: readonly Use[],
  from: 'source' | 'target',
  to: 'source' | 'target'
): Set<string> {
  const next = new Map<string, string[]>();
  for (const use of uses) {
    addTo(next, use[from].id, use[to].id);
  }
  const found = new Set(start);
  const left = [...start];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (const other of next.get(id) ?? []) {
      if (!found.has(other)) {
        found.add(other);
        left.push(other);
      }
    }
  }
  return found;
}
