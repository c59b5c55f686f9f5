import { expect, it } from 'vitest';
import { counted } from './counted';
import { formatBytes, formatCount, formatSeconds, rounded } from './format';

it.each([
  [0, '0 s'],
  [3.2e-6, '3.2 µs'],
  [0.00042, '420 µs'],
  [0.0213, '21.3 ms'],
  [0.42, '420 ms'],
  [0.9999, '1 s'],
  [1.944, '1.94 s'],
  [17.25, '17.3 s'],
  [95.4, '95.4 s'],
  [119.8, '120 s'],
  [119.999, '120 s'],
  [125, '2 min 5 s'],
  [179.7, '3 min 0 s']
])('%d seconds are %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

it.each([
  [4, '4 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [999_600, '1 MB'],
  [4_000_000, '4 MB'],
  [1.5e9, '1.5 GB'],
  [7e15, '7000 TB']
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('counts in words', () => {
  expect(formatCount(65535)).toBe('65,535');
  expect(counted(1, 'trace')).toBe('1 trace');
  expect(counted(0, 'trace')).toBe('0 traces');
});

it.each([
  ['0.1 → 0.09000000000000001', '0.1 → 0.09'],
  ['0.09 → 0.09000000000000001', '0.09 → 0.09000000000000001'],
  ['1 → 1.0', '1 → 1.0'],
  ['Adam(rate=0.30000000000000004)', 'Adam(rate=0.3)'],
  ["'0.30000000000000004'", "'0.30000000000000004'"],
  ['1.23456789e-07', '1.23457e-7'],
  ['1234567.25', '1234567.25']
])('people read %s as %s', (text, words) => {
  expect(rounded(text)).toBe(words);
});
