import type { JSX } from 'preact';
import { reasonWords, rounded, trans } from '../model';
import type { Reason } from '../protocol';

/** A reason with what it is about: `new shape  x  f32[3] → f32[4]`. */
export function Change(props: { reason: Reason }): JSX.Element {
  const { reason } = props;
  const { path } = reason;
  const [before, after] = inFewDigits(reason.before, reason.after);
  return (
    <span class="jtv-change">
      <span>{reasonWords(reason)}</span> {path ? <code>{path}</code> : null}{' '}
      {before !== null || after !== null ? (
        <span class="jtv-before-after">
          <span class="jtv-spoken">{trans.__('before')} </span>
          <code>{before ?? '–'}</code>
          <span aria-hidden="true"> → </span>
          <span class="jtv-spoken"> {trans.__('now')} </span>
          <code>{after ?? '–'}</code>
        </span>
      ) : null}
    </span>
  );
}

/** What differs keeps differing. */
function inFewDigits(
  before: string | null,
  after: string | null
): readonly [string | null, string | null] {
  if (before === null || after === null) {
    return [before && rounded(before), after && rounded(after)];
  }
  const [was = before, now = after] = rounded(`${before}\0${after}`).split(
    '\0'
  );
  return [was, now];
}
