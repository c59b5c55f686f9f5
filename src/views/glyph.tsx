import type { JSX } from 'preact';
import type { Sign } from '../model';

/** A sign: its glyph for the eye, its word for a screen reader unless the word stands beside it anyway. */
export function Glyph(props: { sign: Sign; silent?: boolean }): JSX.Element {
  const { sign, silent } = props;
  return (
    <span class={`jtv-glyph jtv-tone-${sign.tone}`} title={sign.word}>
      <span aria-hidden="true">{sign.glyph}</span>
      {silent ? null : <span class="jtv-spoken"> {sign.word} </span>}
    </span>
  );
}
