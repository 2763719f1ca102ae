import { bytesParameter, type Generator, mostGeneratedBytes, textChunkLength } from './generator.ts';
import { computeAdlerOfZeros, computeCrc, computeCrcOfZeros, computeDeflatedSize, deflateZeros } from './zeros.ts';

// Small archives and images that become large when they are unpacked, and random bytes; all as base64.

export const blobGenerator: Generator = {
  makes: 'text',
  says: 'random bytes, in base64',
  parameters: { bytes: { ...bytesParameter, says: 'how many bytes' } as typeof bytesParameter },
  make: (given, random) =>
    encodeBase64(
      (function* () {
        for (let left = given.integer('bytes'); left > 0; left -= textChunkLength) {
          const words = new Uint32Array(Math.ceil(Math.min(left, textChunkLength) / 4));
          for (let at = 0; at < words.length; at += 1) words[at] = random.word();
          yield toLittleEndian(words).subarray(0, Math.min(left, textChunkLength));
        }
      })(),
    ),
  weigh: (given) => Math.ceil(given.integer('bytes') / 3) * 4,
};

/** The words as little-endian bytes, so that they are the same on every machine. */
function toLittleEndian(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true);
  return bytes;
}

const toCharacterCodes = (characters: string): readonly number[] =>
  Array.from(characters, (character) => character.charCodeAt(0));
const toLittleEndianBytes = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 2 ** (8 * index)) % 256);
const toBigEndianBytes = (value: number): readonly number[] => toLittleEndianBytes(value, 4).toReversed();

/** Writes a gzip file of zeros (RFC 1952). */
function* makeGzip(bytes: number): Iterable<Uint8Array> {
  yield Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  yield* deflateZeros(bytes);
  yield Uint8Array.from([...toLittleEndianBytes(computeCrcOfZeros(bytes), 4), ...toLittleEndianBytes(bytes, 4)]);
}

/** Writes a zip file whose files are zeros, each of the whole size. */
function* makeZip(bytes: number, entries: number): Iterable<Uint8Array> {
  const size = computeDeflatedSize(bytes);
  // Version 2.0, no flags, deflate, midnight of 1 January 1980.
  const about = [
    ...[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0],
    ...[
      ...toLittleEndianBytes(computeCrcOfZeros(bytes), 4),
      ...toLittleEndianBytes(size, 4),
      ...toLittleEndianBytes(bytes, 4),
    ],
  ];
  const names = Array.from({ length: entries }, (_, index) => toCharacterCodes(`part-${index + 1}.bin`));
  const directory: number[] = [];
  let offset = 0;
  for (const name of names) {
    const head = [
      ...toCharacterCodes('PK\u0003\u0004'),
      ...about,
      ...toLittleEndianBytes(name.length, 2),
      0,
      0,
      ...name,
    ];
    const beside = [
      ...toLittleEndianBytes(name.length, 2),
      ...Array<number>(12).fill(0),
      ...toLittleEndianBytes(offset, 4),
      ...name,
    ];
    directory.push(...toCharacterCodes('PK\u0001\u0002'), 20, 0, ...about, ...beside);
    offset += head.length + size;
    yield Uint8Array.from(head);
    yield* deflateZeros(bytes);
  }
  const counts = [...toLittleEndianBytes(entries, 2), ...toLittleEndianBytes(entries, 2)];
  yield Uint8Array.from(directory);
  yield Uint8Array.from([
    ...[...toCharacterCodes('PK\u0005\u0006'), 0, 0, 0, 0, ...counts],
    ...[...toLittleEndianBytes(directory.length, 4), ...toLittleEndianBytes(offset, 4), 0, 0],
  ]);
}

export const archiveGenerator: Generator = {
  makes: 'text',
  says: 'an archive that unpacks to a thousand times its size, in base64',
  parameters: {
    bytes: {
      type: 'integer',
      least: 1,
      most: mostGeneratedBytes,
      default: 100_000_000,
      says: 'size when unpacked',
    },
    form: { type: 'choice', of: ['zip', 'gzip'], default: 'zip', says: 'the format of the archive' },
    entries: {
      type: 'integer',
      least: 1,
      most: 1_000,
      default: 1,
      says: 'files in a zip, each of that size',
    },
  },
  make: (given) =>
    encodeBase64(
      given.text('form') === 'gzip'
        ? makeGzip(given.integer('bytes'))
        : makeZip(given.integer('bytes'), given.integer('entries')),
    ),
  weigh: (given) => (given.integer('entries') * (computeDeflatedSize(given.integer('bytes')) + 256) * 4) / 3,
};

function* makePngChunk(type: string, pieces: Iterable<Uint8Array>, size: number): Iterable<Uint8Array> {
  const name = Uint8Array.from(toCharacterCodes(type));
  let sum = computeCrc(name);
  yield Uint8Array.from([...toBigEndianBytes(size), ...name]);
  for (const piece of pieces) {
    sum = computeCrc(piece, sum);
    yield piece;
  }
  yield Uint8Array.from(toBigEndianBytes(sum));
}

/** Writes a black image with one bit per pixel. */
function* makePng(width: number, height: number): Iterable<Uint8Array> {
  const raw = height * (1 + Math.ceil(width / 8));
  const packed = function* (): Iterable<Uint8Array> {
    yield Uint8Array.from([0x78, 0x9c]);
    yield* deflateZeros(raw);
    yield Uint8Array.from(toBigEndianBytes(computeAdlerOfZeros(raw)));
  };
  yield Uint8Array.from([0x89, ...toCharacterCodes('PNG\r\n\u001a\n')]);
  yield* makePngChunk(
    'IHDR',
    [Uint8Array.from([...toBigEndianBytes(width), ...toBigEndianBytes(height), 1, 0, 0, 0, 0])],
    13,
  );
  yield* makePngChunk('IDAT', packed(), computeDeflatedSize(raw) + 6);
  yield* makePngChunk('IEND', [], 0);
}

const defineSide = (says: string) => ({ type: 'integer', least: 1, most: 100_000, default: 20_000, says }) as const;

export const imageGenerator: Generator = {
  makes: 'text',
  says: 'a PNG image that needs a thousand times its size to display, in base64',
  parameters: { width: defineSide('pixels in a row'), height: defineSide('rows') },
  make: (given) => encodeBase64(makePng(given.integer('width'), given.integer('height'))),
  weigh: (given) => 512 + (given.integer('width') * given.integer('height')) / 8 / 700,
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const padding = '='.charCodeAt(0);
/** The number of arguments that every engine accepts in one call. */
const atOnce = 8_190;

/** Encodes bytes as base64, piece by piece. */
export function* encodeBase64(pieces: Iterable<Uint8Array>): globalThis.Generator<string> {
  let rest = new Uint8Array(0);
  for (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : joinBytes(rest, piece);
    const whole = bytes.length - (bytes.length % 3);
    yield encodeChunk(bytes.subarray(0, whole));
    rest = bytes.slice(whole);
  }
  if (rest.length > 0) yield encodeChunk(rest);
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function encodeChunk(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    out[to++] = codes[bits >> 18] ?? 0;
    out[to++] = codes[(bits >> 12) & 63] ?? 0;
    out[to++] = at + 1 < bytes.length ? (codes[(bits >> 6) & 63] ?? 0) : padding;
    out[to++] = at + 2 < bytes.length ? (codes[bits & 63] ?? 0) : padding;
  }
  let text = '';
  for (let at = 0; at < out.length; at += atOnce)
    text += String.fromCharCode.apply(null, out.subarray(at, at + atOnce) as unknown as number[]);
  return text;
}
