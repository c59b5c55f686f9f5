import type { FunctionRecord, StaleValue, Trace } from '../../protocol';
import { addTo } from '../groups';
import { rounded } from '../words/format';
import { trans } from '../words/language';
import { Form, Forms, NameMark } from './forms';
import type { LineNote } from './line-notes';
import { constantsByLine } from './marks';
import { holdsPlace } from '../words/place';
import { READ_OUTSIDE } from '../words/words';

/**
 * What was read from outside of a function and is fixed in its programs: arrays, at the first line that reads them, and plain
 * values, where they were read.
 *
 * @param own - the traces of the function itself.
 * @param all - these, and the traces around and inside them: what a helper reads is told by the trace that called it.
 */
export function bakedInByLine(
  fn: FunctionRecord,
  own: readonly Trace[],
  all: readonly Trace[]
): Map<number, NameMark[]> {
  const found = constantsByLine(fn, own);
  const read = new Map<number, Forms>();
  for (const trace of all) {
    for (const { name, value, place } of trace.outside) {
      if (holdsPlace(fn, place)) {
        const forms = read.get(place.line) ?? new Forms();
        forms.add(name, formOf(value, trace));
        read.set(place.line, forms);
      }
    }
  }
  for (const [line, forms] of read) {
    found.set(line, [...(found.get(line) ?? []), ...forms.marks()]);
  }
  return found;
}

/** Values from outside that have changed since a trace read them, by the line that reads them: how each changed last. */
export function staleByLine(
  values: readonly StaleValue[]
): Map<number, LineNote[]> {
  const newest = new Map(
    values.map(value => [`${value.place.line} ${value.name}`, value])
  );
  const found = new Map<number, LineNote[]>();
  for (const value of newest.values()) {
    const { name, kind, after, place } = value;
    const isValue = kind === 'value' || kind === 'contents';
    const note: LineNote = {
      kind: 'stale',
      text: isValue
        ? trans.__('%1 became %2', name, rounded(after))
        : trans.__('%1 changed', name),
      title: changeOf(value)
    };
    addTo(found, place.line, note);
  }
  return found;
}

function changeOf({ name, kind, before, after }: StaleValue): string {
  const change = rounded(before === after ? before : `${before} → ${after}`);
  switch (kind) {
    case 'array':
      return trans.__(
        '%1 became another array (%2) after the trace. Cached calls still use what it was.',
        name,
        change
      );
    case 'in_place':
      return trans.__(
        '%1 (%2) was changed in place after the trace. Cached calls still use what it was.',
        name,
        before
      );
    case 'function':
      return trans.__(
        '%1 was defined anew after the trace. Cached calls still use what it was.',
        name
      );
    default:
      return trans.__(
        '%1 changed %2 → %3 after the trace. Cached calls still use what it was.',
        name,
        before,
        after
      );
  }
}

function formOf(value: string, { id }: Trace): Form {
  return {
    // An ordinary Python value, known while tracing: no array that became part of the program.
    sign: READ_OUTSIDE,
    type: trans.__('read from outside'),
    value,
    text: value,
    tag: '',
    details: [],
    parts: [],
    traces: [id],
    within: [id]
  };
}
