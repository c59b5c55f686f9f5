import type { Lane, PlacedCause, PlacedSpan } from './timeline';

/** Pixels by which a span must reach beyond the one drawn before it. */
const SPANS_APART = 2;
/** Pixels between the arrows of two causes. */
const CAUSES_APART = 5;

/**
 * A lane with what can be told apart at a size, so that a picture costs what is seen of it, however much was recorded.
 *
 * @param pixels - how long the whole time is drawn.
 * @param keep - spans that are drawn however short: where a key leads.
 * @param shown - the trace whose cause is drawn in any case.
 */
export function drawnLane(
  lane: Lane,
  pixels: number,
  keep: ReadonlySet<PlacedSpan>,
  shown: string | null
): Lane {
  return {
    ...lane,
    spans: apartSpans(lane.spans, pixels, span => keep.has(span)),
    causes: apartCauses(lane.causes, pixels, shown)
  };
}

function apartSpans(
  spans: readonly PlacedSpan[],
  pixels: number,
  isKept: (span: PlacedSpan) => boolean
): PlacedSpan[] {
  /** By row, where the last one ends that is drawn. */
  const ends: number[] = [];
  return spans.filter(span => {
    const end = (span.left + span.width) * pixels;
    const isApart = end >= (ends[span.row] ?? -Infinity) + SPANS_APART;
    if (isApart) {
      ends[span.row] = end;
    }
    return isApart || isKept(span);
  });
}

function apartCauses(
  causes: readonly PlacedCause[],
  pixels: number,
  shown: string | null
): PlacedCause[] {
  let last = -Infinity;
  return causes.filter(({ left, trace }) => {
    const isApart = left * pixels >= last + CAUSES_APART;
    if (isApart) {
      last = left * pixels;
    }
    return isApart || trace === shown;
  });
}
