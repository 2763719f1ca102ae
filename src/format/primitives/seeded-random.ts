/**
 * Makes a generator of numbers from 0 to below 1. They depend only on the seed and the name, so they are the same on every
 * machine and differ for each name.
 */
export function createSeededRandom(seed: number, name: string): () => number {
  let state = seed >>> 0;
  for (let at = 0; at < name.length; at += 1) state = mixBits(state ^ name.charCodeAt(at));
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mixBits(state) / 2 ** 32;
  };
}

/** Spreads each bit over all others. */
function mixBits(value: number): number {
  let mix = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mix = Math.imul(mix ^ (mix >>> 15), 0x735a2d97);
  return (mix ^ (mix >>> 15)) >>> 0;
}
