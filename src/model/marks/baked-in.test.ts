import { describe, expect, it } from 'vitest';
import { aFunction, aTrace, place } from '../../testing/records';
import { bakedInByLine, staleByLine } from './baked-in';
import { inlaysOf } from './inlays';

const read = (
  value: string
): { outside: ReturnType<typeof aTrace>['outside'] } => ({
  outside: [{ name: 'rate', value, place: place(5) }]
});

describe('what is baked in', () => {
  it('stands where it was read, with what it was in each trace', () => {
    const first = aTrace(read('12.0'));
    const second = aTrace({ id: 'f1#2', ...read('3.0') });
    const elsewhere = aTrace({
      id: 'f1#3',
      outside: [{ name: 'far', value: '1', place: place(50) }]
    });
    const traces = [first, second, elsewhere];
    const found = bakedInByLine(aFunction(), traces, traces);
    expect([...found.keys()]).toEqual([5]);
    const [mark] = found.get(5) ?? [];
    expect(mark?.name).toBe('rate');
    expect(mark?.forms.map(({ text }) => text)).toEqual(['3.0', '12.0']);
    expect(mark?.forms.map(({ sign }) => sign.glyph)).toEqual(['■', '■']);
    const line = { place: place(5), notes: [], skipped: false, error: null };
    const beside = inlaysOf({
      ...line,
      marks: found.get(5) ?? [],
      runs: [1, 1],
      running: false
    });
    // The line binds nothing, so the name is needed.
    expect(beside.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'rate 12.0 → 3.0'
    ]);
  });

  it('is stale once it changed after the trace', () => {
    const change = {
      name: 'rate',
      kind: 'value' as const,
      place: place(5),
      trace: 'f1#1',
      computed: false
    };
    const fn = aFunction({
      stale: [{ ...change, before: '12.0', after: '3.0' }]
    });
    expect(staleByLine([...fn.stale, ...fn.stale]).get(5)).toHaveLength(1);
    const [note] = staleByLine(fn.stale).get(5) ?? [];
    expect(note?.text).toBe('rate became 3.0');
    expect(note?.title).toContain('changed 12.0 → 3.0 after the trace');
    const told = (kind: 'array' | 'function' | 'in_place'): unknown => {
      const stale = [{ ...change, kind, before: 'f32[3]', after: 'f32[3]' }];
      const [one] = staleByLine(stale).get(5) ?? [];
      expect(one?.text).toBe('rate changed');
      return one?.title.replace(' Cached calls still use what it was.', '');
    };
    expect(told('in_place')).toBe(
      'rate (f32[3]) was changed in place after the trace.'
    );
    expect(told('array')).toBe(
      'rate became another array (f32[3]) after the trace.'
    );
    expect(told('function')).toBe('rate was defined anew after the trace.');
  });
});
