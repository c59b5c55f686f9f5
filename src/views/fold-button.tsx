import type { ComponentChildren, JSX } from 'preact';

/** Shows and hides what stands below it. */
export function FoldButton(props: {
  open: boolean;
  turn: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const { open, turn, children } = props;
  return (
    <button
      type="button"
      class="jtv-disclosure"
      aria-expanded={open}
      onClick={turn}
    >
      <span aria-hidden="true">{open ? '▾' : '▸'} </span>
      {children}
    </button>
  );
}
