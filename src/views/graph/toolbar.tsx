import type { JSX } from 'preact';
import { COLOURINGS, ColourBy, trans } from '../../model';
import type { Wishing } from './wishing';
import type { Zoom } from './zoom';

/** What is shown of a graph. */
export interface Show {
  readonly colours: ColourBy;
  readonly map: boolean;
  readonly table: boolean;
}

export const DEFAULT_SHOW: Show = { colours: 'kind', map: true, table: false };

export function Toolbar(props: {
  /** What is said of the picture as a whole. */
  note: string;
  /** Whether the colours tell how it differs from another one. */
  compared: boolean;
  wishing: Wishing;
  zoom: Zoom;
  show: Show;
  setShow: (show: Show) => void;
}): JSX.Element {
  const { note, compared, wishing, zoom, show, setShow } = props;
  return (
    <div class="jtv-toolbar">
      {note ? <p class="jtv-note">{note}</p> : null}
      {compared || show.table ? null : (
        <ColourChoice
          by={show.colours}
          choose={colours => setShow({ ...show, colours })}
        />
      )}
      {wishing.tidy ? (
        <button
          type="button"
          class="jtv-button"
          title={trans.__(
            'While the trace went on, what was drawn stayed where it was. This lays out the picture as a whole.'
          )}
          onClick={wishing.tidy}
        >
          {trans.__('Tidy up')}
        </button>
      ) : null}
      {show.table ? null : (
        <div class="jtv-buttons">
          <ZoomButtons zoom={zoom} />
          <Switch
            name={trans.__('Map')}
            on={show.map}
            set={map => setShow({ ...show, map })}
          />
        </div>
      )}
      <Switch
        name={trans.__('Table')}
        on={show.table}
        set={table => setShow({ ...show, table })}
      />
    </div>
  );
}

function Switch(props: {
  name: string;
  on: boolean;
  set: (on: boolean) => void;
}): JSX.Element {
  const { name, on, set } = props;
  return (
    <button
      type="button"
      class="jtv-button"
      aria-pressed={on}
      onClick={() => set(!on)}
    >
      {name}
    </button>
  );
}

function ZoomButtons({ zoom }: { zoom: Zoom }): JSX.Element {
  return (
    <>
      <button
        type="button"
        aria-label={trans.__('Zoom out')}
        onClick={zoom.out}
      >
        −
      </button>
      <button type="button" aria-label={trans.__('Zoom in')} onClick={zoom.in}>
        +
      </button>
      <button type="button" onClick={zoom.fit}>
        {trans.__('Fit')}
      </button>
    </>
  );
}

function ColourChoice(props: {
  by: ColourBy;
  choose: (by: ColourBy) => void;
}): JSX.Element {
  return (
    <label class="jtv-colour-choice">
      <span>{trans.__('Colours:')} </span>
      <select
        value={props.by}
        onChange={event => props.choose(event.currentTarget.value as ColourBy)}
      >
        {Object.entries(COLOURINGS).map(([by, words]) => (
          <option key={by} value={by}>
            {words()}
          </option>
        ))}
      </select>
    </label>
  );
}
