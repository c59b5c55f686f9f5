/** Three digits at most, then a unit: `21 ms`, `1.94 s`, `0.3 ms`. */
export function formatSeconds(seconds: number): string {
  if (seconds <= 0) {
    return '0 s';
  }
  if (seconds < 1e-3) {
    return `${round(seconds * 1e6)} µs`;
  }
  if (seconds < 0.9995) {
    return `${round(seconds * 1e3)} ms`;
  }
  const whole = Math.round(seconds);
  return whole <= 120
    ? `${round(seconds)} s`
    : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Decimal units, as memory of arrays is usually given: `4 MB`. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB']);
}

/** `2.4 Mflops`. */
export function formatFlops(flops: number): string {
  return scaled(flops, ['flops', 'kflops', 'Mflops', 'Gflops', 'Tflops']);
}

const THOUSANDS = new Intl.NumberFormat('en-US');

/** Thousands apart: `65,535`. */
export function formatCount(count: number): string {
  return THOUSANDS.format(count);
}

/** Fractions that stand in no text and no name. */
const FRACTION = /(?<![\w.'"])\d+\.\d+(?:e[+-]?\d+)?(?![\w.'"])/g;
const DIGITS = 6;

/**
 * Words whose fractions have six digits at most, as far as numbers that differ still do; as `rounded` in
 * `session/wording.py`. Tables and tooltips hold them in full: `0.09000000000000001`.
 */
export function rounded(text: string): string {
  const numbers = [...new Set(text.match(FRACTION) ?? [])];
  const short = new Map(numbers.map(number => [number, shortFraction(number)]));
  const told = [...short.values()];
  return text.replace(FRACTION, number => {
    const words = short.get(number) ?? number;
    return told.filter(other => other === words).length === 1 ? words : number;
  });
}

function shortFraction(number: string): string {
  const digits = number.replace(/e.*/, '').replace('.', '').replace(/^0+/, '');
  return digits.length > DIGITS && Number(number) < 10 ** DIGITS
    ? String(Number(Number(number).toPrecision(DIGITS)))
    : number;
}

/** What a file can be called after something of the user's. */
export function fileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '_');
}

/** In the unit that gives three digits at most; each is a thousand times the one before. */
function scaled(whole: number, units: readonly string[]): string {
  let value = whole;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${round(value)} ${units[unit]}`;
}

function round(value: number): string {
  const digits = value < 9.95 ? 2 : value < 99.5 ? 1 : 0;
  return String(Number(value.toFixed(value < 0.995 ? 2 : digits)));
}
