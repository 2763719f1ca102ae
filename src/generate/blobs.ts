import { base64 } from './base64.ts';
import { bytesParameter, type Generator, mostBytes, pieceLength } from './generator.ts';
import { adlerOfZeros, crc, crcOfZeros, deflatedSize, deflatedZeros } from './zeros.ts';

// Small archives and images that become large when they are unpacked, and random bytes; all as base64.

export const blob: Generator = {
  makes: 'text',
  says: 'random bytes, in base64',
  parameters: { bytes: { ...bytesParameter, says: 'how many bytes' } as typeof bytesParameter },
  make: (given, random) =>
    base64(
      (function* () {
        for (let left = given.integer('bytes'); left > 0; left -= pieceLength) {
          const words = new Uint32Array(Math.ceil(Math.min(left, pieceLength) / 4));
          for (let at = 0; at < words.length; at += 1) words[at] = random.word();
          yield littleEndian(words).subarray(0, Math.min(left, pieceLength));
        }
      })(),
    ),
  weigh: (given) => Math.ceil(given.integer('bytes') / 3) * 4,
};

/** The words as little-endian bytes, so that they are the same on every machine. */
function littleEndian(words: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true);
  return bytes;
}

const text = (characters: string): readonly number[] =>
  Array.from(characters, (character) => character.charCodeAt(0));
const little = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 2 ** (8 * index)) % 256);
const big = (value: number): readonly number[] => little(value, 4).toReversed();

/** Writes a gzip file of zeros (RFC 1952). */
function* gzip(bytes: number): Iterable<Uint8Array> {
  yield Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  yield* deflatedZeros(bytes);
  yield Uint8Array.from([...little(crcOfZeros(bytes), 4), ...little(bytes, 4)]);
}

/** Writes a zip file whose files are zeros, each of the whole size. */
function* zip(bytes: number, entries: number): Iterable<Uint8Array> {
  const size = deflatedSize(bytes);
  // Version 2.0, no flags, deflate, midnight of 1 January 1980.
  const about = [
    ...[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0],
    ...[...little(crcOfZeros(bytes), 4), ...little(size, 4), ...little(bytes, 4)],
  ];
  const names = Array.from({ length: entries }, (_, index) => text(`part-${index + 1}.bin`));
  const directory: number[] = [];
  let offset = 0;
  for (const name of names) {
    const head = [...text('PK\u0003\u0004'), ...about, ...little(name.length, 2), 0, 0, ...name];
    const beside = [...little(name.length, 2), ...Array<number>(12).fill(0), ...little(offset, 4), ...name];
    directory.push(...text('PK\u0001\u0002'), 20, 0, ...about, ...beside);
    offset += head.length + size;
    yield Uint8Array.from(head);
    yield* deflatedZeros(bytes);
  }
  const counts = [...little(entries, 2), ...little(entries, 2)];
  yield Uint8Array.from(directory);
  yield Uint8Array.from([
    ...[...text('PK\u0005\u0006'), 0, 0, 0, 0, ...counts],
    ...[...little(directory.length, 4), ...little(offset, 4), 0, 0],
  ]);
}

export const archive: Generator = {
  makes: 'text',
  says: 'an archive that unpacks to a thousand times its size, in base64',
  parameters: {
    bytes: { type: 'integer', least: 1, most: mostBytes, default: 100_000_000, says: 'size when unpacked' },
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
    base64(
      given.text('form') === 'gzip'
        ? gzip(given.integer('bytes'))
        : zip(given.integer('bytes'), given.integer('entries')),
    ),
  weigh: (given) => (given.integer('entries') * (deflatedSize(given.integer('bytes')) + 256) * 4) / 3,
};

function* chunk(type: string, pieces: Iterable<Uint8Array>, size: number): Iterable<Uint8Array> {
  const name = Uint8Array.from(text(type));
  let sum = crc(name);
  yield Uint8Array.from([...big(size), ...name]);
  for (const piece of pieces) {
    sum = crc(piece, sum);
    yield piece;
  }
  yield Uint8Array.from(big(sum));
}

/** Writes a black image with one bit per pixel. */
function* png(width: number, height: number): Iterable<Uint8Array> {
  const raw = height * (1 + Math.ceil(width / 8));
  const packed = function* (): Iterable<Uint8Array> {
    yield Uint8Array.from([0x78, 0x9c]);
    yield* deflatedZeros(raw);
    yield Uint8Array.from(big(adlerOfZeros(raw)));
  };
  yield Uint8Array.from([0x89, ...text('PNG\r\n\u001a\n')]);
  yield* chunk('IHDR', [Uint8Array.from([...big(width), ...big(height), 1, 0, 0, 0, 0])], 13);
  yield* chunk('IDAT', packed(), deflatedSize(raw) + 6);
  yield* chunk('IEND', [], 0);
}

const side = (says: string) => ({ type: 'integer', least: 1, most: 100_000, default: 20_000, says }) as const;

export const image: Generator = {
  makes: 'text',
  says: 'a PNG image that needs a thousand times its size to display, in base64',
  parameters: { width: side('pixels in a row'), height: side('rows') },
  make: (given) => base64(png(given.integer('width'), given.integer('height'))),
  weigh: (given) => 512 + (given.integer('width') * given.integer('height')) / 8 / 700,
};
