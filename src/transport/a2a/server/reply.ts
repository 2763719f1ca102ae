import type { ServerResponse } from 'node:http';
import type { Answer } from '../../../engine/messages.ts';
import type { Value } from '../../../model/value.ts';
import { isGone, writeJson } from '../../streamable-http/response.ts';
import type { Reply } from './desk.ts';

export interface Whole {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

/** An answer in one piece. */
export class WholeReply implements Reply {
  readonly #response: ServerResponse;
  readonly #frame: (answer: Answer) => Whole;

  constructor(response: ServerResponse, frame: (answer: Answer) => Whole) {
    this.#response = response;
    this.#frame = frame;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(): boolean {
    return false;
  }

  answer(answer: Answer): boolean {
    if (this.isGone) return false;
    const { status, text, headers = noHeaders } = this.#frame(answer);
    if (status === 204) this.#response.writeHead(204).end();
    else writeJson(this.#response, status, text, headers);
    return true;
  }
}

const noHeaders = {};

const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Asks proxies not to hold events back.
  'X-Accel-Buffering': 'no',
};

/** An answer by server-sent events. With `refuse`, one that is an error from the start is no stream. */
export class StreamReply implements Reply {
  readonly #response: ServerResponse;
  readonly #frame: (answer: Answer) => string;
  readonly #refuse: ((answer: Answer) => Whole) | undefined;
  #hasBegun = false;

  constructor(
    response: ServerResponse,
    frame: (answer: Answer) => string,
    refuse?: (answer: Answer) => Whole,
  ) {
    this.#response = response;
    this.#frame = frame;
    this.#refuse = refuse;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(content: Value): boolean {
    return this.#write({ kind: 'result', result: content });
  }

  answer(answer: Answer): boolean {
    if (!this.#hasBegun && answer.kind === 'error' && this.#refuse !== undefined)
      return new WholeReply(this.#response, this.#refuse).answer(answer);
    const isWritten = this.#write(answer);
    if (isWritten) this.#response.end();
    return isWritten;
  }

  #write(answer: Answer): boolean {
    if (this.isGone) return false;
    if (!this.#hasBegun) this.#response.writeHead(200, eventHeaders);
    this.#hasBegun = true;
    gather(this.#response);
    this.#response.write(this.#frame(answer));
    return true;
  }
}

/** What is written in one go leaves in one go. */
function gather(response: ServerResponse): void {
  if (response.writableCorked > 0) return;
  response.cork();
  process.nextTick(() => response.uncork());
}
