import { describe, expect, it } from 'vitest';
import { SessionStore } from '../store';
import { aFunction, aTrace, anUpdate } from '../testing/records';
import { badgeOf, failedTraces } from './badge';

const TALLY = { traces: 2, retraces: 0, seconds: 0.031, trace: null };

describe('badgeOf', () => {
  it('says what is worth a look first', () => {
    const text = (failed: number, retraces = 0): string => {
      const badge = badgeOf({ ...TALLY, retraces }, failed);
      return `${badge?.sign.glyph} ${badge?.text}`;
    };
    expect(text(0)).toBe('● 2 traces · 31 ms');
    expect(text(1)).toBe('✕ 1 of 2 traces failed · 31 ms');
    expect(text(2)).toBe('✕ 2 traces failed · 31 ms');
    expect(text(1, 1)).toBe('↻ 1 retrace · 31 ms');
  });

  it('is silent where nothing was traced', () => {
    expect(badgeOf({ ...TALLY, traces: 0 }, 0)).toBeNull();
  });
});

describe('failedTraces', () => {
  it('counts those of the user’s functions', () => {
    const update = anUpdate({
      functions: [aFunction(), aFunction({ id: 'f2', origin: 'library' })],
      traces: [
        aTrace(),
        aTrace({ id: 'f1#2', status: 'error' }),
        aTrace({ id: 'f2#1', function: 'f2', status: 'error' })
      ]
    });
    const { recording } = new SessionStore().put(update, 'kernel');
    expect(failedTraces(recording)).toBe(1);
  });
});

it('says no cost as long as no trace is over', () => {
  const tally = { traces: 1, retraces: 0, seconds: 0, trace: null };
  expect(badgeOf(tally, 0)?.text).toBe('1 trace');
  expect(badgeOf({ ...tally, traces: 2, retraces: 1 }, 0)?.text).toBe(
    '1 retrace'
  );
});
