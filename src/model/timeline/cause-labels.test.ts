import { describe, expect, it } from 'vitest';
import { CauseLabel, labelCauses } from './cause-labels';
import type { PlacedCause } from './timeline';

const PIXELS = 400;
const WORDS = 'x f32[3] → f32[4]';

function causesAt(...places: readonly number[]): PlacedCause[] {
  return places.map((place, i) => ({
    trace: `f1#${i + 2}`,
    words: WORDS,
    left: place / PIXELS,
    from: null
  }));
}

const rows = (labels: readonly CauseLabel[]): number[] =>
  labels.map(({ row, told }) => (told ? row : -1));

describe('words beside arrows', () => {
  it('stand in one row where there is room', () => {
    expect(rows(labelCauses(causesAt(0, 200), PIXELS, null))).toEqual([0, 0]);
  });

  it('go up where another arrow is near, and stay within the picture', () => {
    const labels = labelCauses(causesAt(200, 220, 390), PIXELS, null);
    expect(rows(labels)).toEqual([2, 0, 1]);
    for (const { left, width } of labels) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(PIXELS);
    }
  });

  it('are left out where there is none, but never those of the trace that is shown', () => {
    const crowd = causesAt(...Array.from({ length: 40 }, (_, i) => 10 * i));
    for (const shown of ['f1#2', 'f1#21', 'f1#41']) {
      const labels = labelCauses(crowd, PIXELS, shown);
      const told = labels.filter(label => label.told);
      expect(told.map(({ cause }) => cause.trace)).toContain(shown);
      expect(told.length).toBeGreaterThan(3);
      expect(told.length).toBeLessThan(20);
    }
  });

  it('never cover words or lines of others', () => {
    for (let seed = 1; seed < 200; seed += 1) {
      const places = Array.from(
        { length: (seed % 12) + 1 },
        (_, i) => (seed * 7919 * (i + 1)) % PIXELS
      ).sort((a, b) => a - b);
      const labels = labelCauses(causesAt(...new Set(places)), PIXELS, 'f1#3');
      const told = labels.filter(label => label.told);
      for (const one of told) {
        for (const other of told.filter(label => label !== one)) {
          const begin = Math.max(one.left, other.left);
          const end = Math.min(one.left + one.width, other.left + other.width);
          expect(one.row !== other.row || begin >= end).toBe(true);
          const line = other.cause.left * PIXELS;
          const crossed =
            other.row > one.row &&
            one.left < line &&
            line < one.left + one.width;
          expect(crossed).toBe(false);
        }
      }
    }
  });
});
