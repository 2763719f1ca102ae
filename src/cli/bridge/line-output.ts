import type { Writable } from 'node:stream';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const end = Buffer.from([lineFeed]);

/** Writes each message as a line, and reports when the reader has to catch up. */
export class LineOutput {
  readonly #output: Writable;

  constructor(output: Writable, gone: () => void) {
    this.#output = output;
    output.on('error', gone);
    output.on('close', gone);
  }

  /** Whether a client that is still connected has not read everything. */
  get isBehind(): boolean {
    return this.#output.writableLength > 0 && !this.#output.destroyed;
  }

  write(message: Buffer): void {
    if (!this.#output.writable) return;
    this.#output.cork();
    this.#output.write(joinLineBreaks(message));
    this.#output.write(end);
    this.#output.uncork();
  }

  /** Resolves once the reader has taken everything or has closed its end. */
  async taken(): Promise<void> {
    if (this.isBehind) await new Promise<void>((resolve) => void this.#output.write('', () => resolve()));
  }

  /** Resolves once the reader has caught up or has closed its end. */
  async ready(): Promise<void> {
    if (!this.#output.writableNeedDrain || this.#output.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#output.off('drain', done);
        this.#output.off('close', done);
        resolve();
      };
      this.#output.on('drain', done);
      this.#output.on('close', done);
    });
  }
}

/** Outside strings JSON may contain line breaks, which a space can replace; strings contain none. */
function joinLineBreaks(message: Buffer): Buffer {
  if (!message.includes(lineFeed) && !message.includes(carriageReturn)) return message;
  return Buffer.from(message.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte)));
}
