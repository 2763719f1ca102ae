import { withoutSecrets } from '../../secrets/given.ts';

/** Takes what a program was given in secret out of all that is told of it, but for its answers: those are judged first. */
export interface Mask {
  text(text: string): string;
  /** For what comes in pieces. */
  stream(): MaskedStream;
}

export interface MaskedStream {
  /** As much of all so far as can be told, and was not given before. */
  push(chunk: Buffer): Buffer;
  /** What is left when nothing more comes. */
  rest(): Buffer;
}

export function createMask(secrets: readonly string[]): Mask {
  const mask = withoutSecrets(secrets);
  // Escapes make a secret longer.
  const heldBack = Math.max(0, ...secrets.map((secret) => Buffer.byteLength(JSON.stringify(secret))));
  return {
    text: (text) => mask(Buffer.from(text)).toString('utf8'),
    stream() {
      let held: Buffer = Buffer.alloc(0);
      return {
        push(chunk) {
          const bytes = mask(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
          const safe = Math.max(0, bytes.length - heldBack);
          held = Buffer.from(bytes.subarray(safe));
          return bytes.subarray(0, safe);
        },
        rest() {
          const bytes = held;
          held = Buffer.alloc(0);
          return bytes;
        },
      };
    },
  };
}

/** Without the halves of characters that a cut has left at either end. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufffd+|\ufffd+$/g, '');
}
