import type { FunctionRecord, LineMark, Trace } from '../../protocol';
import type { Recording } from '../../store';
import { addTo } from '../groups';
import { counted } from '../words/counted';
import { trans } from '../words/language';

/** What is said of a whole line. */
export interface LineNote {
  readonly kind: LineMark['kind'] | 'stale' | 'recording';
  readonly text: string;
  readonly title: string;
}

/** What is said of the lines of one function. */
export interface LineNotes {
  /** By the line where it begins. */
  readonly notes: ReadonlyMap<number, readonly LineNote[]>;
  /** Lines that did not run. */
  readonly skipped: ReadonlySet<number>;
}

/**
 * Branches and loops are told for the traces that are shown. A side effect is told for all traces of the function: that
 * it happens once for each of them, and not once for each call, is the point.
 */
export function lineNotes(
  recording: Recording,
  fn: FunctionRecord,
  traces: readonly Trace[]
): LineNotes {
  const shown = new Set(traces.map(trace => trace.id));
  const notes = new Map<number, LineNote[]>();
  const skipped = new Set<number>();
  const effects = new Map<number, number>();
  for (const mark of recording.lineMarks.records) {
    if (mark.function !== fn.id) {
      continue;
    }
    if (mark.kind === 'side_effect') {
      effects.set(mark.line, (effects.get(mark.line) ?? 0) + mark.times);
    } else if (shown.has(mark.trace)) {
      const note = mark.kind === 'not_run' ? notRun() : unrolled(mark);
      addTo(notes, mark.line, note);
      linesNotRun(mark, fn).forEach(line => skipped.add(line));
    }
  }
  for (const [line, times] of effects) {
    addTo(notes, line, sideEffect(times));
  }
  return { notes, skipped };
}

/** The lines that a mark says did not run, as far as the function's text goes: a notebook from elsewhere may say anything. */
export function linesNotRun(mark: LineMark, fn: FunctionRecord): number[] {
  const first = fn.line ?? 1;
  const texts = mark.kind === 'not_run' ? (fn.source ?? '').split('\n') : [];
  return texts
    .map((_, at) => first + at)
    .filter(line => mark.line <= line && line <= mark.end_line);
}

function notRun(): LineNote {
  return {
    kind: 'not_run',
    text: trans.__('not run'),
    title: trans.__(
      'These lines did not run while this trace was made: they are not in its program.'
    )
  };
}

function unrolled({ times, at_least: least, equations }: LineMark): LineNote {
  const rounds = least ? trans.__('at least ×%1', times) : `×${times}`;
  return {
    kind: 'unrolled',
    text: trans.__('unrolled %1, %2', rounds, counted(equations, 'equation')),
    title: trans.__(
      'A Python loop is run while tracing: each round is in the program by itself.'
    )
  };
}

function sideEffect(times: number): LineNote {
  return {
    kind: 'side_effect',
    text: trans.__('ran %1×, at trace time only', times),
    title: trans.__(
      'Python does this while a trace is made. Calls that are cache hits do not do it.'
    )
  };
}
