/** Random choices that a seed reproduces. */
export interface Random {
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number;
  pick<T>(items: readonly T[]): T;
  chance(of: number): boolean;
  bytes(length: number): Buffer;
}

/** mulberry32: small, and good enough to choose what to break. Each `part` of a seed has its own sequence. */
export function randomFrom(seed: number, part = 0): Random {
  let state = (seed + Math.imul(part, 0x9e3779b1)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (items) => items[int(items.length)] as (typeof items)[number],
    chance: (of) => next() < of,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
  };
}
