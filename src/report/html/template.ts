import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Template {
  readonly beforeIndex: string;
  readonly afterIndex: string;
  readonly end: string;
}

/** The placeholders that the build writes into the page for our data. */
const places = { index: '<!--oatf:index-->', parts: '<!--oatf:parts-->' } as const;

/** The viewer as built: one page that contains its script and style, and placeholders for data. */
export function readTemplate(): Template {
  const manifest = createRequire(import.meta.url).resolve('oatf/package.json');
  const page = readFileSync(join(dirname(manifest), 'dist', 'viewer.html'), 'utf8');
  const [beforeIndex = '', rest = ''] = page.split(places.index);
  const [afterIndex = '', end = ''] = rest.split(places.parts);
  return { beforeIndex, afterIndex, end };
}

/** The same for a page that fetches its data from its own server. */
export function readLiveTemplate(): Template {
  const { beforeIndex, ...rest } = readTemplate();
  return {
    beforeIndex: beforeIndex.replace("default-src 'none'", "default-src 'none'; connect-src 'self'"),
    ...rest,
  };
}
