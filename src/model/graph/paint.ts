/** How a box is coloured beyond what its kind says: by a class as in style/graph-colours.css, and in words. */
export interface Paint {
  readonly className: string;
  /** For tooltips and screen readers; may be empty. */
  readonly words: string;
}

/** What one colour means. */
export interface Swatch {
  readonly className: string;
  readonly words: string;
}

export interface Legend {
  readonly swatches: readonly Swatch[];
  /** What comes before the colours. */
  readonly words: string;
  /** What comes after them. */
  readonly more?: string;
}

const HUES = 8;

/** One of a few colours, which come again after the last one. */
export function hue(index: number): string {
  return `jtv-hue-${index % HUES}`;
}
