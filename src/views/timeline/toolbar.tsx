import type { JSX } from 'preact';
import { SPAN_KINDS, counted, phaseWord, trans } from '../../model';
import type { TimeZoom } from './zoom';

interface Props {
  readonly zoom: TimeZoom;
  readonly library: boolean;
  readonly setLibrary: (shown: boolean) => void;
}

/** What the colours mean, how near to look, and whether at libraries too. */
export function Toolbar(props: Props): JSX.Element {
  const { zoom, library, setLibrary } = props;
  return (
    <div class="jtv-toolbar">
      <Legend />
      <label class="jtv-toggle">
        <input
          type="checkbox"
          checked={library}
          onChange={event => setLibrary(event.currentTarget.checked)}
        />
        {trans.__('Library functions')}
      </label>
      <div class="jtv-buttons">
        <button type="button" disabled={zoom.zoom <= 1} onClick={zoom.out}>
          {trans.__('Zoom out')}
        </button>
        <button type="button" onClick={zoom.in}>
          {trans.__('Zoom in')}
        </button>
        <button type="button" disabled={zoom.zoom === 1} onClick={zoom.fit}>
          {trans.__('Fit')}
        </button>
      </div>
    </div>
  );
}

function Legend(): JSX.Element {
  return (
    <ul class="jtv-legend">
      {SPAN_KINDS.map(kind => (
        <li key={kind}>
          <span class={`jtv-swatch jtv-span-${kind}`} aria-hidden="true" />
          {phaseWord(kind)}
        </li>
      ))}
      <li>
        <span class="jtv-swatch jtv-hits" aria-hidden="true" />
        {trans.__('cache hits (between)')}
      </li>
    </ul>
  );
}

/** What is not drawn, what was measured, and the keys. */
export function Footnote({ undrawn }: { undrawn: number }): JSX.Element {
  return (
    <p class="jtv-note jtv-footnote">
      {undrawn > 0
        ? trans.__(
            '%1 too near to others to be drawn: zoom in.',
            counted(undrawn, 'span')
          )
        : ''}{' '}
      {trans.__(
        'Only what JAX waits for: tracing, lowering, compiling. How long devices computed is not measured. Keys:'
      )}{' '}
      <kbd>w</kbd> <kbd>s</kbd> {trans.__('zoom,')} <kbd>a</kbd> <kbd>d</kbd>{' '}
      {trans.__('pan,')} <kbd>←</kbd> <kbd>→</kbd> {trans.__('select,')}{' '}
      <kbd>f</kbd> {trans.__('fit the selected,')} <kbd>0</kbd>{' '}
      {trans.__('fit all; Ctrl and the wheel zoom.')}
    </p>
  );
}
