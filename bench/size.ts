import { gzipSync } from 'node:zlib';
import { bundle } from '../test/support/bundle.ts';
import type { Figure } from './measure.ts';

/** What a slow mobile line (2 Mbit/s) carries in a second. */
export const mostSdkBytes = 250_000;

/** The bytes that a web page loads for the whole SDK. */
export async function benchSize(): Promise<Figure[]> {
  const bytes = gzipSync(await bundle('dist/index.js', 'browser'), { level: 9 }).length;
  return [
    {
      name: 'the SDK in a browser, minified and gzipped',
      value: `${(bytes / 1_000).toFixed(1)} kB`,
      bound: `≤ ${mostSdkBytes / 1_000} kB`,
      ok: bytes <= mostSdkBytes,
    },
  ];
}
