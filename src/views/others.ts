import { useLayoutEffect, useState } from 'preact/hooks';
import type { Actions } from './actions';

/** Draws a component anew when another recording comes or goes: a notebook's outputs load in any order. */
export function useOthers({
  others
}: Pick<Actions, 'others'>): Actions['others'] {
  const [, anew] = useState({});
  const cameOrWent = others?.cameOrWent;
  // At once: the next output may load before the browser has painted this one.
  useLayoutEffect(() => cameOrWent?.subscribe(() => anew({})), [cameOrWent]);
  return others;
}
