import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { isCollection, type Value } from '../../../format/model/value.ts';
import { createEventReader } from '../ag-ui-client/read-events.ts';
import { hasRepeatedKeys, readJson } from '../json-text.ts';
import { decodeText } from './decode-text.ts';
import { readTolerantly } from './tolerant-json.ts';

/** The content of bytes that were not served. */
export interface LooselyRead {
  /** JSON values as far as they can be read; otherwise the text itself. */
  readonly values: readonly Value[];
  /** Set if a value is only a text. */
  readonly isText?: true;
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
  const isStream = /^text\/event-stream\b/i.test(contentType ?? '');
  return { ...(isStream ? readStreamText : readText)(text, depth), ...cut };
}

/** Reads the data of the events in a text; a text without any is read like every other. */
function readStreamText(text: string, depth: number): LooselyRead {
  const events: LooselyRead[] = [];
  const take = (data: Buffer): void => void events.push(readText(data.toString('utf8'), depth));
  const reader = createEventReader({ data: take, tooLong: take }, Number.POSITIVE_INFINITY);
  reader.push(Buffer.from(text));
  const rest = reader.end();
  if (rest !== undefined) take(rest);
  if (events.length === 0) return readText(text, depth);
  const unread = events.find((each) => each.unread !== undefined)?.unread;
  return {
    values: events.flatMap(({ values }) => values),
    ...(events.some(({ isText }) => isText) && { isText: true }),
    ...(unread !== undefined && { unread }),
  };
}

function readText(text: string, depth: number): LooselyRead {
  const bytes = Buffer.from(text);
  const whole = readJson(bytes, depth);
  if (whole.ok && !hasRepeatedKeys(bytes, whole.value)) return { values: [whole.value] };
  const { values, problem, repeats } = readTolerantly(text, depth);
  const unread = problem === undefined ? {} : { unread: problem };
  if (whole.ok) return { values: repeats ? [whole.value, ...values] : [whole.value], ...unread };
  if (values.some(isCollection)) return { values, ...unread };
  if (text.trim() === '') return { values: [] };
  const cut = text.length > mostText ? { unread: `it is a text of more than ${mostText} characters` } : {};
  return { values: [text.slice(0, mostText)], isText: true, ...cut };
}

type DecompressedBytes =
  | {
      readonly ok: true;
      readonly bytes: Buffer /** There would be more than may be held. */;
      readonly isCut?: true;
    }
  | { readonly ok: false; readonly reason: string };

/** The input may end too early; the part before that is still wanted. */
type Decompress = (bytes: Buffer, most: number) => Buffer;

const sync = constants.Z_SYNC_FLUSH;
const decompressDeflate: Decompress = (bytes, maxOutputLength) => {
  const options = { maxOutputLength, finishFlush: sync };
  // `deflate` means the zlib format; some peers leave its header out. The lower half of the header's first byte is 8.
  const [first = 0] = bytes;
  return (first & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
};
const decompressGzip: Decompress = (bytes, maxOutputLength) =>
  gunzipSync(bytes, { maxOutputLength, finishFlush: sync });
const decompressBrotli: Decompress = (bytes, maxOutputLength) =>
  brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });

const codings: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', decompressGzip],
  ['x-gzip', decompressGzip],
  ['deflate', decompressDeflate],
  ['br', decompressBrotli],
]);

/** The most codings: a body that is compressed more often is not a message. */
const mostCodings = 3;
/** If the output grows too large, ever shorter beginnings of the input are tried. */
const mostTries = 12;

/** Undoes the codings of a `Content-Encoding`, or the one that the bytes show; the output has at most `most` bytes. */
function decompress(bytes: Buffer, encoding: string | undefined, most: number): DecompressedBytes {
  const named = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (named.length > mostCodings) return { ok: false, reason: 'it is compressed more than three times' };
  let all = bytes;
  let isCut = false;
  for (const name of named.length === 0 ? detectCodings(bytes) : named.toReversed()) {
    const decompress = codings.get(name);
    if (decompress === undefined) return { ok: false, reason: `its encoding "${name.slice(0, 40)}" is unknown` };
    const out = decompressBeginning(all, decompress, most);
    if (out === undefined) return { ok: false, reason: `it is not ${name}` };
    all = out.bytes;
    isCut ||= out.isCut;
  }
  return { ok: true, bytes: all, ...(isCut && { isCut }) };
}

/** Only gzip begins with bytes that no text begins with. */
function detectCodings([first, second]: Buffer): readonly string[] {
  return first === 0x1f && second === 0x8b ? ['gzip'] : [];
}

function decompressBeginning(
  bytes: Buffer,
  decompress: Decompress,
  most: number,
): { readonly bytes: Buffer; readonly isCut: boolean } | undefined {
  let length = bytes.length;
  for (let tries = 0; tries < mostTries && length > 0; tries++) {
    try {
      return { bytes: decompress(bytes.subarray(0, length), most), isCut: length < bytes.length };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return undefined;
      length = Math.floor(length / 4);
    }
  }
  return undefined;
}
