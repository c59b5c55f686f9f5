/** How a box is marked beyond what its kind says: by a class as in style/graph-colours.css, and never by that alone. */
export interface Paint {
  readonly className: string;
  /** Drawn at a corner of the box; may be empty. */
  readonly tag: string;
  /** The same in words, for tooltips and screen readers; may be empty. */
  readonly words: string;
}

/** What one colour means. */
export interface Swatch {
  readonly className: string;
  readonly words: string;
}

export interface Legend {
  readonly swatches: readonly Swatch[];
  readonly words: string;
}

const HUES = 8;

/** One of a few colours, which come again after the last one. */
export function hue(index: number): string {
  return `jtv-hue-${index % HUES}`;
}
