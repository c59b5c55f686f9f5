import type { Graph } from '../protocol';
import { counted, formatCount } from './format';
import type { Paint, Swatch } from './paint';

type Changes = NonNullable<Graph['changes']>;
type Counts = Changes['boxes'][number];

const SIGNS = { only: '', changed: '~', resized: '≈' };

/** The boxes whose equations differ from those of the trace that a graph is compared with. */
export function changePaints({
  boxes,
  changes
}: Graph): ReadonlyMap<string, Paint> {
  return new Map(
    boxes.flatMap((box, i) => {
      const counts = changes?.boxes[i];
      const paint = changes && counts && paintOf(changes, counts);
      return paint ? [[box.id, paint] as const] : [];
    })
  );
}

/** `2 equations added, 1 changed, 40 the same`. */
export function changesWords({ boxes, changes }: Graph): string {
  if (!changes) {
    return '';
  }
  const sum: Counts = { same: 0, only: 0, changed: 0, resized: 0 };
  // An open group counts what the boxes in it count.
  changes.boxes.forEach((counts, i) => {
    if (!boxes[i]?.open) {
      sum.same += counts.same;
      sum.only += counts.only;
      sum.changed += counts.changed;
      sum.resized += counts.resized;
    }
  });
  return [wordsOf(changes, sum), changes.note].filter(Boolean).join('. ');
}

export function changeSwatches({ later }: Changes): Swatch[] {
  return [
    {
      className: `jtv-change-${onlyHere(later)}`,
      words: `${signOf('only', later)} ${onlyHere(later)}`
    },
    { className: 'jtv-change-changed', words: `${SIGNS.changed} changed` },
    {
      className: 'jtv-change-resized',
      words: `${SIGNS.resized} other types or sizes`
    }
  ];
}

/** Null where nothing differs. What is wholly added or removed, or differs in sizes alone, is more than merely changed. */
function paintOf(changes: Changes, counts: Counts): Paint | null {
  const { same, only, changed, resized } = counts;
  if (only + changed + resized === 0) {
    return null;
  }
  const kind =
    same + changed + resized === 0
      ? 'only'
      : only + changed === 0
        ? 'resized'
        : 'changed';
  const { later } = changes;
  return {
    className: `jtv-change-${kind === 'only' ? onlyHere(later) : kind}`,
    tag: signOf(kind, later),
    words: wordsOf(changes, counts)
  };
}

function onlyHere(later: boolean): 'added' | 'removed' {
  return later ? 'added' : 'removed';
}

function signOf(kind: keyof typeof SIGNS, later: boolean): string {
  return SIGNS[kind] || (later ? '+' : '−');
}

function wordsOf({ later }: Changes, counts: Counts): string {
  const { same, only, changed, resized } = counts;
  return [
    only && `${counted(only, 'equation')} ${onlyHere(later)}`,
    changed && `${formatCount(changed)} changed`,
    resized && `${formatCount(resized)} with other types or sizes only`,
    same && `${formatCount(same)} the same`
  ]
    .filter(Boolean)
    .join(', ');
}
