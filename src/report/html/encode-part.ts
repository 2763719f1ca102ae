import { gzipSync } from 'node:zlib';

/** Encodes a part for the page: base64 has no character that HTML would interpret. */
export function encodePart(part: unknown): string {
  return gzipSync(JSON.stringify(part), { level: 6 }).toString('base64');
}

/** An element that holds JSON. `<` is escaped, so the JSON cannot contain an end tag or a comment. */
export function formatJsonElement(id: string, value: unknown, attributes = ''): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${id}"${attributes}>${json}</script>\n`;
}
