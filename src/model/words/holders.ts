import type { Annotation } from '../../protocol';
import { counted } from './counted';
import { trans } from './language';
import { markSign } from './words';

/** What holds a traced value, in words: `differentiated (linearize); mapped by vmap, axis 0 of 8`. Empty if only `jit` does. */
export function holderWords(tracers: readonly string[]): string {
  return tracers.map(wordsOf).join('; ');
}

function wordsOf(holder: string): string {
  if (holder === KNOWN) {
    return trans.__('its value is known: nothing stages it');
  }
  return holder.startsWith('vmap')
    ? trans.__('mapped by %1: a batch of it is computed at once', holder)
    : trans.__('differentiated (%1)', holder);
}

/** The same for the end of a line: `∂ · vmap×8`. */
export function holderTag(tracers: readonly string[]): string {
  return tracers
    .filter(holder => holder !== KNOWN)
    .map(holder =>
      holder.startsWith('vmap')
        ? holder.replace(/^vmap, axis \d+ of /, 'vmap×')
        : DIFFERENTIATED
    )
    .join(' · ');
}

const KNOWN = 'known';
const DIFFERENTIATED = '∂';

/**
 * The type of a value; of a container also how many elements it has, how many leaves if that is another number, and how
 * many of these are traced: `list of 3 · 6 arrays`.
 */
export function typeWords({
  type,
  status,
  parts,
  leaves,
  length
}: Pick<
  Annotation,
  'type' | 'status' | 'parts' | 'leaves' | 'length'
>): string {
  if (leaves === 0) {
    return type;
  }
  if (status === 'mixed' && parts.length === leaves) {
    const traced = parts.filter(part => part.status === 'traced').length;
    return length === leaves
      ? trans.__('%1, %2 of %3 traced', type, traced, leaves)
      : trans.__('%1, %2 of %3 leaves traced', type, traced, leaves);
  }
  const named = length === null ? type : trans.__('%1 of %2', type, length);
  return length === leaves
    ? named
    : `${named} · ${counted(leaves, status === 'traced' ? 'array' : 'leaf')}`;
}

/** Each leaf of a container that is told one by one, and what holds a traced value. */
export function detailsOf({ parts, leaves, tracers }: Annotation): string[] {
  const told = parts.map(
    ({ path, status, type, value }) =>
      `${path} ${markSign(status).glyph} ${markSign(status).word}, ${value === null ? type : `${value} (${type})`}`
  );
  const more = parts.length > 0 ? leaves - parts.length : 0;
  const held = holderWords(tracers);
  return [
    ...told,
    ...(more > 0 ? [trans.__('and %1 more', more)] : []),
    ...(held ? [held] : [])
  ];
}

/** `traced, f32[3]`; `static, int = 28`; a key by its name. */
export function markWords(mark: Annotation): string {
  const key = mark.type.startsWith('key<') ? trans.__(', a PRNG key') : '';
  const value = mark.value === null ? '' : ` = ${mark.value}`;
  const first = `${markSign(mark.status).word}, ${typeWords(mark)}${key}${value}`;
  return [first, ...detailsOf(mark)].join('\n');
}
