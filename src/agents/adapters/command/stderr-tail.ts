import type { CoveredStream, EchoCover } from '../../../secrets/echo-cover.ts';
import { stripControlSequences } from './plain-text.ts';

const kept = 8 * 1024;

/** The end of a program's standard error; read after the program has ended. */
export class StderrTail {
  readonly #mask: EchoCover;
  readonly #stream: CoveredStream;
  #tail: Buffer = Buffer.alloc(0);
  #isCut = false;

  constructor(mask: EchoCover) {
    this.#mask = mask;
    this.#stream = mask.stream();
  }

  push(chunk: Buffer): void {
    this.#keep(this.#stream.push(chunk));
  }

  get text(): string {
    this.#keep(this.#stream.rest());
    const text = this.#isCut ? dropPartialCharacters(this.#tail) : this.#tail.toString('utf8');
    // Control sequences go first: a colour in the middle of a secret would hide it from the mask.
    return this.#mask.text(stripControlSequences(text));
  }

  #keep(bytes: Uint8Array): void {
    const all = Buffer.concat([this.#tail, bytes.subarray(-kept)]);
    this.#isCut ||= this.#tail.length + bytes.length > kept;
    this.#tail = Buffer.from(all.subarray(-kept));
  }
}

/** Drops the partial characters that a cut has left at either end. */
function dropPartialCharacters(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\ufffd+|\ufffd+$/g, '');
}
