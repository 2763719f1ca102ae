import type { Value } from '../../model/value.ts';

/** What was asked of a server, and what it answered. */
export interface Exchange {
  readonly method: string;
  readonly params: Value | undefined;
  readonly result: Value;
}

/** How much of a server is kept. A server that has more is told of, and what came until then is written. */
export const mostBytes = 1024 * 1024;
const mostAnswerBytes = 256 * 1024;
const mostDepth = 64;

/** What was seen of one server, bounded; the first answer to a question is the one that is kept. */
export class Recording {
  readonly exchanges: Exchange[] = [];
  /** What is missing, and why, in words for people. */
  readonly leftOut = new Set<string>();
  readonly #seen = new Set<string>();
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= mostBytes;
  }

  /** Whether it was kept. */
  add(exchange: Exchange): boolean {
    const { method, params, result } = exchange;
    const key = JSON.stringify([method, params]);
    if (this.#seen.has(key)) return false;
    if (isTooDeep(result)) return this.#leaveOut(`an answer to ${method} is nested too deeply`);
    const size = key.length + (JSON.stringify(result)?.length ?? 0);
    if (size > mostAnswerBytes)
      return this.#leaveOut(`an answer to ${method} has ${size} characters, and ${mostAnswerBytes} are kept`);
    if (this.#bytes + size > mostBytes) {
      this.#bytes = mostBytes;
      return this.#leaveOut(
        `the server says more than ${mostBytes} characters, so it is not listened to any more`,
      );
    }
    this.#seen.add(key);
    this.#bytes += size;
    this.exchanges.push(exchange);
    return true;
  }

  #leaveOut(what: string): false {
    this.leftOut.add(what);
    return false;
  }
}

function isTooDeep(root: Value): boolean {
  const pending: [Value, number][] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > mostDepth) return true;
    for (const item of Object.values(value)) pending.push([item as Value, depth + 1]);
  }
  return false;
}
