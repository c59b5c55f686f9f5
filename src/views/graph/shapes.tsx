import type { JSX } from 'preact';
import type { Shape } from '../../model';

/** Draws the parts of a picture as SVG elements. */
export function Shapes(props: { shapes: readonly Shape[] }): JSX.Element {
  return (
    <>
      {props.shapes.map((shape, i) => (
        <ShapeView key={i} shape={shape} />
      ))}
    </>
  );
}

function ShapeView({ shape }: { shape: Shape }): JSX.Element {
  switch (shape.shape) {
    case 'rect':
      return (
        <rect
          class={shape.className}
          x={shape.x}
          y={shape.y}
          width={shape.width}
          height={shape.height}
          rx={shape.radius}
        />
      );
    case 'path':
      return <path class={shape.className} d={shape.d} />;
    case 'text':
      return (
        <text class={shape.className} x={shape.x} y={shape.y}>
          {shape.spans.map((stretch, i) => (
            <tspan key={i} class={stretch.className}>
              {stretch.text}
            </tspan>
          ))}
        </text>
      );
  }
}
