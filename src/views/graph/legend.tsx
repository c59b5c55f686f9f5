import type { JSX } from 'preact';
import { trans } from '../../model';
import type { Legend } from '../../model';

const SIZE = 12;
/** So many colours fit without scrolling, however narrow. */
const UNSCROLLED = 8;

/** What the colours mean: in sum, then each with its words. */
export function LegendView({ legend }: { legend: Legend }): JSX.Element {
  const { swatches, words, more = '' } = legend;
  const isLong = swatches.length > UNSCROLLED;
  return (
    <div class="jtv-legend" role="group" aria-label={trans.__('Legend')}>
      {words ? <span class="jtv-legend-words">{words}</span> : null}
      <div
        class="jtv-legend-swatches"
        role="group"
        aria-label={trans.__('Colours')}
        // What is scrolled can be reached by keys.
        tabIndex={isLong ? 0 : undefined}
      >
        {swatches.map(({ className, words: meaning }) => (
          <span key={className + meaning}>
            <svg
              width={SIZE}
              height={SIZE}
              class={className}
              aria-hidden="true"
            >
              <rect
                class={`jtv-box ${className}`}
                x={1}
                y={1}
                width={SIZE - 2}
                height={SIZE - 2}
                rx={2}
              />
            </svg>{' '}
            {meaning}
          </span>
        ))}
        {more ? <span class="jtv-legend-words">{more}</span> : null}
      </div>
    </div>
  );
}
