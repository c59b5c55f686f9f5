import type { PlacedCause } from './timeline';

/** Where the words of a cause stand beside its arrow, in pixels. */
export interface CauseLabel {
  readonly cause: PlacedCause;
  /** Rows from the spans upwards. */
  readonly row: number;
  readonly left: number;
  readonly width: number;
  /** Whether the words have room; if not, there is the arrow alone. */
  readonly told: boolean;
}

/** About the width of a letter, and of what stands around the words. */
const LETTER = 6.7;
const AROUND = 20;
/** Half of what an arrow takes. */
const ARROW = 6;
/** So many rows of words, at most. */
const ROWS = 4;

/**
 * Words for as many causes as have room, none over another's words or arrow, from the last one to the first so that a
 * label is pushed up by what comes after it. That of the trace that is shown comes first.
 *
 * @param pixels - how long the whole time is drawn.
 */
export function labelCauses(
  causes: readonly PlacedCause[],
  pixels: number,
  shown: string | null
): CauseLabel[] {
  const order = [...causes].reverse();
  order.sort((a, b) => Number(b.trace === shown) - Number(a.trace === shown));
  const arrows = causes.map(({ left }) => left * pixels);
  const told: CauseLabel[] = [];
  for (const cause of order) {
    const width = Math.min(pixels, cause.words.length * LETTER + AROUND);
    const at = cause.left * pixels;
    const left = Math.max(0, Math.min(at - ARROW, pixels - width));
    const label: CauseLabel = { cause, row: 0, left, width, told: true };
    const rows = Array.from({ length: ROWS }, (_, row) => ({ ...label, row }));
    const free = rows.find(one => isFree(one, at, arrows, told, pixels));
    if (free) {
      told.push(free);
    }
  }
  return causes.map(
    cause =>
      told.find(label => label.cause === cause) ?? arrowAlone(cause, pixels)
  );
}

function arrowAlone(cause: PlacedCause, pixels: number): CauseLabel {
  const left = cause.left * pixels - ARROW;
  return { cause, row: 0, left, width: 0, told: false };
}

/** Whether a label covers nothing: no arrow in the row next to the spans, no words, no line from words to their arrow. */
function isFree(
  label: CauseLabel,
  at: number,
  arrows: readonly number[],
  told: readonly CauseLabel[],
  pixels: number
): boolean {
  const covers = (x: number): boolean =>
    label.left - ARROW < x && x < label.left + label.width + ARROW;
  if (label.row === 0) {
    // There the arrow stands among the words, at their begin.
    return (
      label.left >= at - ARROW &&
      arrows.every(x => x === at || !covers(x)) &&
      told.every(other => other.row > 0 || isApart(label, other))
    );
  }
  return told.every(other => {
    if (other.row === label.row) {
      return isApart(label, other);
    }
    const [upper, lower] =
      other.row > label.row ? [other, label] : [label, other];
    const line = upper.cause.left * pixels;
    return line < lower.left || line > lower.left + lower.width;
  });
}

function isApart(one: CauseLabel, other: CauseLabel): boolean {
  return (
    one.left + one.width + ARROW <= other.left ||
    other.left + other.width + ARROW <= one.left
  );
}
