import { isUtf8 } from 'node:buffer';

/** Every JSON text begins with an ASCII character, so the zeros in its first bytes show its encoding. */
const marks: readonly {
  readonly begins: readonly (number | 'any')[];
  readonly encoding: Encoding;
  readonly skip: number;
}[] = [
  { begins: [0xef, 0xbb, 0xbf], encoding: 'utf-8', skip: 3 },
  { begins: [0xff, 0xfe, 0, 0], encoding: 'utf-32le', skip: 4 },
  { begins: [0, 0, 0xfe, 0xff], encoding: 'utf-32be', skip: 4 },
  { begins: [0xff, 0xfe], encoding: 'utf-16le', skip: 2 },
  { begins: [0xfe, 0xff], encoding: 'utf-16be', skip: 2 },
  { begins: ['any', 0, 0, 0], encoding: 'utf-32le', skip: 0 },
  { begins: [0, 0, 0, 'any'], encoding: 'utf-32be', skip: 0 },
  { begins: ['any', 0], encoding: 'utf-16le', skip: 0 },
  { begins: [0, 'any'], encoding: 'utf-16be', skip: 0 },
];

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Decodes bytes to text, whatever the encoding; undefined when they are not text. */
export function decodeText(bytes: Buffer, contentType = ''): string | undefined {
  const mark = marks.find(({ begins }) =>
    begins.every((byte, index) =>
      byte === 'any' ? bytes[index] !== 0 && bytes[index] !== undefined : bytes[index] === byte,
    ),
  );
  const text =
    mark === undefined ? decodeByMark(bytes, contentType) : decodeAs(bytes.subarray(mark.skip), mark.encoding);
  return text === undefined || isBinary(text) ? undefined : text;
}

function decodeByMark(bytes: Buffer, contentType: string): string | undefined {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const [, charset = 'windows-1252'] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ?? [];
  // A text that claims to be UTF-8 and is not is read as windows-1252.
  const named = /^utf-?8$/i.test(charset) ? 'windows-1252' : charset;
  return decodeCharset(bytes, named) ?? decodeCharset(bytes, 'windows-1252');
}

function decodeAs(bytes: Buffer, encoding: Encoding): string | undefined {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(bytes, encoding === 'utf-32le');
  // A line that is cut at a byte may end with half a line feed.
  const even = encoding === 'utf-8' ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2));
  return decodeCharset(even, encoding);
}

function decodeCharset(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf32(bytes: Buffer, isLittle: boolean): string | undefined {
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (point > 0x10ffff) return undefined;
    parts.push(String.fromCodePoint(point));
  }
  return parts.join('');
}

/** Control characters that texts do not use, and the replacement character for invalid bytes. */
const binary = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g;
const mostBinary = 0.02;

function isBinary(text: string): boolean {
  const sample = text.slice(0, 4096);
  return (sample.match(binary)?.length ?? 0) > sample.length * mostBinary;
}
