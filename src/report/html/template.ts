import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Template {
  readonly beforeIndex: string;
  readonly afterIndex: string;
  readonly end: string;
}

/** Where the page says that something of ours goes; the build writes them. */
const places = { index: '<!--oatf:index-->', parts: '<!--oatf:parts-->' } as const;

/** The viewer as it was built: one page, with its script and style in it, and places for data. */
export function readTemplate(): Template {
  const manifest = createRequire(import.meta.url).resolve('oatf/package.json');
  const page = readFileSync(join(dirname(manifest), 'dist', 'viewer.html'), 'utf8');
  const [beforeIndex = '', rest = ''] = page.split(places.index);
  const [afterIndex = '', end = ''] = rest.split(places.parts);
  return { beforeIndex, afterIndex, end };
}

/** The same for a page that asks its own server for what it shows. */
export function readLiveTemplate(): Template {
  const { beforeIndex, ...rest } = readTemplate();
  return {
    beforeIndex: beforeIndex.replace("default-src 'none'", "default-src 'none'; connect-src 'self'"),
    ...rest,
  };
}
