import { describe, expect, it } from 'vitest';
import { aFunction, anUpdate } from '../testing/records';
import type { Update } from '../protocol';
import { Recording, hasGap, merge, snapshot } from './recording';

const part = (number: number, fields: Partial<Update>): Update =>
  anUpdate({ number, complete: false, state: 'running', ...fields });

const traces = (count: number, id = 'f1'): Partial<Update> => ({
  functions: [aFunction({ id, traces: count })]
});

function mergeAll(updates: readonly Update[]): Recording {
  const [first, ...rest] = updates;
  if (!first) {
    throw new Error('nothing to merge');
  }
  return rest.reduce<Recording>(merge, merge(null, first));
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) {
    yield [];
  }
  for (const [i, item] of items.entries()) {
    const others = items.filter((_, j) => j !== i);
    for (const rest of permutations(others)) {
      yield [item, ...rest];
    }
  }
}

const counts = (recording: Recording): Record<string, number> =>
  Object.fromEntries(recording.functions.records.map(f => [f.id, f.traces]));

describe('merge', () => {
  const stream = [
    part(1, traces(1)),
    part(2, traces(1, 'f2')),
    part(3, traces(2)),
    anUpdate({
      number: 4,
      verdict: 'done',
      functions: [aFunction({ traces: 3 }), aFunction({ id: 'f2', traces: 1 })]
    })
  ];

  it('comes to the same in whichever order the updates arrive', () => {
    for (const order of permutations(stream)) {
      const recording = mergeAll(order);
      expect(counts(recording)).toEqual({ f1: 3, f2: 1 });
      expect(recording.newest.verdict).toBe('done');
      expect(hasGap(recording)).toBe(false);
    }
  });

  it('may take an update twice', () => {
    const once = mergeAll(stream);
    const twice = mergeAll(stream.flatMap(update => [update, update]));
    expect(counts(twice)).toEqual(counts(once));
    expect(twice.arrived).toEqual(once.arrived);
  });

  it('lets go of records that a complete update no longer holds', () => {
    const recording = mergeAll([
      part(1, traces(1, 'gone')),
      anUpdate({ number: 2, functions: [aFunction()] })
    ]);
    expect(Object.keys(counts(recording))).toEqual(['f1']);
  });

  it('keeps what came after a complete update that arrives late', () => {
    const recording = mergeAll([
      part(1, traces(1)),
      part(3, traces(7)),
      anUpdate({ number: 2, functions: [aFunction({ traces: 2 })] })
    ]);
    expect(counts(recording)).toEqual({ f1: 7 });
  });
});

it('a snapshot is worth all that it was made of', () => {
  const recording = mergeAll([
    part(1, traces(1)),
    part(2, { ...traces(4, 'f2'), verdict: 'So far.' })
  ]);
  const again = merge(null, snapshot(recording));
  expect(counts(again)).toEqual({ f1: 1, f2: 4 });
  expect(again.newest.verdict).toBe('So far.');
  expect(hasGap(again)).toBe(false);
});

describe('hasGap', () => {
  it('sees that an update is missing, until a complete one repairs it', () => {
    let recording = mergeAll([part(1, {}), part(2, {})]);
    expect(hasGap(recording)).toBe(false);
    recording = merge(recording, part(4, {}));
    expect(hasGap(recording)).toBe(true);
    recording = merge(recording, anUpdate({ number: 4 }));
    expect(hasGap(recording)).toBe(false);
  });

  it('sees that the beginning is missing', () => {
    expect(hasGap(merge(null, part(3, {})))).toBe(true);
    expect(hasGap(merge(null, anUpdate({ number: 3 })))).toBe(false);
  });

  it('is not content with a complete update from before the hole', () => {
    const recording = mergeAll([part(5, {}), anUpdate({ number: 3 })]);
    expect(hasGap(recording)).toBe(true);
    expect(hasGap(merge(recording, part(4, {})))).toBe(false);
  });
});
