import type { Box, Match } from '../../protocol';

/**
 * What to ask the kernel for, in the form of `Request.open_boxes`: `id` opens a group, `-id` closes it, `id#7` shows its
 * copy 7. Each function returns what was asked for already with one thing changed.
 */
export type Wishes = readonly string[];

/** Opens a closed group and closes an open one; all else stays. */
export function toggleGroup(asked: Wishes, group: Box): string[] {
  const closing = `-${group.id}`;
  if (!group.open) {
    return asked.includes(closing)
      ? asked.filter(wish => wish !== closing)
      : [...asked, group.id];
  }
  const rest = asked.filter(wish => wish !== group.id);
  const holdsOpened = rest.some(wish => wish.startsWith(`${group.id}/`));
  return rest.length < asked.length && !holdsOpened ? rest : [...rest, closing];
}

/** Shows another copy of a group that stands for several, from 0 on. */
export function showCopy(asked: Wishes, id: string, copy: number): string[] {
  return [...withoutCopy(asked, id), `${id}#${copy}`];
}

/** Opens the way to what a search found. */
export function showMatch(asked: Wishes, match: Match): string[] {
  let wishes = asked.filter(
    wish =>
      !wish.startsWith('-') || !`${match.box}/`.startsWith(`${wish.slice(1)}/`)
  );
  for (const wish of match.open_boxes) {
    const [id = '', copy] = wish.split('#');
    wishes = copy === undefined ? wishes : withoutCopy(wishes, id);
    wishes = wishes.includes(wish) ? wishes : [...wishes, wish];
  }
  return wishes;
}

function withoutCopy(asked: Wishes, id: string): string[] {
  return asked.filter(wish => !wish.startsWith(`${id}#`));
}
