const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  }
  return value;
});

/** CRC-32 of a text in UTF-8, as in `Cell.checksum`. */
export function checksum(text: string): number {
  let value = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
