import { parseJson, stringifyJson } from '../model/json.ts';
import { givenStars } from './cover.ts';
import { secretForms } from './given.ts';
import { toBytes } from './platform.ts';

/** Takes what was given in secret out of what a peer or a program sends: some repeat what they were given. */
export interface EchoCover {
  text(text: string): string;
  /** The same bytes where nothing was given away. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** In whatever JSON can hold. */
  json<T>(value: T): T;
  /** For what comes in pieces. */
  stream(): CoveredStream;
}

export interface CoveredStream {
  /** As much of all so far as can be told, and was not given before. */
  push(chunk: Uint8Array): Uint8Array;
  /** What is left when nothing more comes. */
  rest(): Uint8Array;
}

export function coverEchoes(values: readonly string[]): EchoCover {
  const forms = secretForms(values);
  const soughts = forms.map(soughtFor);
  const text = (said: string): string =>
    forms.reduce((rest, form) => rest.replaceAll(form, givenStars), said);
  const bytes = (sent: Uint8Array): Uint8Array => soughts.reduce(without, sent);
  return {
    text,
    bytes,
    json<T>(value: T): T {
      if (forms.length === 0) return value;
      const written = stringifyJson(value);
      const covered = text(written);
      return covered === written ? value : (parseJson(covered) as T);
    },
    stream() {
      // Escapes make a secret longer.
      const heldBack = Math.max(0, ...values.map((value) => toBytes(JSON.stringify(value)).length));
      let held: Uint8Array = new Uint8Array();
      return {
        push(chunk) {
          const covered = bytes(joined([held, chunk]));
          const safe = Math.max(0, covered.length - heldBack);
          held = covered.slice(safe);
          return covered.subarray(0, safe);
        },
        rest() {
          const last = held;
          held = new Uint8Array();
          return last;
        },
      };
    },
  };
}

const cover = toBytes(givenStars);

function without(bytes: Uint8Array, { secret, skips }: Sought): Uint8Array {
  let at = placeOf(secret, skips, bytes, 0);
  if (at === -1) return bytes;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (; at !== -1; at = placeOf(secret, skips, bytes, from)) {
    parts.push(bytes.subarray(from, at), cover);
    from = at + secret.length;
  }
  return joined([...parts, bytes.subarray(from)]);
}

interface Sought {
  readonly secret: Uint8Array;
  /** For each byte, how far the search may go on where that byte stands at the end of what is compared (Horspool). */
  readonly skips: Uint32Array;
}

function soughtFor(form: string): Sought {
  const secret = toBytes(form);
  const last = secret.length - 1;
  const skips = new Uint32Array(256).fill(secret.length);
  for (const [index, byte] of secret.subarray(0, last).entries()) skips[byte] = last - index;
  return { secret, skips };
}

function placeOf(secret: Uint8Array, skips: Uint32Array, bytes: Uint8Array, from: number): number {
  const last = secret.length - 1;
  for (let end = from + last; end < bytes.length; end += skips[bytes[end] ?? 0] ?? 1) {
    let matched = 0;
    while (matched <= last && bytes[end - matched] === secret[last - matched]) matched += 1;
    if (matched > last) return end - last;
  }
  return -1;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
