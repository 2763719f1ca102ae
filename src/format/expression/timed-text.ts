import { readMonotonicMs } from '../model/monotonic.ts';

/** Thrown to end a search whose time is up. */
export class OutOfTime extends Error {}

/** The number of reads between two checks of the clock. The slowest expressions take some microseconds per read. */
const readsBetweenLooks = 256;

/**
 * A text that RE2 reads like a string and that ends the search when its time is up. JavaScript cannot interrupt a search
 * from outside, but the search has to read its text.
 */
class TimedText {
  // The library accepts any object that calls itself a string.
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #deadline: number;
  #reads = 0;

  constructor(text: string, deadline: number) {
    this.#text = text;
    this.#deadline = deadline;
    this.length = text.length;
  }

  charCodeAt(index: number): number {
    this.#reads += 1;
    if (this.#reads % readsBetweenLooks === 0 && readMonotonicMs() > this.#deadline) throw new OutOfTime();
    return this.#text.charCodeAt(index);
  }

  indexOf(part: string, from: number): number {
    return this.#text.indexOf(part, from);
  }

  substring(from: number, to: number): string {
    return this.#text.substring(from, to);
  }

  toString(): string {
    return this.#text;
  }
}

/** Wraps a text for RE2. Reading it after the deadline throws. */
export function wrapTimedText(text: string, deadline: number): string {
  return new TimedText(text, deadline) as unknown as string;
}
