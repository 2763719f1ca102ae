/** A line, without its line feed; of a line that is too long, its beginning. */
export interface InputLine {
  readonly kind: 'whole' | 'too long';
  readonly bytes: Buffer;
  /** True when the input ended within the line. */
  readonly isUnended?: true;
}

export interface LineLimits {
  readonly lineBytes: number;
  /** The most bytes that are kept of a line that is too long. */
  readonly recordedBytes: number;
}

const lineFeed = 0x0a;
const nothing = Buffer.alloc(0);

/** Cuts bytes into lines, one at a time, on demand. Empty lines are left out. */
export class LineReader {
  readonly #limits: LineLimits;
  readonly #chunks: Buffer[] = [];
  #chunk: Buffer = nothing;
  #at = 0;
  /** The beginning of a line whose end has not come yet. */
  #begun: Buffer = nothing;
  #begunLength = 0;
  #isTooLong = false;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  /** The bytes that were pushed and not read yet. */
  get waitingBytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, this.#chunk.length - this.#at);
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  next(): InputLine | undefined {
    while (this.#at < this.#chunk.length || this.#takeChunk()) {
      const end = this.#chunk.indexOf(lineFeed, this.#at);
      const part = this.#chunk.subarray(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#chunk.length : end + 1;
      if (end < 0) this.#begin(part);
      else {
        const line = this.#finish(part);
        if (!isBlank(line.bytes)) return line;
      }
    }
    return undefined;
  }

  /** The last line: the end of the input ends a line, too. */
  rest(): InputLine | undefined {
    const line = this.#finish(nothing);
    return isBlank(line.bytes) ? undefined : { ...line, isUnended: true };
  }

  #takeChunk(): boolean {
    const chunk = this.#chunks.shift();
    this.#chunk = chunk ?? nothing;
    this.#at = 0;
    return chunk !== undefined;
  }

  #begin(part: Buffer): void {
    if (this.#isTooLong) return;
    const length = this.#begunLength + part.length;
    if (length > this.#limits.lineBytes) {
      this.#keepBeginning(part);
      return;
    }
    if (length > this.#begun.length) {
      // The size doubles each time, so that a line that comes in small pieces is not copied for each of them.
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#begun.length));
      this.#begun.copy(grown, 0, 0, this.#begunLength);
      this.#begun = grown;
    }
    part.copy(this.#begun, this.#begunLength);
    this.#begunLength = length;
  }

  #keepBeginning(part: Buffer): void {
    const begun = this.#begun.subarray(0, this.#begunLength);
    this.#begun = Buffer.concat([begun, part]).subarray(0, this.#limits.recordedBytes);
    this.#begunLength = this.#begun.length;
    this.#isTooLong = true;
  }

  #finish(part: Buffer): InputLine {
    if (this.#begunLength === 0 && part.length <= this.#limits.lineBytes) return { kind: 'whole', bytes: part };
    this.#begin(part);
    const bytes = this.#begun.subarray(0, this.#begunLength);
    const kind = this.#isTooLong ? 'too long' : 'whole';
    this.#begun = nothing;
    this.#begunLength = 0;
    this.#isTooLong = false;
    return { kind, bytes };
  }
}

const blanks = new Set([0x09, 0x0d, 0x20]);

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => blanks.has(byte));
}
