import type { ServerResponse } from 'node:http';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import { isValueMap } from '../../../format/model/value.ts';
import { mcp2026Status } from '../../../format/registry/mcp-2026.ts';
import type { Answer } from '../../engine/actor-messages.ts';
import type { Answered } from '../../engine/ports.ts';
import type { Limits } from '../http-server/http-server-options.ts';
import { isGone, writeJson } from '../http-server/response.ts';
import { isEventStreamNeeded, writeRuled } from '../wire/write-response.ts';
import type { AcceptedTypes } from './accepted-types.ts';
import { EventStream } from './resumable-stream.ts';
import type { OutgoingText, SessionReply } from './sessions/peer-session.ts';

/**
 * The response to a request since 2026-07-28: JSON, or a stream that belongs to this request alone and cannot be
 * resumed.
 */
export class RequestReply implements SessionReply {
  readonly carriesOthers = false;
  readonly #response: ServerResponse;
  readonly #accepts: AcceptedTypes;
  readonly #limits: Limits;
  #stream: EventStream | undefined;
  #isComplete = false;

  constructor(response: ServerResponse, accepts: AcceptedTypes, limits: Limits) {
    this.#response = response;
    this.#accepts = accepts;
    this.#limits = limits;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isLost(): boolean {
    return isGone(this.#response);
  }

  get canStream(): boolean {
    return this.#accepts.events && !this.isLost;
  }

  send(message: OutgoingText): void {
    this.#becomeStream().send(message);
  }

  answer(text: string, written: Answered, answer?: Answer, order?: AppliedWireRule): void {
    this.#isComplete = true;
    if (this.isLost) return;
    if (order !== undefined) {
      this.#answerOrdered(text, written, answer, order);
      return;
    }
    if (this.#stream !== undefined || !this.#accepts.json) {
      this.#becomeStream().sendLast({ text, written, isAnswer: true });
      return;
    }
    writeJson(this.#response, chooseStatus2026(answer), text, {}, (cut) => written(undefined, cut));
  }

  #answerOrdered(text: string, written: Answered, answer: Answer | undefined, order: AppliedWireRule): void {
    const { json, events } = this.#accepts;
    if (this.#stream !== undefined || !json || (isEventStreamNeeded(order) && events))
      this.#becomeStream().finishOrdered(text, written, order);
    else
      writeRuled(this.#response, { status: chooseStatus2026(answer), headers: {}, text }, order, (performed) =>
        written(undefined, undefined, performed),
      );
  }

  abandon(): void {
    this.#response.end();
  }

  beat(): void {
    this.#stream?.beat();
  }

  #becomeStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = new EventStream(undefined, this.#limits);
    this.#stream = stream;
    stream.attach(this.#response, {});
    return stream;
  }
}

function chooseStatus2026(answer: Answer | undefined): number {
  if (answer?.kind !== 'error' || !isValueMap(answer.error)) return 200;
  return mcp2026Status.get(answer.error.code) ?? 200;
}
