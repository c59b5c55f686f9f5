import { foldOf } from '../../model';
import type { Box, Edge, Graph, Place } from '../../protocol';
import { Target, lightsPlace } from '../../store';

/**
 * Which boxes light up: one when it is the target itself, or when the target is a line that it came from; both ends of a
 * line that stands for several. Beside the picture of the target's trace, what is in the same place of the program lights
 * up, if there is such.
 *
 * @param other - the trace that the picture is compared with.
 */
export function litBy(
  target: Target | null,
  graph: Graph,
  other: string | null
): (box: Box) => boolean {
  if (!target) {
    return () => false;
  }
  const fold = litFold(target, graph, other);
  if (fold) {
    return ({ id }) => id === fold.source || id === fold.target;
  }
  const own = target.trace === graph.trace;
  const twin =
    target.trace === other &&
    graph.boxes.some(
      ({ id, places }) => id === target.box && samePlaces(places, target.places)
    );
  return target.box !== null && (own || twin)
    ? ({ id }) => id === target.box
    : ({ open, places }) =>
        !open && places.some(place => lightsPlace(target, place));
}

/** The line that lights up. */
export function litFold(
  target: Target | null,
  graph: Graph,
  other: string | null
): Edge | null {
  return target && (target.trace === graph.trace || target.trace === other)
    ? foldOf(graph, target.box)
    : null;
}

function samePlaces(one: readonly Place[], other: readonly Place[]): boolean {
  const text = ({ file, line }: Place): string => `${file}:${line}`;
  return one.map(text).join() === other.map(text).join();
}
