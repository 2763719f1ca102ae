/** Thrown out of a search whose time is up. */
export class OutOfTime extends Error {}

/** Reads between two looks at the clock; the slowest expressions take some microseconds for each. */
const readsBetweenLooks = 256;

/**
 * A text that RE2 reads as it reads a string, and that ends the search when its time is up. A search in JavaScript cannot
 * be interrupted from outside, but it has to read.
 */
class TimedText {
  // The library takes what calls itself a string.
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
    if (this.#reads % readsBetweenLooks === 0 && Date.now() > this.#deadline) throw new OutOfTime();
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

/** The text for RE2, which has until then to read it. */
export function timedText(text: string, deadline: number): string {
  return new TimedText(text, deadline) as unknown as string;
}
