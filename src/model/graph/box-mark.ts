import type { Tone } from './palette';

/** What is said of one box beyond what it is, as `exports/box_marks.py` does. */
export interface Mark {
  readonly tone: Tone;
  /** A few characters at the box's corner: colours alone say nothing. */
  readonly badge: string;
  readonly title: string;
  readonly dashed: boolean;
}

/** A line that explains a colour; without a tone, a line of text. */
export interface Entry {
  readonly tone: Tone | null;
  readonly text: string;
}
