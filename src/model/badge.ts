import type { Tally } from '../protocol';
import type { Recording } from '../store';
import { counted } from './words/counted';
import { formatCount, formatSeconds } from './words/format';
import { trans } from './words/language';
import { FAILED, RETRACE, Sign, markSign } from './words/words';

/** What a cell that traced says of itself. */
export interface Badge {
  readonly sign: Sign;
  readonly text: string;
  /** A sentence with the same. */
  readonly title: string;
}

/**
 * `↻ 2 retraces · 1.9 s`, or without any `✕ 1 of 2 traces failed · 31 ms`, or else `● 1 trace · 31 ms`; null where
 * nothing was traced. As long as no trace is over, nobody knows what it costs.
 */
export function badgeOf(
  { traces, retraces, seconds }: Tally,
  failed: number
): Badge | null {
  if (traces === 0) {
    return null;
  }
  const cost = seconds > 0 ? formatSeconds(seconds) : '…';
  const priced = (words: string): string =>
    seconds > 0 ? trans.__('%1 · %2', words, cost) : words;
  const all = counted(traces, 'trace');
  if (retraces > 0) {
    return {
      sign: RETRACE,
      text: priced(counted(retraces, 'retrace')),
      title: trans.__(
        '%1 among %2 of this cell cost %3. Show why.',
        counted(retraces, 'retrace'),
        all,
        cost
      )
    };
  }
  if (failed > 0) {
    const some =
      failed < traces ? trans.__('%1 of %2', formatCount(failed), all) : all;
    return {
      sign: FAILED,
      text: priced(trans.__('%1 failed', some)),
      title: trans.__('Of this cell, %1 failed (%2). Show why.', some, cost)
    };
  }
  return {
    sign: markSign('traced'),
    text: priced(all),
    title: trans.__(
      'This cell caused %1 and no retrace (%2). Show more.',
      all,
      cost
    )
  };
}

/** How many traces of the user's functions ended with an error. */
export function failedTraces({ functions, traces }: Recording): number {
  const own = new Set(
    functions.records.filter(fn => fn.origin === 'user').map(fn => fn.id)
  );
  return traces.records.filter(
    ({ function: fn, status }) => status === 'error' && own.has(fn)
  ).length;
}
