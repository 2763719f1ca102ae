const factors = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const;
const size = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/i;

/**
 * Reads sizes such as `500kB`, `8MB` or `1.5GB` (each unit is 1024 of the one before). Undefined if the text is not a
 * size.
 */
export function parseSize(text: string): number | undefined {
  const [, count, unit = ''] = size.exec(text.trim()) ?? [];
  if (count === undefined) return undefined;
  return Math.floor(Number(count) * factors[unit.toLowerCase() as keyof typeof factors]);
}

/** Writes a size in the largest unit that gives a short number. */
export function formatSize(bytes: number): string {
  for (const [unit, factor] of [
    ['GB', factors.gb],
    ['MB', factors.mb],
    ['kB', factors.kb],
  ] as const)
    if (bytes >= factor) return `${Number((bytes / factor).toFixed(1))} ${unit}`;
  return `${bytes} bytes`;
}
