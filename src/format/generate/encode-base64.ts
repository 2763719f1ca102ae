const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const codes = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const padding = '='.charCodeAt(0);
/** The number of arguments that every engine accepts in one call. */
const atOnce = 8_190;

/** Encodes bytes as base64, piece by piece. */
export function* encodeBase64(pieces: Iterable<Uint8Array>): Generator<string> {
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
