import { expect, it } from 'vitest';
import { crc32 } from 'node:zlib';
import { checksum } from './checksum';

it.each(['', 'x = 1\n', 'naïve ∂ 🐍\n', '@jax.jit\ndef f(x):\n    return x\n'])(
  'is the CRC-32 of %j in UTF-8',
  text => {
    expect(checksum(text)).toBe(crc32(text));
  }
);
