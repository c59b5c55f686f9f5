import { describe, expect, it } from 'vitest';
import type { Update } from '../../protocol';
import { merge } from '../../store/recording';
import {
  FILE,
  aFunction,
  aListing,
  aTrace,
  anUpdate,
  place
} from '../../testing/records';
import { LineNames, lineNames } from './place';

const named = (fields: Partial<Update>): LineNames =>
  lineNames(merge(null, anUpdate(fields)));

const all = (names: LineNames, file: string): string[] => {
  const line = { file, line: 11 };
  return [names.short(line), names.long(line), names.full(line)];
};

describe('lineNames', () => {
  it('leaves out the cell where there is no other', () => {
    const names = named({ functions: [aFunction()], traces: [aTrace()] });
    expect(all(names, FILE)).toEqual(['11', 'line 11', 'cell [5], line 11']);
  });

  it('says which cell where functions of several are involved', () => {
    const other = {
      id: 'c2',
      execution_count: 2,
      file: 'b.py',
      checksum: null
    };
    const loss = aFunction({ id: 'f2', file: 'b.py' });
    const names = named({ cells: [other], functions: [aFunction(), loss] });
    expect(all(names, FILE)).toEqual(['[5]:11', '[5]:11', 'cell [5], line 11']);
    expect(all(names, 'b.py')[0]).toBe('[2]:11');
  });

  it('counts where functions are called, and where equations come from', () => {
    const call = named({
      functions: [aFunction({ file: 'b.py' })],
      traces: [aTrace()]
    });
    const helper = { file: 'b.py', line: 2 };
    const lines = [
      { text: 'sin', depth: 0, place: place(5), equation: 0 },
      { text: 'cos', depth: 0, place: helper, equation: 1 }
    ];
    const listed = named({ listings: [aListing({ lines })] });
    expect(call.short(place(11))).toBe('[5]:11');
    expect(listed.short(place(11))).toBe('[5]:11');
    expect(listed.short(helper)).toBe('b.py:2');
  });

  it('does not count the files of libraries', () => {
    const library = aFunction({
      id: 'f2',
      file: 'numpy.py',
      origin: 'library'
    });
    const names = named({ functions: [aFunction(), library] });
    expect(names.short(place(11))).toBe('11');
  });

  it('calls files by as much of their path as tells them apart', () => {
    const files = ['/home/me/a/model.py', '/home/me/b/model.py', 'train.py'];
    const names = named({
      functions: files.map((file, i) => aFunction({ id: `f${i}`, file }))
    });
    expect(files.map(file => names.long({ file, line: 11 }))).toEqual([
      'a/model.py:11',
      'b/model.py:11',
      'train.py:11'
    ]);
    expect(names.full({ file: 'train.py', line: 11 })).toBe(
      'train.py, line 11'
    );
  });

  it('cuts long names where they stand in a column', () => {
    const file = 'a_transformer_with_memory.py';
    const names = named({
      functions: [aFunction(), aFunction({ id: 'g', file })]
    });
    expect(names.short({ file, line: 11 })).toBe('…_with_memory.py:11');
    expect(names.long({ file, line: 11 })).toBe(`${file}:11`);
  });
});
