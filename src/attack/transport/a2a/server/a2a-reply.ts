import type { ServerResponse } from 'node:http';
import type { AppliedWireRule, WirePerformed } from '../../../../format/model/applied-wire-rule.ts';
import type { Value } from '../../../../format/model/value.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import { holdsGenerated, writeExpanded } from '../../expand-generated.ts';
import { callWhenFlushed, isGone, noteAnswer, writeJson } from '../../http-server/response.ts';
import { findDamage } from '../../http-server/sent-responses.ts';
import { applyRuleToHead } from '../../wire/ruled-head.ts';
import { findUnapplied } from '../../wire/unapplied-actions.ts';
import { writeEvent, writeRuled } from '../../wire/write-response.ts';
import type { A2aReply, WriteReport } from './request-broker.ts';

export interface FramedAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

/** Frames an answer; a rule may change its id. */
export type AnswerFramer<T> = (answer: Answer, rule?: AppliedWireRule) => T;

/** An answer that is not streamed. */
export class WholeReply implements A2aReply {
  readonly #response: ServerResponse;
  readonly #frame: AnswerFramer<FramedAnswer>;

  constructor(response: ServerResponse, frame: AnswerFramer<FramedAnswer>) {
    this.#response = response;
    this.#frame = frame;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(): void {}

  answer(answer: Answer, report: (written: WriteReport) => void): void {
    if (this.isGone) {
      report(false);
      return;
    }
    const { status, text, headers = noHeaders } = this.#frame(answer);
    if (status !== 204) {
      writeJson(this.#response, status, text, headers, (cut) => report(cut ?? true));
      return;
    }
    this.#response.writeHead(204).end();
    report(true);
  }

  answerByRule(answer: Answer, rule: AppliedWireRule, report: (performed: WirePerformed) => void): void {
    const { status, text, headers = noHeaders } = this.#frame(answer, rule);
    const unnamed = listUnsupportedActions(rule, text === this.#frame(answer).text);
    writeRuled(this.#response, { status, text, headers }, rule, (performed) =>
      report(addUnapplied(performed, unnamed)),
    );
  }
}

const noHeaders = {};

/** A2A has no batches, and only JSON-RPC has ids. */
function listUnsupportedActions(rule: AppliedWireRule, isSame: boolean): readonly string[] {
  return findUnapplied(rule, isSame ? ['batch', 'id'] : ['batch']).unapplied ?? [];
}

function addUnapplied({ unapplied = [], ...performed }: WirePerformed, more: readonly string[]): WirePerformed {
  const all = [...new Set([...unapplied, ...more])];
  return all.length === 0 ? performed : { ...performed, unapplied: all };
}

const eventHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  // Asks proxies not to hold events back.
  'X-Accel-Buffering': 'no',
};

/** An answer by server-sent events. With `refuse`, an answer that is an error from the start is not sent as a stream. */
export class StreamReply implements A2aReply {
  readonly #response: ServerResponse;
  readonly #frame: AnswerFramer<string>;
  readonly #refuse: AnswerFramer<FramedAnswer> | undefined;
  #hasBegun = false;
  #isBusy = false;
  #waiting: [answer: Answer, report: (written: WriteReport) => void][] = [];

  constructor(response: ServerResponse, frame: AnswerFramer<string>, refuse?: AnswerFramer<FramedAnswer>) {
    this.#response = response;
    this.#frame = frame;
    this.#refuse = refuse;
  }

  get isGone(): boolean {
    return isGone(this.#response);
  }

  part(content: Value, report: (written: WriteReport) => void): void {
    this.#write({ kind: 'result', result: content }, report);
  }

  answer(answer: Answer, report: (written: WriteReport) => void): void {
    if (!this.#hasBegun && answer.kind === 'error' && this.#refuse !== undefined) {
      new WholeReply(this.#response, this.#refuse).answer(answer, report);
      return;
    }
    this.#write(answer, (written) => {
      if (written === true) this.#response.end();
      report(written === true ? (findDamage(this.#response) ?? true) : written);
    });
  }

  answerByRule(answer: Answer, rule: AppliedWireRule, report: (performed: WirePerformed) => void): void {
    if (!this.#hasBegun && answer.kind === 'error' && this.#refuse !== undefined) {
      new WholeReply(this.#response, this.#refuse).answerByRule(answer, rule, report);
      return;
    }
    // A stream is not compressed.
    const { compress: _, ...http } = rule.http ?? {};
    const isOpening = !this.#hasBegun && rule.stream !== 'silent' && rule.end?.when !== 'before';
    const head = applyRuleToHead({ status: 200, headers: eventHeaders }, http, {});
    if (isOpening) this.#response.writeHead(head.status, head.headers);
    this.#hasBegun = true;
    const text = this.#frame(answer, rule);
    const unnamed = listUnsupportedActions(rule, text === this.#frame(answer));
    const isOther = isOpening && head.isOther;
    const [event, data] = parseFrame(text);
    writeEvent(this.#response, { data, event }, true, rule, ({ unapplied = [], ...performed }) => {
      const left = isOther ? unapplied.filter((action) => action !== 'http') : unapplied;
      const harm = isOther && head.harm !== undefined ? { harm: head.harm } : {};
      report(addUnapplied({ ...harm, ...performed, unapplied: left }, unnamed));
    });
  }

  #write(answer: Answer, report: (written: WriteReport) => void): void {
    if (this.isGone) {
      report(false);
      return;
    }
    if (this.#isBusy) {
      this.#waiting.push([answer, report]);
      return;
    }
    if (!this.#hasBegun) this.#response.writeHead(200, eventHeaders);
    this.#hasBegun = true;
    noteAnswer(this.#response);
    const text = this.#frame(answer);
    if (holdsGenerated(text)) {
      this.#isBusy = true;
      writeExpanded(this.#response, text, (cut) => this.#goOn(report, cut));
      return;
    }
    if (this.#response.write(text)) {
      report(findDamage(this.#response) ?? true);
      return;
    }
    this.#isBusy = true;
    callWhenFlushed(this.#response, (cut) => this.#goOn(report, cut));
  }

  /** Later messages wait until a large one has left. */
  #goOn(report: (written: WriteReport) => void, cut: string | undefined): void {
    this.#isBusy = false;
    report(cut ?? true);
    // A message that has to wait for the peer in its turn makes the ones behind it wait, too.
    while (!this.#isBusy) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#write(...next);
    }
  }
}

function parseFrame(frame: string): readonly [event: string | undefined, data: string] {
  const [, event, data = ''] = /^(?:event: (.*)\n)?data: (.*)\n\n$/s.exec(frame) ?? [];
  return [event, data];
}
