import type { ServerResponse } from 'node:http';
import type { Answer } from '../../../engine/messages.ts';
import type { Value } from '../../../model/value.ts';
import type { WireOrder, WirePerformed } from '../../../model/wire.ts';
import { holdsGenerated, writeExpanded } from '../../expanded.ts';
import { isGone, noteAnswer, whenLeft, writeJson } from '../../streamable-http/response.ts';
import { orderedHead } from '../../wire/ordered-head.ts';
import { undoneOf } from '../../wire/undone.ts';
import { writeEvent, writeOrdered } from '../../wire/write-response.ts';
import type { Reply, Written } from './desk.ts';

export interface Whole {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

/** Frames an answer; an order may change its id. */
export type Framed<T> = (answer: Answer, order?: WireOrder) => T;

/** An answer that is not streamed. */
export class WholeReply implements Reply {
  readonly #response: ServerResponse;
  readonly #frame: Framed<Whole>;

  constructor(response: ServerResponse, frame: Framed<Whole>) {
    this.#response = response;
    this.#frame = frame;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(): void {}

  answer(answer: Answer, told: (written: Written) => void): void {
    if (this.isGone) {
      told(false);
      return;
    }
    const { status, text, headers = noHeaders } = this.#frame(answer);
    if (status !== 204) {
      writeJson(this.#response, status, text, headers, (cut) => told(cut ?? true));
      return;
    }
    this.#response.writeHead(204).end();
    told(true);
  }

  ordered(answer: Answer, order: WireOrder, told: (performed: WirePerformed) => void): void {
    const { status, text, headers = noHeaders } = this.#frame(answer, order);
    const unnamed = unnamedIn(order, text === this.#frame(answer).text);
    writeOrdered(this.#response, { status, text, headers }, order, (performed) =>
      told(withUndone(performed, unnamed)),
    );
  }
}

const noHeaders = {};

/** A2A has no batches, and only JSON-RPC has ids. */
function unnamedIn(order: WireOrder, isSame: boolean): readonly string[] {
  return undoneOf(order, isSame ? ['batch', 'id'] : ['batch']).undone ?? [];
}

function withUndone({ undone = [], ...performed }: WirePerformed, more: readonly string[]): WirePerformed {
  const all = [...new Set([...undone, ...more])];
  return all.length === 0 ? performed : { ...performed, undone: all };
}

const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Asks proxies not to hold events back.
  'X-Accel-Buffering': 'no',
};

/** An answer by server-sent events. With `refuse`, an answer that is an error from the start is not sent as a stream. */
export class StreamReply implements Reply {
  readonly #response: ServerResponse;
  readonly #frame: Framed<string>;
  readonly #refuse: Framed<Whole> | undefined;
  #hasBegun = false;
  #isBusy = false;
  #waiting: [answer: Answer, told: (written: Written) => void][] = [];

  constructor(response: ServerResponse, frame: Framed<string>, refuse?: Framed<Whole>) {
    this.#response = response;
    this.#frame = frame;
    this.#refuse = refuse;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(content: Value, told: (written: Written) => void): void {
    this.#write({ kind: 'result', result: content }, told);
  }

  answer(answer: Answer, told: (written: Written) => void): void {
    if (!this.#hasBegun && answer.kind === 'error' && this.#refuse !== undefined) {
      new WholeReply(this.#response, this.#refuse).answer(answer, told);
      return;
    }
    this.#write(answer, (written) => {
      if (written === true) this.#response.end();
      told(written);
    });
  }

  ordered(answer: Answer, order: WireOrder, told: (performed: WirePerformed) => void): void {
    // A stream is not compressed.
    const { compress: _, ...http } = order.http ?? {};
    const isOpening = !this.#hasBegun && order.stream !== 'silent' && order.end?.when !== 'before';
    const head = orderedHead({ status: 200, headers: eventHeaders }, http, {});
    if (isOpening) this.#response.writeHead(head.status, head.headers);
    this.#hasBegun = true;
    const text = this.#frame(answer, order);
    const unnamed = unnamedIn(order, text === this.#frame(answer));
    const isOther = isOpening && head.isOther;
    const [event, data] = parsed(text);
    writeEvent(this.#response, { data, event }, true, order, ({ undone = [], ...performed }) => {
      const left = isOther ? undone.filter((deed) => deed !== 'http') : undone;
      const harm = isOther && head.harm !== undefined ? { harm: head.harm } : {};
      told(withUndone({ ...harm, ...performed, undone: left }, unnamed));
    });
  }

  #write(answer: Answer, told: (written: Written) => void): void {
    if (this.isGone) {
      told(false);
      return;
    }
    if (this.#isBusy) {
      this.#waiting.push([answer, told]);
      return;
    }
    if (!this.#hasBegun) this.#response.writeHead(200, eventHeaders);
    this.#hasBegun = true;
    noteAnswer(this.#response);
    const text = this.#frame(answer);
    if (holdsGenerated(text)) {
      this.#isBusy = true;
      writeExpanded(this.#response, text, (cut) => this.#goOn(told, cut));
      return;
    }
    gather(this.#response);
    if (this.#response.write(text)) {
      told(true);
      return;
    }
    this.#isBusy = true;
    whenLeft(this.#response, (cut) => this.#goOn(told, cut));
  }

  /** Later messages wait until a large one has left. */
  #goOn(told: (written: Written) => void, cut: string | undefined): void {
    this.#isBusy = false;
    told(cut ?? true);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#write(...next);
  }
}

/** The event name and the data of a frame. */
function parsed(frame: string): readonly [event: string | undefined, data: string] {
  const [, event, data = ''] = /^(?:event: (.*)\n)?data: (.*)\n\n$/s.exec(frame) ?? [];
  return [event, data];
}

/** Messages that are written together leave in one packet. */
function gather(response: ServerResponse): void {
  if (response.writableCorked > 0) return;
  response.cork();
  process.nextTick(() => response.uncork());
}
