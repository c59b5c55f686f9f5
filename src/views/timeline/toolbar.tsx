import type { JSX } from 'preact';

const MAX_ZOOM = 256;

interface Props {
  readonly zoom: number;
  readonly setZoom: (zoom: number) => void;
  readonly library: boolean;
  readonly setLibrary: (shown: boolean) => void;
}

/** What the colours mean, how near to look, and whether at libraries too. */
export function Toolbar(props: Props): JSX.Element {
  const { zoom, setZoom, library, setLibrary } = props;
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
      <ZoomButtons zoom={zoom} setZoom={setZoom} />
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
    </ul>
  );
}

function ZoomButtons(props: {
  zoom: number;
  setZoom: (zoom: number) => void;
}): JSX.Element {
  const { zoom, setZoom } = props;
  return (
    <div class="jtv-buttons">
      <button
        type="button"
        disabled={zoom <= 1}
        onClick={() => setZoom(zoom / 2)}
      >
        Zoom out
      </button>
      <button
        type="button"
        disabled={zoom >= MAX_ZOOM}
        onClick={() => setZoom(zoom * 2)}
      >
        Zoom in
      </button>
      <button type="button" disabled={zoom === 1} onClick={() => setZoom(1)}>
        Fit
      </button>
    </div>
  );
}
