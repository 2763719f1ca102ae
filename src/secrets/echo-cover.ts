import { parseJson, stringifyJson } from '../format/model/json-text-values.ts';
import { coverText, type Finder, givenStars, type Range } from './cover.ts';
import { findSecrets, listEncodedForms, listSecretForms } from './given-secrets.ts';
import { fromBinary, toBinary, toBytes } from './platform-encoding.ts';

/** Removes given secrets from what a peer or a program sends, because some repeat what they were given. */
export interface EchoCover {
  text(text: string): string;
  /** Returns the same bytes if they contain no secret. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Masks any JSON value. */
  json<T>(value: T): T;
  /** Masks data that arrives in chunks. */
  stream(): CoveredStream;
}

export interface CoveredStream {
  /** Returns the bytes that are safe to release so far and were not returned before. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the remaining bytes at the end of the data. */
  rest(): Uint8Array;
}

export function coverEchoes(values: readonly string[]): EchoCover {
  const plain = listSecretForms(values);
  const forms = [...new Set([...plain, ...plain.flatMap(listEncodedForms)])];
  // Bytes are searched as a string with one character per byte.
  const binaryForms = [...new Set(forms.map((form) => toBinary(toBytes(form))))];
  const inTexts: Finder = { stars: givenStars, find: (text) => findSecrets(text, forms) };
  const inBytes: Finder = { stars: givenStars, find: (text) => findSecrets(text, binaryForms) };
  const text = (sent: string): string => coverText(sent, inTexts);
  const bytes = (sent: Uint8Array): Uint8Array => {
    if (forms.length === 0) return sent;
    const binary = toBinary(sent);
    const covered = coverText(binary, inBytes);
    return covered === binary ? sent : fromBinary(covered);
  };
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
      // Percent escapes make three characters of one.
      const heldBack = 3 * Math.max(0, ...binaryForms.map(({ length }) => length));
      let held = '';
      return {
        push(chunk) {
          const whole = held + toBinary(chunk);
          const safe = findSafeEnd(inBytes.find(whole), whole.length - heldBack);
          held = whole.slice(safe);
          return fromBinary(coverText(whole.slice(0, safe), inBytes));
        },
        rest() {
          const last = held;
          held = '';
          return fromBinary(coverText(last, inBytes));
        },
      };
    },
  };
}

/** The safe end of the data. A match across the edge may continue in the next chunk, so all of it is held back. */
function findSafeEnd(found: readonly Range[], edge: number): number {
  const across = found.find(({ from, to }) => from < edge && to > edge);
  return Math.max(0, across?.from ?? edge);
}
