import type { JSX } from 'preact';
import { trans } from '../../model';
import type { Legend } from '../../model';

const SIZE = 12;
/** So many colours fit without scrolling, however narrow. */
const UNSCROLLED = 8;

/** What the colours mean: each with its words. */
export function LegendView({ legend }: { legend: Legend }): JSX.Element {
  return (
    <div
      class="jtv-legend"
      role="group"
      aria-label={trans.__('Legend')}
      // What is scrolled can be reached by keys.
      tabIndex={legend.swatches.length > UNSCROLLED ? 0 : undefined}
    >
      {legend.words ? (
        <span class="jtv-legend-words">{legend.words}</span>
      ) : null}
      {legend.swatches.map(({ className, words }) => (
        <span key={className + words}>
          <svg width={SIZE} height={SIZE} class={className} aria-hidden="true">
            <rect
              class={`jtv-box ${className}`}
              x={1}
              y={1}
              width={SIZE - 2}
              height={SIZE - 2}
              rx={2}
            />
          </svg>{' '}
          {words}
        </span>
      ))}
    </div>
  );
}
