import type { JSX } from 'preact';
import type { DrawnHeading, FarLabel } from '../../model';
import { memo } from '../memo';
import { HeadingView } from './shapes';

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
