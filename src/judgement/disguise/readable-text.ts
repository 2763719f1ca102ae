// Most decoded bytes are not text, so they are checked before they are converted.

/** The readable text in some bytes: all of it, or only the parts that are long enough. */
export function findReadableText(bytes: Uint8Array, shortest: number): string | undefined {
  const narrow = isWide(bytes) ? bytes.filter((byte) => byte !== 0) : bytes;
  return findReadableParts(narrow, shortest);
}

/** Whether bytes look like UTF-16 of a Latin text: every second one is zero. The end of such a text may be cut off. */
function isWide(bytes: Uint8Array): boolean {
  const looked = Math.min(bytes.length, mostLooked);
  if (looked < fewestWide) return false;
  for (const first of [0, 1]) {
    let zeros = 0;
    for (let at = first; at < looked; at += 2) if (bytes[at] === 0) zeros += 1;
    if (zeros * 2 >= looked * widely) return true;
  }
  return false;
}

const mostLooked = 64;
const fewestWide = 8;
/** The least share of zeros, since a text may have a few other letters. */
const widely = 0.8;

function findReadableParts(bytes: Uint8Array, shortest: number): string | undefined {
  const { length } = bytes;
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  const end = (): void => {
    const isWhole = from === 0 && at === length && at > 1;
    if (isWhole || at - from >= shortest) parts.push(fromUtf8(bytes.subarray(from, at)));
  };
  while (at < length) {
    const width = measureUtf8Character(bytes, at);
    if (width > 0) at += width;
    else {
      end();
      at += 1;
      from = at;
    }
  }
  end();
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** The number of bytes of the readable character at an offset; 0 if there is none. */
function measureUtf8Character(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte < 0x80) return isReadableAscii(byte) ? 1 : 0;
  const length = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

export function isReadableAscii(byte: number): boolean {
  return (byte >= 0x20 && byte !== 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}

// Every platform has `TextDecoder`, but the types of the language alone do not.

interface Platform {
  readonly TextDecoder: new (label: 'utf-8') => { decode(bytes: Uint8Array): string };
}

const decoder = new (globalThis as unknown as Platform).TextDecoder('utf-8');

/** Decodes UTF-8. Invalid bytes become U+FFFD. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
