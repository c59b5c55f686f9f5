import type { JSX } from 'preact';
import {
  BADGE_HEIGHT,
  BADGE_TEXT_Y,
  BoxBadge,
  Heading,
  Shape
} from '../../model';
import { memo } from '../memo';

/** Draws the parts of a picture as SVG elements. */
export const Shapes = memo(function Shapes(props: {
  shapes: readonly Shape[];
}): JSX.Element {
  return (
    <>
      {props.shapes.map((shape, i) => (
        <ShapeView key={i} shape={shape} />
      ))}
    </>
  );
});

function ShapeView({ shape }: { shape: Shape }): JSX.Element {
  switch (shape.shape) {
    case 'rect':
      return (
        <rect
          class={`jtv-${shape.part} jtv-${shape.tone}${shape.dashed ? ' jtv-dashed' : ''}`}
          x={shape.x}
          y={shape.y}
          width={shape.width}
          height={shape.height}
          rx={shape.radius}
        />
      );
    case 'badge':
      return <BadgeView badge={shape} />;
    case 'line':
      return <path class={`jtv-edge jtv-edge-${shape.kind}`} d={shape.d} />;
    case 'tip':
      return <path class="jtv-tip" d={shape.d} />;
    case 'heading':
      return <HeadingView heading={shape} />;
    case 'label':
      return (
        <text
          class={shape.bold ? 'jtv-label jtv-bold' : 'jtv-label'}
          x={shape.x}
          y={shape.y}
        >
          <Name name={shape.name} />
          <tspan>{shape.text}</tspan>
        </text>
      );
    case 'caption':
      return (
        <text class="jtv-small jtv-caption" x={shape.x} y={shape.y}>
          {shape.text}
        </text>
      );
    case 'note':
      return (
        <text class={`jtv-small jtv-${shape.ink}`} x={shape.x} y={shape.y}>
          {apart(shape.text)}
        </text>
      );
  }
}

/** Text with a space before it, which is not drawn: the words of a box stay apart where they are read in one. */
function apart(text: string): string {
  return ` ${text}`;
}

function BadgeView({ badge }: { badge: BoxBadge }): JSX.Element {
  const { tone, x, y, width, text } = badge;
  return (
    <g class={`jtv-badge jtv-${tone}`}>
      <rect
        class="jtv-box"
        x={x}
        y={y}
        width={width}
        height={BADGE_HEIGHT}
        rx={4}
      />
      <text class="jtv-small" x={x + width / 2} y={y + BADGE_TEXT_Y}>
        {apart(text)}
      </text>
    </g>
  );
}

export function HeadingView({ heading }: { heading: Heading }): JSX.Element {
  const { x, y, name, text, detail } = heading;
  return (
    <text class="jtv-heading" x={x} y={y}>
      <Name name={name} />
      <tspan>{text}</tspan>
      {detail ? (
        <tspan class="jtv-small jtv-quiet" dx="8">
          {detail}
        </tspan>
      ) : null}
    </text>
  );
}

function Name({ name }: { name: string }): JSX.Element | null {
  return name ? <tspan class="jtv-variable">{`${name} = `}</tspan> : null;
}
