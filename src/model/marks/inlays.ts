import type { MarkedLine } from './cell-marks';
import { formatCount, rounded } from '../words/format';
import { trans } from '../words/language';
import type { Form, NameMark } from './forms';
import { FAILED, READ_OUTSIDE, STALE, Sign } from '../words/words';

/** A short note beside a line of code. */
export interface Inlay {
  readonly sign: Sign | null;
  /** The name it is about; empty where the line leaves no doubt. */
  readonly name: string;
  readonly text: string;
  /** The same in words. */
  readonly spoken: string;
}

const LONGEST = 28;
const LONGEST_PATH = 48;

/** The sign and the space around an inlay, in characters. */
const MARGIN = 4;

/**
 * What stands at the end of a line.
 *
 * @param room - how many characters there are for names; what does not fit is counted, but for the first one. What
 *   changed between traces is the last to go.
 */
export function inlaysOf(
  { marks, notes, runs, running, error }: MarkedLine,
  room = Infinity
): Inlay[] {
  const inlays = fitting(marks, room);
  inlays.push(
    ...notes.map(({ kind, text, title }) =>
      kind === 'stale'
        ? { sign: STALE, name: '', text, spoken: trans.__('stale: %1', title) }
        : plain(text)
    )
  );
  if (runs[1] > 1 && notes.length === 0) {
    inlays.push(plain(trans.__('ran %1', timesOf(runs))));
  }
  if (running) {
    inlays.push(plain(trans.__('tracing here')));
  }
  if (error !== null) {
    const [text = error] = error.split(':');
    inlays.push({
      sign: FAILED,
      name: '',
      text,
      spoken: trans.__('failed: %1', error)
    });
  }
  return inlays;
}

/** The names there is room for, in their order on the line. */
function fitting(marks: readonly NameMark[], room: number): Inlay[] {
  const named = marks.length > 1;
  const all = marks.map(mark => ({ mark, inlay: nameInlay(mark, named) }));
  const urgent = [...all].sort((a, b) => rankOf(a.mark) - rankOf(b.mark));
  const kept = new Set<Inlay>();
  let left = room;
  for (const { inlay } of urgent) {
    left -= inlay.name.length + inlay.text.length + MARGIN;
    if (left < 0 && kept.size > 0) {
      break;
    }
    kept.add(inlay);
  }
  const shown = all.map(({ inlay }) => inlay).filter(one => kept.has(one));
  const hidden = all.length - shown.length;
  return hidden > 0 ? [...shown, plain(trans.__('+%1 more', hidden))] : shown;
}

/** What changed comes first, and of that the values that make a program of their own. */
function rankOf({ forms: [now, before] }: NameMark): number {
  if (!before || isTogether(now, before)) {
    return 2;
  }
  return now.sign.tone === 'static' ? 0 : 1;
}

function nameInlay({ name, forms }: NameMark, named: boolean): Inlay {
  const [{ sign }] = forms;
  return {
    sign,
    name:
      named || sign.tone === 'constant' || sign === READ_OUTSIDE ? name : '',
    text: rounded(changeOf(forms)),
    spoken: `${name}: ${spokenForms(forms)}`
  };
}

/**
 * What it is, and in a later trace what it was before: `28 → 32`; of a container the first leaf that changed. What it was
 * in several runs inside one trace is no change: `f32[1] and f32[32,1]`.
 */
function changeOf([now, before, ...older]: NameMark['forms']): string {
  if (!before) {
    return withTag(shortened(now.text), now);
  }
  const together = isTogether(now, before);
  const start = older.length > 0 ? (together ? '…, ' : '… → ') : '';
  const leaf = before.text === now.text ? changedLeaf(before, now) : null;
  if (leaf) {
    return start + withTag(leaf, now);
  }
  if (before.text === now.text && before.sign === now.sign) {
    return (
      start + withTag(shortened(now.text), { ...now, tag: tagsOf(before, now) })
    );
  }
  const glyph = before.sign === now.sign ? '' : `${before.sign.glyph} `;
  const text = shortened(before.text);
  const tagged = before.tag === now.tag ? text : withTag(text, before);
  const [was, is] = [glyph + tagged, withTag(shortened(now.text), now)];
  return start + (together ? trans.__('%1 and %2', was, is) : `${was} → ${is}`);
}

/** Whether one trace has both, as where a helper ran several times in it. */
function isTogether(one: Form, other: Form): boolean {
  const others = new Set(other.within);
  return one.within.some(trace => others.has(trace));
}

/** What transforms the same value in one trace and in the next: `∂ → vmap×8`, `also ∂` where one has nothing. */
function tagsOf(before: Form, now: Form): string {
  if (before.tag === now.tag) {
    return now.tag;
  }
  return before.tag && now.tag
    ? `${before.tag} → ${now.tag}`
    : trans.__('also %1', before.tag || now.tag);
}

/** `['x'] f32[16] → f32[6]`; null where no leaf that is told has changed. */
function changedLeaf(before: Form, now: Form): string | null {
  for (const part of now.parts) {
    const was = before.parts.find(({ path }) => path === part.path);
    if (was && leafText(was) !== leafText(part)) {
      return `${endOf(part.path)} ${leafText(was)} → ${leafText(part)}`;
    }
  }
  return null;
}

function leafText({ value, type }: Form['parts'][number]): string {
  return shortened(value ?? type);
}

/** `traced, f32[3]`; `static, 28 (int)`; `traced, key<fry>[], a PRNG key`. */
export function formWords({ sign, type, value }: Form): string {
  const key = type.startsWith('key<') ? trans.__(', a PRNG key') : '';
  return value === null
    ? `${sign.word}, ${type}${key}`
    : `${sign.word}, ${value} (${type})`;
}

/** The newest first. */
function spokenForms([now, ...older]: NameMark['forms']): string {
  return older.reduce(
    (said, form, i) =>
      isTogether(older[i - 1] ?? now, form)
        ? trans.__('%1; also: %2', said, spokenForm(form))
        : trans.__('%1; before: %2', said, spokenForm(form)),
    spokenForm(now)
  );
}

function spokenForm(form: Form): string {
  return [formWords(form), ...form.details].join('; ');
}

/** `3×`, or `2–3×` where the traces differ. */
function timesOf([least, most]: readonly [number, number]): string {
  const to = formatCount(most);
  return least < most ? `${formatCount(least)}–${to}×` : `${to}×`;
}

function plain(text: string): Inlay {
  return { sign: null, name: '', text, spoken: text };
}

/** With what transforms it: `f32[3] · vmap×8`. */
function withTag(text: string, { tag }: Form): string {
  return tag ? `${text} · ${tag}` : text;
}

/** The end of a key path, which tells more than its beginning. */
function endOf(path: string): string {
  return path.length > LONGEST_PATH ? `…${path.slice(1 - LONGEST_PATH)}` : path;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
