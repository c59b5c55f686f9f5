import type { Place, Update } from '../../protocol';
import { trans } from '../language';

/** `line 9` of the recorded cell, `cell [2] line 9` of another, `train.py:9` of a file. */
export function shortPlace(
  { cell, cells }: Update,
  { file, line }: Place
): string {
  if (file === cell.file) {
    return trans.__('line %1', line);
  }
  const other = cells.find(one => one.file === file);
  if (other) {
    const count = other.execution_count;
    return count === null
      ? trans.__('other cell line %1', line)
      : trans.__('cell [%1] line %2', count, line);
  }
  return `${file.slice(file.search(/[^\\/]*$/))}:${line}`;
}
