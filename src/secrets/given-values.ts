import type { TraceRecord } from '../model/trace.ts';
import { setOwn } from '../model/value.ts';

const cover = '******';
const deepest = 1_000;

/**
 * What must not be kept: what opens the doors of a run, or was given to the agent. The agent is told of it, so it can
 * come back in anything the agent says, or be said to it: in a card, say.
 */
export class Unwritten {
  readonly #secrets = new Set<string>();

  /** A secret that is shorter than a block would be found in anything. */
  add(secret: string): void {
    if (secret.length >= blockLength) this.#secrets.add(secret);
  }

  /** The same without the secrets. */
  in<T>(value: T): T {
    return this.#secrets.size === 0 ? value : (this.#without(value, 0) as T);
  }

  inRecord(record: TraceRecord): TraceRecord {
    const covered = this.in(record);
    if (this.#secrets.size === 0 || covered.kind !== 'malformed' || typeof covered.raw !== 'string')
      return covered;
    // Bytes that were no message are kept in base64, where no text would be found.
    const bytes = Buffer.from(covered.raw, 'base64').toString('latin1');
    return { ...covered, raw: Buffer.from(this.#covered(bytes), 'latin1').toString('base64') };
  }

  #without(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#covered(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return cover;
    if (Array.isArray(value)) return value.map((item) => this.#without(item, depth + 1));
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value))
      setOwn(copy, this.#covered(key), this.#without(item, depth + 1));
    return copy;
  }

  #covered(text: string): string {
    let rest = text;
    for (const secret of this.#secrets) rest = withoutPieces(rest, secret);
    return rest;
  }
}

// Agents cut texts off and send them in pieces. Any piece of this length holds one of the blocks that the secret can be
// cut into, so that only those have to be looked for.
const blockLength = 6;
const shortestPiece = 2 * blockLength - 1;

function withoutPieces(text: string, secret: string): string {
  const pieces: (readonly [from: number, to: number])[] = [];
  for (let block = 0; block + blockLength <= secret.length; block += blockLength) {
    const sought = secret.slice(block, block + blockLength);
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + blockLength)) {
      let before = 0;
      while (before < Math.min(at, block) && text[at - before - 1] === secret[block - before - 1])
        before += 1;
      let length = blockLength;
      while (block + length < secret.length && text[at + length] === secret[block + length]) length += 1;
      if (before + length >= Math.min(shortestPiece, secret.length)) pieces.push([at - before, at + length]);
    }
  }
  let rest = '';
  let done = 0;
  for (const [from, to] of pieces.sort((one, other) => one[0] - other[0])) {
    if (from >= done) rest += `${text.slice(done, from)}${cover}`;
    done = Math.max(done, to);
  }
  return rest + text.slice(done);
}
