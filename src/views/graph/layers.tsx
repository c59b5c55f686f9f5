import type { JSX } from 'preact';
import type { DrawnEdge, Heading, Slice } from '../../model';
import type { Edge } from '../../protocol';
import { memo } from '../memo';
import { Shapes } from './shapes';

/** All edges; those of a slice stand out. */
export const Edges = memo(function Edges(props: {
  edges: readonly DrawnEdge[];
  slice: Slice | null;
}): JSX.Element {
  return (
    <g class="jtv-edges">
      {props.edges.map(({ edge, shapes }) => (
        <g
          key={edge.id}
          class={`jtv-connection${props.slice ? reachOf(edge, props.slice) : ''}`}
        >
          <title>{edge.title}</title>
          <Shapes shapes={shapes} />
        </g>
      ))}
    </g>
  );
});

function reachOf(
  { source, target }: Edge,
  { own, above, below }: Slice
): string {
  const upwards = above.has(source) && (own.has(target) || above.has(target));
  const downwards = below.has(target) && (own.has(source) || below.has(source));
  const within = own.has(source) && own.has(target);
  return upwards || downwards || within ? ' jtv-lit' : ' jtv-reach-away';
}

/** What stands over open groups, drawn after the edges so that none strikes it through. The groups say it themselves. */
export const Headings = memo(function Headings(props: {
  headings: readonly Heading[];
}): JSX.Element {
  return (
    <g class="jtv-headings" aria-hidden="true">
      <Shapes shapes={props.headings} />
    </g>
  );
});
