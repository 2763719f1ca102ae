import { randomUUID } from 'node:crypto';
import type { Transport } from '../../attack/engine/ports.ts';
import { createA2aClient } from '../../attack/transport/a2a/a2a-client.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';

const mostItems = 1_000;

interface Waiting {
  readonly items: Value[];
  done(): void;
  fail(reason: string): void;
}

/** Calls another agent, in the era and over the transport that its card names. */
export class A2aCaller {
  readonly #transport: Transport;
  readonly #waiting = new Map<string, Waiting>();
  #opened: Promise<unknown> | undefined;

  constructor(cardUrl: string, silenceMs: number) {
    this.#transport = createA2aClient({ target: () => ({ url: cardUrl }), limits: { silenceMs } });
  }

  /** Resolves to everything that came as an answer. Rejects if the answer is an error, or if there is none. */
  async call(method: string, params: ValueMap, signal: AbortSignal): Promise<readonly Value[]> {
    this.#opened ??= this.#open();
    await this.#opened;
    const ask = randomUUID();
    return new Promise((resolve, reject) => {
      const items: Value[] = [];
      const settle = (finish: () => void): void => {
        this.#waiting.delete(ask);
        signal.removeEventListener('abort', callOff);
        finish();
      };
      const callOff = (): void => settle(() => reject(new Error('it was cancelled')));
      this.#waiting.set(ask, {
        items,
        done: () => settle(() => resolve(items)),
        fail: (reason) => settle(() => reject(new Error(reason))),
      });
      if (signal.aborted) callOff();
      else {
        signal.addEventListener('abort', callOff, { once: true });
        this.#transport.ask('every session', ask, method, params, () => {});
      }
    });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #open(): Promise<unknown> {
    return this.#transport.open((message) => {
      const waiting = 'ask' in message ? this.#waiting.get(message.ask ?? '') : undefined;
      if (waiting === undefined) return;
      if (message.kind === 'part') {
        waiting.items.push(message.part);
        const isLast = isValueMap(message.part) && message.part.final === true;
        if (isLast) waiting.done();
        else if (waiting.items.length >= mostItems) waiting.fail(`its stream has more than ${mostItems} items`);
      } else if (message.kind === 'answer' && message.answer.kind === 'result') {
        waiting.items.push(message.answer.result);
        waiting.done();
      } else if (message.kind === 'answer' && message.answer.kind === 'error')
        waiting.fail(readErrorText(message.answer.error));
      else if (message.kind === 'end' && waiting.items.length > 0) waiting.done();
      else if (message.kind === 'end') waiting.fail(message.reason ?? 'nothing came');
    });
  }
}

function readErrorText(error: Value): string {
  return isValueMap(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
}
