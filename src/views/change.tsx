import type { JSX } from 'preact';
import { reasonWords, trans } from '../model';
import type { Reason } from '../protocol';

/** A reason with what it is about: `new shape  x  f32[3] → f32[4]`. */
export function Change(props: { reason: Reason }): JSX.Element {
  const { reason } = props;
  const { path, before, after } = reason;
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
