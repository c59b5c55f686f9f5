import type { Hits, Reason, Span, Trace } from '../../protocol';
import type { Recording } from '../../store';
import { groupBy } from '../groups';
import { rounded } from '../words/format';
import { trans } from '../words/language';
import { decisiveReason } from '../why/parts';
import { isAgain } from '../why/why';
import { reasonWords } from '../words/words';

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
  readonly hits: readonly PlacedHits[];
  readonly causes: readonly PlacedCause[];
}

/** Cache hits, which came somewhere in this stretch. */
export interface PlacedHits {
  readonly hits: Hits;
  readonly left: number;
  readonly width: number;
}

/** What changed, over the retrace that it caused. */
export interface PlacedCause {
  readonly trace: string;
  readonly words: string;
  readonly left: number;
  /** Where the trace begins that it was compared with, if that is in this lane. */
  readonly from: number | null;
}

export interface Timeline {
  readonly seconds: number;
  readonly lanes: readonly Lane[];
}

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
  const groups = groupBy(spans, span =>
    JSON.stringify([span.thread, span.function])
  );
  return {
    seconds,
    lanes: hitsOnFirstLanes(
      recording,
      [...groups].map(([key, own]) => layOutLane(recording, key, own, seconds)),
      seconds
    )
  };
}

/** Hits are counted per function, on whichever threads they came. */
function hitsOnFirstLanes(
  recording: Recording,
  lanes: readonly Lane[],
  seconds: number
): Lane[] {
  const met = new Set<string>();
  return lanes.map(lane => {
    const first = !met.has(lane.function);
    met.add(lane.function);
    const own = recording.newest.hits.filter(
      hits => first && hits.function === lane.function
    );
    const hits = own.map(one => ({
      hits: one,
      left: one.since / seconds,
      width: Math.max(0, one.until - one.since) / seconds
    }));
    return { ...lane, hits };
  });
}

function layOutLane(
  recording: Recording,
  key: string,
  own: readonly Span[],
  seconds: number
): Lane {
  const spans = placeSpans(own, seconds);
  return {
    key,
    hits: [],
    causes: placeCauses(recording, own, seconds),
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

function placeCauses(
  recording: Recording,
  spans: readonly Span[],
  seconds: number
): PlacedCause[] {
  const begins = new Map<string, number>();
  for (const { kind, trace, started } of spans) {
    if (kind === 'trace' && trace !== null) {
      begins.set(trace, started);
    }
  }
  const causes: PlacedCause[] = [];
  for (const [id, started] of begins) {
    const trace = recording.traces.get(id);
    if (trace && isAgain(trace.reasons)) {
      const before = begins.get(trace.compared_with ?? '');
      causes.push({
        trace: id,
        words: causeWords(trace),
        left: started / seconds,
        from: before === undefined ? null : before / seconds
      });
    }
  }
  return causes;
}

function causeWords(trace: Trace): string {
  const reason = decisiveReason(trace.reasons);
  return reason ? changeWords(reason) : trans.__('reason not known');
}

/** `x f32[3] → f32[4]`, or the reason in words where it is about no argument. */
function changeWords(reason: Reason): string {
  const { path, before, after } = reason;
  return path !== null && before !== null && after !== null
    ? rounded(`${path} ${before} → ${after}`)
    : reasonWords(reason);
}

/** Marks at round times between two moments: so many as there is room for. */
export function ticksBetween(from: number, to: number, most: number): Tick[] {
  const length = Math.max(to - from, 1e-9);
  const raw = length / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find(n => n * power >= raw) ?? 10);
  const first = Math.ceil(from / step - 1e-6);
  const last = Math.floor(to / step + 1e-6);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const time = (first + i) * step;
    return { time, text: tickText(time, step) };
  });
}

export interface Tick {
  /** Seconds. */
  readonly time: number;
  readonly text: string;
}

/** A time with as many digits as tell it from its neighbours. */
function tickText(time: number, step: number): string {
  const [factor, unit] =
    time >= 1 || step >= 1
      ? [1, 's']
      : time >= 1e-3 || step >= 1e-3
        ? [1e3, 'ms']
        : [1e6, 'µs'];
  const digits = Math.max(0, -Math.floor(Math.log10(step * factor) + 1e-9));
  return time === 0 ? '0 s' : `${(time * factor).toFixed(digits)} ${unit}`;
}
