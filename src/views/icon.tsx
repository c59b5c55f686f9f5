import type { JSX, Ref } from 'preact';

/** Outlines on a field of 16 × 16. */
const PATHS = {
  back: 'M10 3 5 8l5 5',
  clear: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5 5 13h6l.5-8.5M7 7v4M9 7v4',
  export: 'M8 2.5v7M5 7l3 3 3-3M3 12.5h10',
  forward: 'm6 3 5 5-5 5',
  help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.4 8.6 8 9 8 10M8 12.5v.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  pin: 'M6 2.5h4M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5',
  play: 'M5 3.5v9l7-4.5z',
  settings:
    'M3 4.5h6M12 4.5h1M3 11.5h1M7 11.5h6M10.5 3v3M5.5 10v3M10.5 3a1.5 1.5 0 0 1 0 3 1.5 1.5 0 0 1 0-3M5.5 10a1.5 1.5 0 0 1 0 3 1.5 1.5 0 0 1 0-3'
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="jtv-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The same as markup, for menus of the host's; it colours strokes of this class. */
export function iconMarkup(name: IconName, strokeClass: string): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 16 16" fill="none"',
    ' stroke-linecap="round" stroke-linejoin="round" stroke-width="1.3">',
    `<path class="${strokeClass}" stroke="#616161" d="${PATHS[name]}"/></svg>`
  ].join('');
}

interface ButtonProps {
  readonly icon: IconName;
  /** What it does, for a tooltip and for screen readers. */
  readonly words: string;
  /** Null where it cannot be done now. */
  readonly action: (() => void) | null;
  /** For what is on or off. */
  readonly pressed?: boolean;
  /** For what opens something below. */
  readonly expanded?: boolean;
  readonly nodeRef?: Ref<HTMLButtonElement>;
}

export function IconButton(props: ButtonProps): JSX.Element {
  const { icon, words, action, pressed, expanded, nodeRef } = props;
  return (
    <button
      ref={nodeRef}
      type="button"
      class="jtv-icon-button"
      title={words}
      aria-label={words}
      aria-pressed={pressed}
      aria-expanded={expanded}
      disabled={!action}
      onClick={() => action?.()}
    >
      <Icon name={icon} />
    </button>
  );
}
