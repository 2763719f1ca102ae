import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Figure } from './measure.ts';

const bound = 200_000;

/** What a web page loads for the whole SDK. */
export async function benchSize(): Promise<Figure[]> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  return [
    {
      name: 'the SDK in a browser, minified and gzipped',
      value: `${(bytes / 1_000).toFixed(1)} kB`,
      bound: `≤ ${bound / 1_000} kB`,
      ok: bytes <= bound,
    },
  ];
}
