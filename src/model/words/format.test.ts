import { expect, it } from 'vitest';
import { counted } from './counted';
import { formatBytes, formatCount, formatSeconds } from './format';

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
