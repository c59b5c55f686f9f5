import { describe, expect, it } from 'vitest';
import { anAnnotation } from '../../testing/records';
import {
  detailsOf,
  holderTag,
  holderWords,
  markWords,
  typeWords
} from './holders';
import type { MarkedLine } from '../marks/cell-marks';
import { inlaysOf } from '../marks/inlays';
import type { NameMark } from '../marks/forms';
import { mergeMarks } from '../marks/marks';

const HELD = ['linearize', 'vmap, axis 1 of 8', 'known'];

const MIXED = anAnnotation({
  status: 'mixed',
  type: 'dict',
  leaves: 3,
  length: 3,
  parts: [
    { path: "['n']", status: 'static', type: 'int', value: '3' },
    { path: "['w']", status: 'traced', type: 'f32[3]', value: null },
    { path: "['b']", status: 'traced', type: 'f32[]', value: null }
  ]
});

function lineOf(marks: readonly NameMark[]): MarkedLine {
  return {
    place: { file: '', line: 4 },
    marks,
    notes: [],
    skipped: false,
    runs: [1, 1],
    running: false,
    error: null
  };
}

describe('what holds a value', () => {
  it('is told in words and in short', () => {
    expect(holderWords(HELD)).toBe(
      'differentiated (linearize); mapped by vmap, axis 1 of 8: a batch of it is computed at once; ' +
        'its value is known: nothing stages it'
    );
    expect(holderTag(HELD)).toBe('∂ · vmap×8');
    expect(holderTag([])).toBe('');
  });

  it('stands behind the type at the end of a line', () => {
    const marks = mergeMarks([anAnnotation({ tracers: HELD })]);
    const [inlay] = inlaysOf(lineOf(marks));
    expect(inlay?.text).toBe('f32[3] · ∂ · vmap×8');
    expect(inlay?.spoken).toContain('mapped by vmap, axis 1 of 8');
  });
});

describe('a container', () => {
  it('tells the first leaf that changed where its own type is the same', () => {
    const changed = (path: string) => {
      const batch = (type: string, trace: string) =>
        anAnnotation({
          trace,
          name: 'batch',
          type: 'dict',
          leaves: 1,
          parts: [{ path, status: 'traced', type, value: null }]
        });
      const marks = mergeMarks([
        batch('f32[16]', 'f1#1'),
        batch('f32[6]', 'f1#2')
      ]);
      return inlaysOf(lineOf(marks))[0]?.text;
    };
    expect(changed("['x']")).toBe("['x'] f32[16] → f32[6]");
    const end = `${'k'.repeat(38)}']['bias']`;
    expect(changed(`['${'k'.repeat(10_000)}']['bias']`)).toBe(
      `…${end.slice(-47)} f32[16] → f32[6]`
    );
  });

  it('says how many of its leaves are traced, and which', () => {
    expect(typeWords(MIXED)).toBe('dict, 2 of 3 traced');
    expect(detailsOf(MIXED)).toEqual([
      "['n'] ■ static, 3 (int)",
      "['w'] ● traced, f32[3]",
      "['b'] ● traced, f32[]"
    ]);
    expect(typeWords({ ...MIXED, status: 'traced' })).toBe('dict of 3');
  });

  it('counts what is not told one by one', () => {
    const wide = { ...MIXED, leaves: 41, length: 41 };
    expect(typeWords(wide)).toBe('dict of 41');
    expect(detailsOf(wide).pop()).toBe('and 38 more');
  });
});

describe('a container in containers', () => {
  const LAYERS = { ...MIXED, type: 'list', leaves: 6, length: 3 };

  it('has elements, and arrays in them', () => {
    expect(typeWords({ ...LAYERS, status: 'traced' })).toBe(
      'list of 3 · 6 arrays'
    );
    expect(typeWords(LAYERS)).toBe('list of 3 · 6 leaves');
    expect(typeWords({ ...MIXED, length: 2 })).toBe(
      'dict, 2 of 3 leaves traced'
    );
  });

  it('of a class of its own has arrays only', () => {
    const own = { ...LAYERS, type: 'Params', length: null };
    expect(typeWords({ ...own, status: 'traced' })).toBe('Params · 6 arrays');
  });
});

describe('a key', () => {
  it('is called one only where its type says so', () => {
    expect(markWords(anAnnotation({ type: 'key<fry>[]' }))).toBe(
      'traced, key<fry>[], a PRNG key'
    );
    expect(markWords(anAnnotation({ type: 'u32[2]' }))).toBe('traced, u32[2]');
  });
});
