import type { JSX } from 'preact';
import type { LineNames } from '../model';
import type { Place } from '../protocol';

/** Of a number with a margin, in characters. */
const NARROWEST = 5;

/** What a line of code is called, beside it. */
export function LineNumber(props: {
  place: Place | null;
  names: LineNames;
}): JSX.Element {
  const { place, names } = props;
  return (
    <span class="jtv-number" title={place ? names.full(place) : ''}>
      {place ? names.short(place) : ''}
    </span>
  );
}

/** The style of a listing whose numbers all stand in one column. */
export function withGutter(
  places: readonly (Place | null)[],
  names: LineNames
): Record<string, string> {
  const width = places.reduce(
    (most, place) => Math.max(most, place ? names.short(place).length + 1 : 0),
    NARROWEST
  );
  return { '--jtv-gutter': `${width}ch` };
}
