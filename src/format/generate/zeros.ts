// Zeros, compressed with deflate (RFC 1951): a gigabyte of zeros takes a megabyte, and the gigabyte is never in memory.
// One block has its own codes: a match of 258 zeros is `0` for its length and `0` for its distance, a single zero is
// `10`, and the end is `11`. So the whole stream, except for its edges, consists of zeros again.

const longestMatch = 258;
const zeroChunkBytes = 16 * 1024;

/** The bits at the beginning of a block with these codes, first bit first. */
const blockHead: readonly number[] = [
  // The last block; dynamic codes; 286 literal and length codes, one distance code, 18 code lengths.
  ...listBits(1, 1),
  ...listBits(2, 2),
  ...listBits(29, 5),
  ...listBits(0, 5),
  ...listBits(14, 4),
  // In the order of the format: 18 is written with one bit, 2 and 1 with two.
  ...[0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2].flatMap((length) => listBits(length, 3)),
  // Literal 0 has two bits, 255 others none, the end two, 28 lengths none, the last length one; the distance one.
  ...[1, 1],
  ...[0, ...listBits(138 - 11, 7)],
  ...[0, ...listBits(117 - 11, 7)],
  ...[1, 1],
  ...[0, ...listBits(28 - 11, 7)],
  ...[1, 0],
  ...[1, 0],
];

/** The bits of a value, lowest first. */
function listBits(value: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (value >> index) & 1);
}

function planMatches(length: number): { readonly head: readonly number[]; readonly matches: number } {
  const matches = Math.floor((length - 1) / longestMatch);
  const literals = length - matches * longestMatch;
  return { head: [...blockHead, ...Array.from({ length: literals }, () => [1, 0]).flat()], matches };
}

/** The compressed size of that many zeros, in bytes. */
export function computeDeflatedSize(length: number): number {
  const { head, matches } = planMatches(length);
  return Math.ceil((head.length + 2 * matches + 2) / 8);
}

/** Compresses that many zeros; at least one. */
export function* deflateZeros(length: number): Generator<Uint8Array> {
  const { head, matches } = planMatches(length);
  const size = computeDeflatedSize(length);
  const end = head.length + 2 * matches;
  const set = new Map<number, number>();
  for (const [at, bit] of [...head.entries(), [end, 1] as const, [end + 1, 1] as const])
    if (bit === 1) set.set(at >> 3, (set.get(at >> 3) ?? 0) | (1 << (at & 7)));
  for (let from = 0; from < size; from += zeroChunkBytes) {
    const piece = new Uint8Array(Math.min(zeroChunkBytes, size - from));
    for (const [at, byte] of set) if (at >= from && at < from + piece.length) piece[at - from] = byte;
    yield piece;
  }
}

/** The Adler-32 of that many zeros (RFC 1950). */
export function computeAdlerOfZeros(length: number): number {
  return ((length % 65521) * 65536 + 1) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The CRC-32 of bytes, continued from an earlier value. */
export function computeCrc(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of bytes) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

/** A linear map of 32 bits: the image of each bit. */
type Bitwise = readonly number[];

function applyMap(map: Bitwise, value: number): number {
  let image = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((value >>> bit) & 1) image ^= map[bit] ?? 0;
  return image;
}

/** The CRC-32 of that many zeros. Each zero applies the same linear map, so squaring the map doubles the step. */
export function computeCrcOfZeros(length: number): number {
  let step: Bitwise = Array.from({ length: 32 }, (_, bit) => {
    const value = (1 << bit) >>> 0;
    return (table[value & 255] ?? 0) ^ (value >>> 8);
  });
  let value = ~0;
  for (let left = length; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) value = applyMap(step, value);
    const once = step;
    step = once.map((image) => applyMap(once, image));
  }
  return ~value >>> 0;
}
