import { isCollection, type Value } from '../../../format/model/value.ts';
import { hasRepeatedKeys, readJson } from '../json-text.ts';
import { decodeText } from './decode-text.ts';
import { decompress } from './decompress.ts';
import { readTolerantly } from './tolerant-json.ts';

/** The content of bytes that were not served. */
export interface LooselyRead {
  /** JSON values as far as they can be read; otherwise the text itself. */
  readonly values: readonly Value[];
  /** The reason why some of the content is missing. */
  readonly unread?: string;
}

export interface LooseOptions {
  readonly depth: number;
  /** The most bytes to hold, after decompression. */
  readonly most: number;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
}

/** The most characters of a text that is not JSON. */
const mostText = 1024 * 1024;

/** Reads bytes in any form: compressed, in another encoding, cut off, nested too deep, or not JSON. */
export function readLoosely(bytes: Buffer, options: LooseOptions): LooselyRead {
  const { depth, most, contentType, contentEncoding } = options;
  if (bytes.length === 0) return { values: [] };
  // The rest of a UTF-16 line feed has no content.
  if (bytes[0] === 0 && bytes.every((byte) => byte === 0)) return { values: [] };
  const plain = decompress(bytes, contentEncoding, most);
  // Bytes that claim to be compressed may not be.
  const text = decodeText(plain.ok ? plain.bytes : bytes, contentType);
  if (text === undefined) return { values: [], unread: plain.ok ? 'it is not text' : plain.reason };
  const cut = plain.ok && plain.isCut ? { unread: `it grows past ${most} bytes` } : {};
  return { ...readText(text, depth), ...cut };
}

function readText(text: string, depth: number): LooselyRead {
  const bytes = Buffer.from(text);
  const whole = readJson(bytes, depth);
  if (whole.ok && !hasRepeatedKeys(bytes, whole.value)) return { values: [whole.value] };
  const { values, problem, repeats } = readTolerantly(text, depth);
  const unread = problem === undefined ? {} : { unread: problem };
  if (whole.ok) return { values: repeats ? [whole.value, ...values] : [whole.value], ...unread };
  if (values.some(isCollection)) return { values, ...unread };
  return text.trim() === '' ? { values: [] } : { values: [text.slice(0, mostText)], unread: 'it is not JSON' };
}
