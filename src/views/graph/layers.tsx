import type { JSX } from 'preact';
import type { DrawnEdge, DrawnHeading, FarLabel, Slice } from '../../model';
import type { Edge } from '../../protocol';
import { memo } from '../memo';
import { HeadingView, Shapes } from './shapes';

/** All edges; those of a slice stand out. */
export const Edges = memo(function Edges(props: {
  edges: readonly DrawnEdge[];
  slice: Slice | null;
}): JSX.Element {
  const { edges, slice } = props;
  return (
    <g class="jtv-edges">
      {edges.map(drawn => (
        <EdgeView
          key={drawn.edge.id}
          drawn={drawn}
          reach={slice ? reachOf(drawn.edge, slice) : ''}
        />
      ))}
    </g>
  );
});

const EdgeView = memo(function EdgeView(props: {
  drawn: DrawnEdge;
  reach: string;
}): JSX.Element {
  const { edge, shapes, moved } = props.drawn;
  const isMoved = moved.x !== 0 || moved.y !== 0;
  return (
    <g
      class={`jtv-connection${props.reach}`}
      transform={isMoved ? `translate(${moved.x} ${moved.y})` : undefined}
    >
      <title>{edge.title}</title>
      <Shapes shapes={shapes} />
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
  headings: readonly DrawnHeading[];
}): JSX.Element {
  return (
    <g class="jtv-headings" aria-hidden="true">
      {props.headings.map(({ box, heading }) => (
        <g key={box.id} transform={`translate(${box.x} ${box.y})`}>
          <HeadingView heading={heading} />
        </g>
      ))}
    </g>
  );
});

/** What is said of a picture that is too small for its own texts. */
export const FarLabels = memo(function FarLabels(props: {
  labels: readonly FarLabel[];
}): JSX.Element {
  return (
    <g class="jtv-far-labels" aria-hidden="true">
      {props.labels.map(({ box, x, y, size, text }) => (
        <text key={box} x={x} y={y} font-size={size}>
          {text}
        </text>
      ))}
    </g>
  );
});
