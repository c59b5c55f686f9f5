import { afterEach, expect, it } from 'vitest';
import { FILE, aGraph, anAnnotation, place } from '../../testing/records';
import { changeEntries } from '../graph/changes';
import { inlaysOf } from '../marks/inlays';
import { kernelEntries } from '../graph/kernels';
import { ENGLISH, speak, trans } from './language';
import { mergeMarks } from '../marks/marks';

afterEach(() => speak(ENGLISH));

it('puts values where they stand in the text, and keeps percent signs', () => {
  expect(trans.__('%1 of %2', 3, 'five')).toBe('3 of five');
  expect(trans.__('%%%%jaxtrace')).toBe('%%jaxtrace');
});

it('tells one from many', () => {
  const files = (n: number): string =>
    trans._n('%1 file of %2', '%1 files of %2', n, 'ten');
  expect([1, 2].map(files)).toEqual(['1 file of ten', '2 files of ten']);
});

it('says it in the language that a host tells', () => {
  speak({ ...ENGLISH, __: text => text.toUpperCase() });
  expect(trans.__('Trace')).toBe('TRACE');
});

it('says what stands beside code and above pictures in the language of the user', () => {
  speak({
    __: (text, ...values) => ENGLISH.__(text, ...values).toUpperCase(),
    _n: (one, many, n, ...values) =>
      ENGLISH._n(one, many, n, ...values).toUpperCase()
  });
  const line = {
    place: place(4),
    marks: mergeMarks([
      anAnnotation({ tracers: ['vmap, axis 0 of 8', 'known'], value: '3' })
    ]),
    notes: [{ kind: 'stale', text: '2', title: '1 → 2' }],
    skipped: false,
    runs: [1, 2],
    running: true,
    error: `${FILE}: 7`.toUpperCase()
  } as const;
  const inlays = [
    ...inlaysOf({ ...line, notes: [] }),
    ...inlaysOf(line)
  ].flatMap(({ text, spoken, sign }) => [text, spoken, sign?.word ?? '']);
  const kernel = { name: '9', what: '9', inside: '8', bytes: 4 };
  const overlay = {
    compilation: 'c1',
    summary: '',
    note: '',
    flops: 2,
    bytes_accessed: 3,
    boxes: [],
    holding: 20,
    kernels: [
      { ...kernel, number: 1, equations: 2, alike: 3 },
      { ...kernel, number: 2, equations: 0, alike: 1 }
    ]
  };
  const changes = { later: true, other: '#1', note: '', boxes: [] };
  const above = [
    ...kernelEntries(overlay),
    ...changeEntries(aGraph({ trace: '#2', changes }))
  ].map(({ text }) => text);
  const names = /VMAP, AXIS 0 OF 8|vmap, axis 0 of 8|vmap×8|f32|kB|\bx\b/g;
  for (const text of [...inlays, ...above]) {
    expect(text.replace(names, '')).not.toMatch(/[a-z]/);
  }
  expect([inlays, above].map(({ length }) => length > 4)).toEqual([true, true]);
});
