/** Pseudo-random numbers that depend only on a seed, on every platform. */
export interface Random {
  /** A number from 0 to 2^32 - 1. */
  word(): number;
  /** A number from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The generator sfc32 of Chris Doty-Humphrey's PractRand, initialized from all characters of the seed. */
export function createRandom(seed: string): Random {
  let [a, b, c, counter] = [hashSeed(seed, 0x9e3779b9), hashSeed(seed, 0x243f6a88), hashSeed(seed, 0xb7e15162), 1];
  const word = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) word();
  const below = (count: number): number => Math.floor((word() / 2 ** 32) * count);
  return {
    word,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
  };
}

function hashSeed(text: string, start: number): number {
  let value = start;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x85ebca6b);
    value ^= value >>> 13;
  }
  return value | 0;
}
