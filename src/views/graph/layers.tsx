import type { JSX } from 'preact';
import type { DrawnEdge, Heading } from '../../model';
import { memo } from '../memo';
import { Shapes } from './shapes';

/** All edges. */
export const Edges = memo(function Edges(props: {
  edges: readonly DrawnEdge[];
}): JSX.Element {
  return (
    <g class="jtv-edges">
      {props.edges.map(({ edge, shapes }) => (
        <g key={edge.id} class="jtv-connection">
          <title>{edge.title}</title>
          <Shapes shapes={shapes} />
        </g>
      ))}
    </g>
  );
});

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
