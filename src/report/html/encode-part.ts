import { gzipSync } from 'node:zlib';

/** A part as it stands in the page: base64 has no character that HTML would look at. */
export function encodePart(part: unknown): string {
  return gzipSync(JSON.stringify(part), { level: 6 }).toString('base64');
}

/** An element that holds JSON: no end tag in it, and no comment. */
export function jsonElement(id: string, value: unknown, attributes = ''): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${id}"${attributes}>${json}</script>\n`;
}
