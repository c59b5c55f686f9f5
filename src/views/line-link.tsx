import type { JSX } from 'preact';
import type { LineNames } from '../model';
import type { Place } from '../protocol';

/** A line of the user's by its name; a click goes there, where the host can. */
export function LineLink(props: {
  place: Place;
  names: LineNames;
  go: ((place: Place) => void) | null;
}): JSX.Element {
  const { place, names, go } = props;
  const title = names.full(place);
  return go ? (
    <button
      type="button"
      class="jtv-link"
      title={title}
      onClick={() => go(place)}
    >
      {names.long(place)}
    </button>
  ) : (
    <span title={title}>{names.long(place)}</span>
  );
}
