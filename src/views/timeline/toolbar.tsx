import type { JSX } from 'preact';
import { counted } from '../../model';
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
        Library functions
      </label>
      <div class="jtv-buttons">
        <button type="button" disabled={zoom.zoom <= 1} onClick={zoom.out}>
          Zoom out
        </button>
        <button type="button" onClick={zoom.in}>
          Zoom in
        </button>
        <button type="button" disabled={zoom.zoom === 1} onClick={zoom.fit}>
          Fit
        </button>
      </div>
    </div>
  );
}

function Legend(): JSX.Element {
  return (
    <ul class="jtv-legend">
      {(['trace', 'lower', 'compile'] as const).map(kind => (
        <li key={kind}>
          <span class={`jtv-swatch jtv-span-${kind}`} aria-hidden="true" />
          {kind}
        </li>
      ))}
      <li>
        <span class="jtv-swatch jtv-hits" aria-hidden="true" />
        cache hits
      </li>
    </ul>
  );
}

/** What is not drawn, what was measured, and the keys. */
export function Footnote({ undrawn }: { undrawn: number }): JSX.Element {
  return (
    <p class="jtv-note jtv-footnote">
      {undrawn > 0
        ? `${counted(undrawn, 'span')} too near to others to be drawn: zoom in. `
        : ''}
      Only what JAX waits for: tracing, lowering, compiling. How long devices
      computed is not measured. Keys: <kbd>w</kbd> <kbd>s</kbd> zoom,{' '}
      <kbd>a</kbd> <kbd>d</kbd> pan, <kbd>←</kbd> <kbd>→</kbd> select,{' '}
      <kbd>f</kbd> fit the selected, <kbd>0</kbd> fit all; Ctrl and the wheel
      zoom.
    </p>
  );
}
