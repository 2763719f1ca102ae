import type { ServerResponse } from 'node:http';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import type { Answer } from '../../engine/actor-messages.ts';
import type { Answered } from '../../engine/ports.ts';
import { isGone, writeJson } from '../http-server/response.ts';
import { errorCode, frameError } from '../json-rpc-frames.ts';
import { reportUnapplied } from '../wire/unapplied-actions.ts';
import { isEventStreamNeeded, writeRuled } from '../wire/write-response.ts';
import type { AcceptedTypes } from './accepted-types.ts';
import type { EventStream } from './resumable-stream.ts';
import type { OutgoingText, SessionReply } from './sessions/peer-session.ts';

export interface PostReplyOptions {
  readonly accepts: AcceptedTypes;
  /** The number of answers that it expects. */
  readonly answers: number;
  readonly isBatch: boolean;
  /** Whether it may carry messages that belong to no request. */
  readonly carriesOthers: boolean;
  readonly headers: Record<string, string>;
  openStream(): EventStream;
}

/**
 * The response to a POST with requests. It is JSON if it carries only the answers; it becomes a stream when another
 * message has to go out before them.
 */
export class PostReply implements SessionReply {
  readonly #response: ServerResponse;
  readonly #options: PostReplyOptions;
  #stream: EventStream | undefined;
  #answers: OutgoingText[] = [];
  #missing: number;

  constructor(response: ServerResponse, options: PostReplyOptions) {
    this.#response = response;
    this.#options = options;
    this.#missing = options.answers;
  }

  get isComplete(): boolean {
    return this.#missing === 0;
  }

  /** Whether the peer has left for good: if it left before anything was written, it cannot come back. */
  get isLost(): boolean {
    return this.#stream === undefined && isGone(this.#response);
  }

  get canStream(): boolean {
    return this.#options.accepts.events;
  }

  /** Whether it can now carry a message that belongs to no request. */
  get carriesOthers(): boolean {
    if (!this.#options.carriesOthers || !this.canStream || this.isComplete) return false;
    return this.#stream === undefined ? !isGone(this.#response) : this.#stream.isAttached;
  }

  send(message: OutgoingText): void {
    this.#becomeStream().send(message);
  }

  answer(text: string, written: Answered, _answer?: Answer, order?: AppliedWireRule): void {
    this.#missing -= 1;
    if (order !== undefined && !this.#options.isBatch) {
      this.#answerOrdered(text, written, order);
      return;
    }
    const answer: OutgoingText = {
      text,
      written: order === undefined ? written : reportUnapplied(written, order),
      isAnswer: true,
    };
    if (this.#stream !== undefined || !this.#options.accepts.json) {
      const stream = this.#becomeStream();
      if (this.isComplete) stream.sendLast(answer);
      else stream.send(answer);
      return;
    }
    this.#answers.push(answer);
    if (this.isComplete) this.#writeAnswers();
  }

  #answerOrdered(text: string, written: Answered, order: AppliedWireRule): void {
    const { accepts, headers } = this.#options;
    if (this.#stream !== undefined || !accepts.json || (isEventStreamNeeded(order) && accepts.events))
      this.#becomeStream().finishOrdered(text, written, order);
    else if (!isGone(this.#response))
      writeRuled(this.#response, { status: 200, headers, text }, order, (performed) =>
        written(undefined, undefined, performed),
      );
  }

  #writeAnswers(): void {
    if (isGone(this.#response)) return;
    const texts = this.#answers.map(({ text }) => text);
    const body = this.#options.isBatch ? `[${texts.join(',')}]` : (texts[0] ?? '');
    writeJson(this.#response, 200, body, this.#options.headers, (cut) => {
      for (const { written } of this.#answers) written(undefined, cut);
    });
  }

  /** Gives up the answers. A reply that has become a stream ends with its session's streams. */
  abandon(reason: string): void {
    if (this.#stream !== undefined) return;
    this.#missing = 0;
    writeJson(this.#response, 404, frameError(null, errorCode.sessionNotFound, reason), {});
  }

  #becomeStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = this.#options.openStream();
    this.#stream = stream;
    stream.attach(this.#response, this.#options.headers);
    for (const answer of this.#answers) stream.send(answer);
    this.#answers = [];
    return stream;
  }
}
