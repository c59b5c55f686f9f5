import type { ComponentChildren, JSX } from 'preact';

/** Says in words why there is nothing to see, and what to do. */
export function Empty(props: {
  words: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="jtv-empty">
      <p>{props.words}</p>
      {props.children}
    </div>
  );
}
