import type { ServerResponse } from 'node:http';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import { isValueMap } from '../../../format/model/value.ts';
import { mcp2026Status } from '../../../format/registry/mcp-2026.ts';
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
  /** Opens a stream of the session; since 2026-07-28, one that belongs to this request alone and cannot be resumed. */
  openStream(): EventStream;
  /** The rest concerns a request within a session, before 2026-07-28. */
  readonly within?: SessionPost;
}

export interface SessionPost {
  readonly answers: number;
  readonly isBatch: boolean;
  /** Whether it may carry messages that belong to no request. */
  readonly carriesOthers: boolean;
  readonly headers: Record<string, string>;
}

const alone: SessionPost = { answers: 1, isBatch: false, carriesOthers: false, headers: {} };

/**
 * The response to a POST with requests. It is JSON if it carries only the answers; it becomes a stream when another
 * message has to go out before them.
 */
export class PostReply implements SessionReply {
  readonly #response: ServerResponse;
  readonly #accepts: AcceptedTypes;
  readonly #openStream: () => EventStream;
  readonly #post: SessionPost;
  readonly #isAlone: boolean;
  #stream: EventStream | undefined;
  #answers: OutgoingText[] = [];
  #missing: number;

  constructor(response: ServerResponse, { accepts, openStream, within = alone }: PostReplyOptions) {
    this.#response = response;
    this.#accepts = accepts;
    this.#openStream = openStream;
    this.#post = within;
    this.#isAlone = within === alone;
    this.#missing = within.answers;
  }

  get isComplete(): boolean {
    return this.#missing === 0;
  }

  /** Whether the peer has left for good: within a session it can come back to a stream. */
  get isLost(): boolean {
    return (this.#isAlone || this.#stream === undefined) && isGone(this.#response);
  }

  get canStream(): boolean {
    return this.#accepts.events && !(this.#isAlone && this.isLost);
  }

  /** Whether it can now carry a message that belongs to no request. */
  get carriesOthers(): boolean {
    if (!this.#post.carriesOthers || !this.canStream || this.isComplete) return false;
    return this.#stream === undefined ? !isGone(this.#response) : this.#stream.isAttached;
  }

  send(message: OutgoingText): void {
    this.#becomeStream().send(message);
  }

  answer(text: string, written: Answered, answer?: Answer, rule?: AppliedWireRule): void {
    this.#missing -= 1;
    if (this.#isAlone && this.isLost) return;
    const status = this.#isAlone ? chooseStatus2026(answer) : 200;
    if (rule !== undefined && !this.#post.isBatch) {
      this.#answerRuled(text, status, written, rule);
      return;
    }
    const message: OutgoingText = {
      text,
      written: rule === undefined ? written : reportUnapplied(written, rule),
      isAnswer: true,
    };
    if (this.#stream !== undefined || !this.#accepts.json) {
      const stream = this.#becomeStream();
      if (this.isComplete) stream.sendLast(message);
      else stream.send(message);
      return;
    }
    this.#answers.push(message);
    if (this.isComplete) this.#writeAnswers(status);
  }

  #answerRuled(text: string, status: number, written: Answered, rule: AppliedWireRule): void {
    const { json, events } = this.#accepts;
    if (this.#stream !== undefined || !json || (isEventStreamNeeded(rule) && events))
      this.#becomeStream().finishRuled(text, written, rule);
    else if (!isGone(this.#response))
      writeRuled(this.#response, { status, headers: this.#post.headers, text }, rule, (performed) =>
        written(undefined, undefined, performed),
      );
  }

  #writeAnswers(status: number): void {
    if (isGone(this.#response)) return;
    const texts = this.#answers.map(({ text }) => text);
    const body = this.#post.isBatch ? `[${texts.join(',')}]` : (texts[0] ?? '');
    writeJson(this.#response, status, body, this.#post.headers, (cut) => {
      for (const { written } of this.#answers) written(undefined, cut);
    });
  }

  /** Gives up the answers. Within a session, a reply that has become a stream ends with the session's streams. */
  abandon(reason: string): void {
    if (this.#isAlone) {
      this.#response.end();
      return;
    }
    if (this.#stream !== undefined) return;
    this.#missing = 0;
    writeJson(this.#response, 404, frameError(null, errorCode.sessionNotFound, reason), {});
  }

  /** Within a session, its streams are kept alive together. */
  beat(): void {
    if (this.#isAlone) this.#stream?.beat();
  }

  #becomeStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = this.#openStream();
    this.#stream = stream;
    stream.attach(this.#response, this.#post.headers);
    for (const answer of this.#answers) stream.send(answer);
    this.#answers = [];
    return stream;
  }
}

function chooseStatus2026(answer: Answer | undefined): number {
  if (answer?.kind !== 'error' || !isValueMap(answer.error)) return 200;
  return mcp2026Status.get(answer.error.code) ?? 200;
}
