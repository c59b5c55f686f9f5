import type { Place, Update } from '../../protocol';

/** `line 9` of the recorded cell, `cell [2] line 9` of another, `train.py:9` of a file. */
export function shortPlace(
  { cell, cells }: Update,
  { file, line }: Place
): string {
  if (file === cell.file) {
    return `line ${line}`;
  }
  const other = cells.find(one => one.file === file);
  if (other) {
    const count = other.execution_count;
    return `${count === null ? 'other cell' : `cell [${count}]`} line ${line}`;
  }
  return `${file.slice(file.search(/[^\\/]*$/))}:${line}`;
}
