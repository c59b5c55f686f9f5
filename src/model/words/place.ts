import type { FunctionRecord, Place, Update } from '../../protocol';
import type { Recording } from '../../store';
import { oncePerRecording } from '../once';
import { trans } from './language';

/** How a recording's lines are called. Where all of them stand in one cell or file, that one goes without saying. */
export interface LineNames {
  /** Beside a line of code: `11`, where there are several `[2]:11` for a cell and `model.py:11` for a file. */
  readonly short: (place: Place) => string;
  /** On its own: `line 11`, `[2]:11`, `model.py:11`. */
  readonly long: (place: Place) => string;
  /** With all that is known: `cell [2], line 11`, `src/model.py, line 11`. */
  readonly full: (place: Place) => string;
}

/** Longer names of files are cut where many lines stand below each other. */
const LONGEST = 16;

/** Whether a line is one of a function's. */
export function holdsPlace(fn: FunctionRecord, { file, line }: Place): boolean {
  return (
    fn.file === file && (fn.line ?? 0) <= line && line <= (fn.end_line ?? 0)
  );
}

/** What the lines of a recording are called; exports have the same names (`session/source/line_names.py`). */
export const lineNames = oncePerRecording(namesIn);

function namesIn(recording: Recording): LineNames {
  const files = filesOf(recording);
  const cells = cellNames(recording.newest);
  const only = files.size === 1 ? [...files][0] : undefined;
  const nameOf = (file: string): string =>
    cells.get(file) ?? shortest(file, files);
  return {
    short: ({ file, line }) =>
      file === only ? String(line) : `${cut(nameOf(file))}:${line}`,
    long: ({ file, line }) =>
      file === only ? trans.__('line %1', line) : `${nameOf(file)}:${line}`,
    full: ({ file, line }) => {
      const cell = cells.get(file);
      return cell
        ? trans.__('cell %1, line %2', cell, line)
        : trans.__('%1, line %2', file, line);
    }
  };
}

/** The files that the user's functions and calls, and the equations that were sent, stand in. */
function filesOf(recording: Recording): ReadonlySet<string> {
  const { functions, traces, compilations, listings, graphs } = recording;
  return new Set([
    ...functions.records.flatMap(({ origin, file }) =>
      origin === 'user' && file !== null ? file : []
    ),
    ...[...traces.records, ...compilations.records].flatMap(
      ({ call_site: site }) => site?.file ?? []
    ),
    ...listings.records.flatMap(({ lines }) =>
      lines.flatMap(({ place }) => place?.file ?? [])
    ),
    ...graphs.records.flatMap(({ boxes }) =>
      boxes.flatMap(({ places }) => places.map(({ file }) => file))
    )
  ]);
}

/** Cells as JupyterLab numbers them, by the name under which their text was compiled. */
function cellNames({ cell, cells }: Update): ReadonlyMap<string, string> {
  return new Map(
    [cell, ...cells].flatMap(({ file, execution_count: count }) =>
      file === null ? [] : [[file, `[${count ?? ' '}]`] as const]
    )
  );
}

/** The end of a file's path that no other file has. */
function shortest(file: string, files: ReadonlySet<string>): string {
  const parts = file.split(/[\\/]/);
  const others = [...files]
    .filter(other => other !== file)
    .map(other => other.split(/[\\/]/));
  const ends = (other: readonly string[], count: number): boolean =>
    other.slice(-count).join('/') === parts.slice(-count).join('/');
  let count = 1;
  while (count < parts.length && others.some(other => ends(other, count))) {
    count += 1;
  }
  return parts.slice(-count).join('/');
}

function cut(name: string): string {
  return name.length > LONGEST ? `…${name.slice(1 - LONGEST)}` : name;
}
