import type { Value } from '../../../../format/model/value.ts';

/** Requests of ours that a peer has still to answer; past a limit the oldest are forgotten. */
export class OpenAsks {
  readonly #open = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  expect(ask: string): void {
    this.#open.add(ask);
    const [oldest] = this.#open;
    if (this.#open.size > this.#most && oldest !== undefined) this.#open.delete(oldest);
  }

  /** Takes the request that a response with this id answers. Each is answered once. */
  take(id: Value): string | undefined {
    return typeof id === 'string' && this.#open.delete(id) ? id : undefined;
  }
}
