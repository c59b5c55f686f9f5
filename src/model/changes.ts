import type { Graph } from '../protocol';
import type { Entry, Mark } from './box-mark';
import { formatCount } from './format';
import type { Tone } from './palette';

type Changes = NonNullable<Graph['changes']>;
type Counts = Changes['boxes'][number];

interface Side {
  readonly sign: string;
  readonly word: Tone & ('added' | 'removed');
  /** What the trace is compared with. */
  readonly other: string;
}

/** How a box's equations differ from those of the other trace; null where they do not. */
export function changeMark(counts: Counts, later: boolean): Mark | null {
  const { same, only, changed, resized } = counts;
  const { sign, word } = sideOf(later);
  const present = [
    { mark: sign, count: only, what: word },
    { mark: '~', count: changed, what: 'changed' },
    { mark: '≠', count: resized, what: 'of other types or sizes' }
  ].filter(({ count }) => count > 0);
  if (present.length === 0) {
    return null;
  }
  const title = present.map(
    ({ count, what }) => `${formatCount(count)} ${what}`
  );
  return {
    tone: only > 0 ? word : 'changed',
    badge: present
      .map(({ mark, count }) => mark + formatCount(count))
      .join(' '),
    title: [
      ...title,
      ...(same > 0 ? [`${formatCount(same)} the same`] : [])
    ].join(', '),
    dashed: only + changed === 0
  };
}

/** What the signs and colours mean. */
export function changeEntries({ trace, changes }: Graph): Entry[] {
  if (!changes) {
    return [];
  }
  const { later, other, note } = changes;
  const { sign, word, other: which } = sideOf(later);
  return [
    {
      tone: null,
      text: `Trace ${trace}, the ${later ? 'later' : 'earlier'} of the two`
    },
    ...(note ? [{ tone: null, text: note }] : []),
    { tone: word, text: `${sign} ${word}: not in the ${which} trace ${other}` },
    {
      tone: 'changed',
      text: '~ changed; dashed, ≠: only types or sizes differ'
    }
  ];
}

function sideOf(later: boolean): Side {
  return later
    ? { sign: '+', word: 'added', other: 'earlier' }
    : { sign: '−', word: 'removed', other: 'later' };
}
