import type { JSX } from 'preact';
import { DrawnEdge, Slice, counted, sizeOf, trans } from '../../model';
import type { Edge } from '../../protocol';
import { memo } from '../memo';
import { Shapes } from './shapes';

export interface EdgeActions {
  /** Shows what a line that stands for several is made of. */
  readonly selectFold: (edge: Edge) => void;
}

/** All edges; those of a slice stand out. */
export const Edges = memo(function Edges(props: {
  edges: readonly DrawnEdge[];
  slice: Slice | null;
  /** The line that is selected. */
  pinned: Edge | null;
  /** What is the picture's one stop in the tab order. */
  stop: string | null;
  actions: EdgeActions;
}): JSX.Element {
  const { edges, slice, pinned, stop, actions } = props;
  return (
    <g class="jtv-edges">
      {edges.map(drawn => {
        const { edge } = drawn;
        const reach = slice ? reachOf(edge, slice) : '';
        return edge.values.length > 0 ? (
          <FoldView
            key={edge.id}
            drawn={drawn}
            reach={reach}
            pinned={edge.id === pinned?.id}
            stop={edge.id === stop}
            actions={actions}
          />
        ) : (
          <EdgeView key={edge.id} drawn={drawn} reach={reach} />
        );
      })}
    </g>
  );
});

const EdgeView = memo(function EdgeView(props: {
  drawn: DrawnEdge;
  reach: string;
}): JSX.Element {
  const { edge, shapes } = props.drawn;
  return (
    <g class={`jtv-connection${props.reach}`} transform={movedBy(props.drawn)}>
      <title>{edge.title}</title>
      <Shapes shapes={shapes} />
    </g>
  );
});

/** A line that stands for several: a button that says what they are. */
const FoldView = memo(function FoldView(props: {
  drawn: DrawnEdge;
  reach: string;
  pinned: boolean;
  stop: boolean;
  actions: EdgeActions;
}): JSX.Element {
  const { drawn, reach, pinned, stop, actions } = props;
  const { edge, shapes } = drawn;
  const line = shapes.find(shape => shape.shape === 'line');
  return (
    <g
      class={`jtv-connection jtv-fold${reach}`}
      role="button"
      aria-label={nameOfFold(edge)}
      aria-pressed={pinned}
      tabindex={stop ? 0 : -1}
      data-edge={edge.id}
      transform={movedBy(drawn)}
      onClick={() => actions.selectFold(edge)}
      onKeyDown={event => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          actions.selectFold(edge);
        }
      }}
    >
      <title>{edge.title}</title>
      {line ? <path class="jtv-hit-line" d={line.d} /> : null}
      <Shapes shapes={shapes} />
    </g>
  );
});

/** What a line that stands for several is called: by how many, and its ends. */
export function nameOfFold(edge: Edge): string {
  const [ends = ''] = edge.title.split('\n');
  const { count } = sizeOf(edge);
  const many = edge.label || counted(count, 'value');
  return trans.__('%1: %2', many, ends);
}

function movedBy({ moved }: DrawnEdge): string | undefined {
  return moved.x !== 0 || moved.y !== 0
    ? `translate(${moved.x} ${moved.y})`
    : undefined;
}

function reachOf(
  { source, target }: Edge,
  { own, above, below }: Slice
): string {
  const upwards = above.has(source) && (own.has(target) || above.has(target));
  const downwards = below.has(target) && (own.has(source) || below.has(source));
  const within = own.has(source) && own.has(target);
  return upwards || downwards || within ? ' jtv-lit' : ' jtv-reach-away';
}
