import type { Tally } from '../protocol';
import { counted, formatSeconds } from './format';
import { RETRACE, Sign, markSign } from './words';

/** What a cell that traced says of itself. */
export interface Badge {
  readonly sign: Sign;
  readonly text: string;
  /** A sentence with the same. */
  readonly title: string;
}

/** `↻ 2 retraces · 1.9 s`, or without any `● 1 trace · 31 ms`; null where nothing was traced. */
export function badgeOf({ traces, retraces, seconds }: Tally): Badge | null {
  if (traces === 0) {
    return null;
  }
  const cost = formatSeconds(seconds);
  const all = counted(traces, 'trace');
  return retraces > 0
    ? {
        sign: RETRACE,
        text: `${counted(retraces, 'retrace')} · ${cost}`,
        title: `${counted(retraces, 'retrace')} among ${all} of this cell cost ${cost}. Show why.`
      }
    : {
        sign: markSign('traced'),
        text: `${all} · ${cost}`,
        title: `This cell caused ${all} and no retrace (${cost}). Show more.`
      };
}
