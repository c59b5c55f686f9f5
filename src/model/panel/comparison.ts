import type { Recording, Session } from '../../store';
import { formatCount, formatSeconds } from '../words/format';
import { Words, trans } from '../words/language';
import { decisiveReason } from '../why/parts';
import { reasonWords } from '../words/words';
import { FunctionRow, functionRows, rowCost } from './functions';
import { retracesIn } from './retraces';

/** One number of two recordings side by side. */
export interface Compared {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** More, less, or the same; null where it is no matter of more or less. */
  readonly change: 'more' | 'less' | 'same' | null;
}

/** A function of two recordings: what it came to, and why it was traced again. */
export interface ComparedFunction {
  readonly key: string;
  readonly name: string;
  /** Null where a recording does not have it. */
  readonly before: FunctionRow | null;
  readonly after: FunctionRow | null;
  readonly numbers: readonly Compared[];
}

/** The totals of the user's functions. */
export function compareSessions(before: Session, after: Session): Compared[] {
  const [a, b] = [before, after].map(session =>
    functionRows([session]).filter(({ fn }) => fn.origin === 'user')
  ) as [FunctionRow[], FunctionRow[]];
  const sum = (value: (row: FunctionRow) => number) => (rows: FunctionRow[]) =>
    rows.reduce((total, row) => total + value(row), 0);
  const counts = COUNTS.map(([name, value]) =>
    compared(name(), sum(value)(a), sum(value)(b), formatCount)
  );
  const costs = COSTS.map(([name, value]) =>
    compared(name(), sum(value)(a), sum(value)(b), formatSeconds)
  );
  return [
    ...counts,
    compared(
      trans.__('retraces'),
      before.recording.newest.tally.retraces,
      after.recording.newest.tally.retraces,
      formatCount
    ),
    ...costs
  ];
}

/** Function by function, the costliest first; those of libraries are left out. */
export function compareFunctions(
  before: Session,
  after: Session
): ComparedFunction[] {
  const [a, b] = [before, after].map(
    session =>
      new Map(
        functionRows([session])
          .filter(({ fn }) => fn.origin === 'user')
          .map(row => [row.key, row])
      )
  ) as [Map<string, FunctionRow>, Map<string, FunctionRow>];
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  const all = keys.map(key => {
    const [old = null, now = null] = [a.get(key), b.get(key)];
    return {
      key,
      name: (now ?? old)?.fn.name ?? '',
      before: old,
      after: now,
      numbers: [
        ...COUNTS.slice(1).map(([name, value]) =>
          compared(name(), old && value(old), now && value(now), formatCount)
        ),
        compared(
          trans.__('cost'),
          old && rowCost(old),
          now && rowCost(now),
          formatSeconds
        ),
        reasonsCompared(old, now)
      ]
    };
  });
  const cost = ({ before: old, after: now }: ComparedFunction): number =>
    Math.max(old ? rowCost(old) : 0, now ? rowCost(now) : 0);
  return all.sort((x, y) => cost(y) - cost(x));
}

const COUNTS: readonly [Words, (row: FunctionRow) => number][] = [
  [() => trans.__('functions'), () => 1],
  [() => trans.__('calls'), row => row.calls],
  [() => trans.__('traces'), row => row.traces],
  [() => trans.__('hits'), row => row.hits],
  [() => trans.__('compiles'), row => row.compiles]
];

const COSTS: readonly [Words, (row: FunctionRow) => number][] = [
  [() => trans.__('time to trace'), row => row.seconds.trace],
  [() => trans.__('time to lower'), row => row.seconds.lower],
  [() => trans.__('time to compile'), row => row.seconds.compile]
];

function compared(
  name: string,
  before: number | null,
  after: number | null,
  format: (value: number) => string
): Compared {
  const words = (value: number | null): string =>
    value === null ? '–' : format(value);
  return {
    name,
    before: words(before),
    after: words(after),
    change:
      before === null || after === null
        ? null
        : before === after || words(before) === words(after)
          ? 'same'
          : after > before
            ? 'more'
            : 'less'
  };
}

function reasonsCompared(
  before: FunctionRow | null,
  after: FunctionRow | null
): Compared {
  const [a, b] = [before, after].map(
    row => row && reasonsOf(row.session.recording, row.fn.id)
  );
  return {
    name: trans.__('retraced for'),
    before: a ?? '–',
    after: b ?? '–',
    change: null
  };
}

/** `new shape x ×2, new static value`, each reason of a function's retraces once. */
function reasonsOf(recording: Recording, fn: string): string {
  const counts = new Map<string, number>();
  for (const { function: id, reasons } of retracesIn(recording)) {
    const reason = decisiveReason(reasons);
    if (id === fn && reason) {
      const words = [reasonWords(reason), reason.path]
        .filter(Boolean)
        .join(' ');
      counts.set(words, (counts.get(words) ?? 0) + 1);
    }
  }
  return counts.size === 0
    ? trans.__('nothing')
    : [...counts]
        .map(([words, count]) => (count > 1 ? `${words} ×${count}` : words))
        .join(', ');
}
