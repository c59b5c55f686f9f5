import type { Edge } from '../../protocol';
import type { Tone } from './palette';

/** What a picture is made of; the live view and the saved file draw the same, as `exports/svg.py` does. */
export type Shape = BoxShape | EdgeShape | Heading;

export type BoxShape = Rect | Label | Note | BoxBadge;

export type EdgeShape = Line | Tip | Caption;

export interface Rect {
  readonly shape: 'rect';
  /** An open group's background, or a box. */
  readonly part: 'frame' | 'box';
  readonly tone: Tone;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly dashed: boolean;
}

/** What a mark says in a few characters, on the upper border at the right. */
export interface BoxBadge {
  readonly shape: 'badge';
  readonly tone: Tone;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly text: string;
}

/** The curve of an edge. */
export interface Line {
  readonly shape: 'line';
  readonly kind: Edge['kind'];
  readonly d: string;
}

/** The arrow at its end. */
export interface Tip {
  readonly shape: 'tip';
  readonly d: string;
}

/** What an edge says, with a glow in the colour of the paper. */
export interface Caption {
  readonly shape: 'caption';
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A box's first line, centred: `h = tanh`, with the user's own name in its own colour. */
export interface Label {
  readonly shape: 'label';
  readonly x: number;
  readonly y: number;
  readonly bold: boolean;
  readonly name: string;
  readonly text: string;
}

/** The one line of an open group. */
export interface Heading {
  readonly shape: 'heading';
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly text: string;
  readonly detail: string;
}

/** A small line of a box, centred. */
export interface Note {
  readonly shape: 'note';
  readonly ink: 'quiet' | 'variable';
  readonly x: number;
  readonly y: number;
  readonly text: string;
}
