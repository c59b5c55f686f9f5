import { formatCount } from './format';
import { trans } from './language';

/** By what is counted. Each form is written out, so that it can be translated. */
const FORMS = {
  array: (n, shown) => trans._n('%2 array', '%2 arrays', n, shown),
  box: (n, shown) => trans._n('%2 box', '%2 boxes', n, shown),
  'cache hit': (n, shown) =>
    trans._n('%2 cache hit', '%2 cache hits', n, shown),
  'call site': (n, shown) =>
    trans._n('%2 call site', '%2 call sites', n, shown),
  equation: (n, shown) => trans._n('%2 equation', '%2 equations', n, shown),
  'further line': (n, shown) =>
    trans._n('%2 further line', '%2 further lines', n, shown),
  helper: (n, shown) => trans._n('%2 helper', '%2 helpers', n, shown),
  hit: (n, shown) => trans._n('%2 hit', '%2 hits', n, shown),
  leaf: (n, shown) => trans._n('%2 leaf', '%2 leaves', n, shown),
  'library function': (n, shown) =>
    trans._n('%2 library function', '%2 library functions', n, shown),
  'more box': (n, shown) => trans._n('%2 more box', '%2 more boxes', n, shown),
  'more call site': (n, shown) =>
    trans._n('%2 more call site', '%2 more call sites', n, shown),
  'more kernel': (n, shown) =>
    trans._n('%2 more kernel', '%2 more kernels', n, shown),
  'more line': (n, shown) =>
    trans._n('%2 more line', '%2 more lines', n, shown),
  'more row': (n, shown) => trans._n('%2 more row', '%2 more rows', n, shown),
  'nested trace': (n, shown) =>
    trans._n('%2 nested trace', '%2 nested traces', n, shown),
  place: (n, shown) => trans._n('%2 place', '%2 places', n, shown),
  recording: (n, shown) => trans._n('%2 recording', '%2 recordings', n, shown),
  retrace: (n, shown) => trans._n('%2 retrace', '%2 retraces', n, shown),
  'smaller array': (n, shown) =>
    trans._n('%2 smaller array', '%2 smaller arrays', n, shown),
  span: (n, shown) => trans._n('%2 span', '%2 spans', n, shown),
  trace: (n, shown) => trans._n('%2 trace', '%2 traces', n, shown),
  value: (n, shown) => trans._n('%2 value', '%2 values', n, shown)
} satisfies Record<string, (count: number, shown: string) => string>;

export type Counted = keyof typeof FORMS;

/** `1 trace`, `2,000 traces`. */
export function counted(count: number, noun: Counted): string {
  return FORMS[noun](count, formatCount(count));
}
