import type { Graph } from '../../protocol';
import type { Entry, Mark } from './box-mark';
import { formatCount } from '../words/format';
import { Words, trans } from '../words/language';
import type { Tone } from './palette';
import { traceName } from '../words/words';

type Changes = NonNullable<Graph['changes']>;
type Counts = Changes['boxes'][number];

interface Side {
  readonly sign: string;
  readonly tone: Tone & ('added' | 'removed');
  readonly word: Words;
}

/** How a box's equations differ from those of the other trace; null where they do not. */
export function changeMark(counts: Counts, later: boolean): Mark | null {
  const { same, only, changed, resized } = counts;
  const { sign, tone, word } = sideOf(later);
  const present = [
    { mark: sign, count: only, what: word() },
    { mark: '~', count: changed, what: trans.__('changed') },
    {
      mark: '≠',
      count: resized,
      what: trans.__('of other types or sizes')
    }
  ].filter(({ count }) => count > 0);
  if (present.length === 0) {
    return null;
  }
  const title = present.map(
    ({ count, what }) => `${formatCount(count)} ${what}`
  );
  return {
    tone: only > 0 ? tone : 'changed',
    badge: present
      .map(({ mark, count }) => mark + formatCount(count))
      .join(' '),
    title: [
      ...title,
      ...(same > 0 ? [trans.__('%1 the same', formatCount(same))] : [])
    ].join(', '),
    dashed: only + changed === 0
  };
}

/** What the signs and colours mean. */
export function changeEntries({ name, trace, changes }: Graph): Entry[] {
  if (!changes) {
    return [];
  }
  const { later, note } = changes;
  const [own, other] = [traceName(name, trace), traceName(name, changes.other)];
  const { sign, tone, word } = sideOf(later);
  return [
    {
      tone: null,
      text: later
        ? trans.__('Trace %1, the later of the two', own)
        : trans.__('Trace %1, the earlier of the two', own)
    },
    ...(note ? [{ tone: null, text: note }] : []),
    {
      tone,
      text: later
        ? trans.__('%1 %2: not in the earlier trace %3', sign, word(), other)
        : trans.__('%1 %2: not in the later trace %3', sign, word(), other)
    },
    {
      tone: 'changed',
      text: trans.__('~ changed; dashed, ≠: only types or sizes differ')
    }
  ];
}

function sideOf(later: boolean): Side {
  return later
    ? { sign: '+', tone: 'added', word: () => trans.__('added') }
    : { sign: '−', tone: 'removed', word: () => trans.__('removed') };
}
