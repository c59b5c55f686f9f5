import type { Span } from '../protocol';
import type { Recording } from '../store';

/** A span on its lane. Positions are fractions of the timeline's whole length. */
export interface PlacedSpan {
  readonly span: Span;
  readonly left: number;
  readonly width: number;
  readonly row: number;
}

/** All spans of one function on one thread. */
export interface Lane {
  readonly key: string;
  readonly function: string;
  readonly thread: string;
  /** How deep the function's outermost span is nested in others. */
  readonly depth: number;
  readonly rows: number;
  readonly spans: readonly PlacedSpan[];
}

export interface Timeline {
  readonly seconds: number;
  readonly lanes: readonly Lane[];
  readonly ticks: readonly number[];
}

const MAX_TICKS = 8;
/** Phases that follow each other may overlap by this part of the whole, because clocks are read apart. */
const ROUNDING = 1e-4;

/**
 * Lanes in order of their first span, so that what is nested stands under what contains it.
 *
 * @param library - whether functions of libraries have lanes too.
 */
export function layOutTimeline(
  recording: Recording,
  library: boolean
): Timeline {
  const { seconds: recorded } = recording.newest;
  const spans = recording.newest.spans.filter(
    span =>
      library || recording.functions.get(span.function)?.origin !== 'library'
  );
  const ends = spans.map(span => span.started + span.seconds);
  const seconds = Math.max(recorded, 1e-6, ...ends);
  const groups = new Map<string, Span[]>();
  for (const span of spans) {
    const key = JSON.stringify([span.thread, span.function]);
    groups.set(key, [...(groups.get(key) ?? []), span]);
  }
  return {
    seconds,
    lanes: [...groups].map(([key, own]) => layOutLane(key, own, seconds)),
    ticks: ticksOf(seconds)
  };
}

function layOutLane(key: string, own: readonly Span[], seconds: number): Lane {
  const spans = placeSpans(own, seconds);
  return {
    key,
    function: own[0]?.function ?? '',
    thread: own[0]?.thread ?? '',
    depth: Math.min(...own.map(span => span.depth)),
    rows: Math.max(...spans.map(span => span.row)) + 1,
    spans
  };
}

/** Each span on the first row that is free where it begins. */
function placeSpans(spans: readonly Span[], seconds: number): PlacedSpan[] {
  const freeFrom: number[] = [];
  const slack = seconds * ROUNDING;
  return spans.map(span => {
    const free = freeFrom.findIndex(end => end <= span.started + slack);
    const row = free < 0 ? freeFrom.length : free;
    freeFrom[row] = span.started + span.seconds;
    return {
      span,
      left: span.started / seconds,
      width: span.seconds / seconds,
      row
    };
  });
}

/** Round numbers of seconds, a handful of them. */
function ticksOf(seconds: number): number[] {
  const raw = seconds / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find(n => n * power >= raw) ?? 10);
  const count = Math.floor(seconds / step);
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}
