import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { blockIds, type Directory } from './page-data.ts';

interface Template {
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

const blockCharacters = 256 * 1024;

/** Packs parts into elements as they come, and keeps a directory of their positions for the end of the page. */
export function createBlocks(write: (text: string) => void) {
  const directory: Record<string, Directory[string]> = {};
  let [block, length] = [0, 0];

  function close(): void {
    if (length > 0) write('</script>\n');
    block += 1;
    length = 0;
  }

  return {
    add(id: string, text: string): void {
      if (length === 0) write(`<script type="application/json" id="${blockIds.block(block)}">`);
      directory[id] = [block, length, length + text.length];
      write(text);
      length += text.length;
      if (length >= blockCharacters) close();
    },
    finish(): void {
      close();
      write(formatJsonElement(blockIds.directory, directory));
    },
  };
}

/** Encodes a part for the page: base64 has no character that HTML would interpret. */
export function encodePart(part: unknown): string {
  return gzipSync(JSON.stringify(part), { level: 6 }).toString('base64');
}

/** An element that holds JSON. `<` is escaped, so the JSON cannot contain an end tag or a comment. */
export function formatJsonElement(id: string, value: unknown, attributes = ''): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${id}"${attributes}>${json}</script>\n`;
}
