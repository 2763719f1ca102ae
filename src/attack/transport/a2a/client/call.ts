import type { AppliedWireRule, WirePerformed } from '../../../../format/model/applied-wire-rule.ts';
import type { Value } from '../../../../format/model/value.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import type { Sent, Transport } from '../../../engine/ports.ts';
import { createEchoRemover, type EchoRemover } from '../../echo-remover.ts';
import { type FailureEnding, isSuccessStatus } from '../../http-failure.ts';
import type { UrlPeer } from '../../mcp-client/mcp-client-options.ts';
import { type RefusedBytes, readLooseReply, recordRefused } from '../../mcp-server/sessions/record-refused.ts';

export type A2aReceive = Parameters<Transport['open']>[0];

/** An A2A agent to speak to. */
export interface A2aPeer extends UrlPeer {
  /** The agent's address, or that of its card; `grpc://host:port` for an agent that speaks only gRPC. */
  readonly url: string;
}

/** Limits on how much, and for how long, an agent can make us hold. */
export interface A2aClientLimits {
  readonly bodyBytes: number;
  readonly eventBytes: number;
  readonly streamBytes: number;
  readonly streamItems: number;
  readonly depth: number;
  /** The most bytes of unreadable content that are recorded. */
  readonly recordedBytes: number;
  /** The longest silence. */
  readonly silenceMs: number;
}

export const defaultA2aClientLimits: A2aClientLimits = {
  bodyBytes: 16 * 1024 * 1024,
  eventBytes: 8 * 1024 * 1024,
  streamBytes: 64 * 1024 * 1024,
  streamItems: 100_000,
  depth: 512,
  recordedBytes: 64 * 1024,
  silenceMs: 60_000,
};

export type RefusedBodyForm = Pick<RefusedBytes, 'contentType' | 'contentEncoding' | 'end' | 'messagesIn' | 'status'>;

/** Fields that are recorded with an answer. */
export interface AnswerNotes {
  readonly noted?: string | undefined;
  /** The answer as written, when the era spells it differently. */
  readonly wire?: Value | undefined;
  /** The HTTP status of an error. */
  readonly status?: number | undefined;
}

/** One request of ours and its result. It ends once, even if it ends in several ways at the same time. */
export class OutgoingCall {
  readonly ask: string;
  readonly limits: A2aClientLimits;
  readonly rule: AppliedWireRule | undefined;
  readonly #receive: A2aReceive;
  readonly #sent: Sent;
  readonly #closed: () => void;
  readonly #clean: EchoRemover;
  #items = 0;
  #isSent = false;
  #isOver = false;
  #era: string | undefined;
  #request: Value | undefined;
  #cut: string | undefined;
  #abort: () => void = () => {};
  #unread: () => void = () => {};

  constructor(options: {
    readonly ask: string;
    readonly limits: A2aClientLimits;
    /** Values that must not be recorded, even if the agent repeats them. */
    readonly secrets: readonly string[];
    readonly receive: A2aReceive;
    readonly sent: Sent;
    /** The `x-wire` rule that applies to the request. */
    readonly rule?: AppliedWireRule | undefined;
    closed(): void;
  }) {
    this.ask = options.ask;
    this.limits = options.limits;
    this.rule = options.rule;
    this.#receive = options.receive;
    this.#sent = options.sent;
    this.#closed = options.closed;
    this.#clean = createEchoRemover(options.secrets);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sets the function that aborts the request. */
  onAbort(abort: () => void): void {
    this.#abort = abort;
    if (this.#isOver) abort();
  }

  /** Sets the era of the request, and its spelling if that differs from the recorded one. */
  inEra(era: string | undefined, request: Value): void {
    this.#era = era;
    if (era !== undefined) this.#request = request;
  }

  /** Notes which part of the request does not go out. */
  cutTo(cut: string): void {
    this.#cut = cut;
  }

  /** Reports the request as sent; `cut` says how far it got, and `performed` reports on its rule. */
  sent(cut = this.#cut, performed?: WirePerformed): void {
    if (!this.#isSent && !this.#isOver) this.#sent(this.ask, this.#era, this.#request, cut, performed);
    this.#isSent = true;
  }

  item(part: Value, bytes: Buffer, { noted, wire }: AnswerNotes = {}): void {
    if (this.#isOver) return;
    this.#items += 1;
    if (this.#items > this.limits.streamItems) this.end(`its stream has more than ${this.limits.streamItems} items`);
    else {
      const raw = (): string => this.#recorded(bytes);
      this.#receive({
        kind: 'part',
        session: this.ask,
        ask: this.ask,
        part: this.#clean.json(part),
        raw,
        ...this.#beside(noted, wire),
      });
    }
  }

  answer(answer: Answer, { noted, wire, status }: AnswerNotes = {}): void {
    if (this.#isOver) return;
    this.#close();
    this.#receive({
      kind: 'answer',
      session: this.ask,
      ask: this.ask,
      answer: this.#clean.json(answer),
      ...this.#beside(noted, wire),
      ...(status !== undefined && !isSuccessStatus(status) && { status }),
    });
  }

  #beside(noted: string | undefined, wire: Value | undefined): { noted?: string; era?: string; wire?: Value } {
    return {
      ...(noted !== undefined && { noted }),
      ...(this.#era !== undefined && { era: this.#era }),
      ...(this.#era !== undefined && wire !== undefined && { wire: this.#clean.json(wire) }),
    };
  }

  /**
   * Handles bytes that are not an answer: readable messages in them are recorded, and the rest is reported as
   * malformed.
   */
  malformed(bytes: Buffer, reason: string, form: RefusedBodyForm = {}): void {
    if (this.#isOver) return;
    const { ask, limits } = this;
    recordRefused(
      { limits, receive: this.#receive },
      { messagesIn: readLooseReply, ...form, bytes, reason, session: ask, ask, clean: this.#clean },
    );
  }

  /** Ends the call; with a reason, the end came too early. */
  end(reason?: string, ending: FailureEnding = {}): void {
    if (this.#isOver) return;
    this.#close();
    this.#receive({
      kind: 'end',
      session: this.ask,
      ask: this.ask,
      ...(reason !== undefined && { reason: this.#clean.text(reason) }),
      ...ending,
    });
  }

  warn(code: string, message: string): void {
    if (!this.#isOver) this.#receive({ kind: 'warning', code, message });
  }

  /** Leaves the answer unread; its connection stays open until we close. */
  leaveUnread(reason: string): void {
    const abort = this.#abort;
    this.#abort = () => {};
    this.#unread = abort;
    this.end(reason);
  }

  /** Drops the call without a report. */
  drop(): void {
    if (!this.#isOver) this.#close();
    this.#unread();
  }

  #recorded(bytes: Buffer): string {
    return this.#clean.bytes(bytes).subarray(0, this.limits.recordedBytes).toString('base64');
  }

  #close(): void {
    this.#isOver = true;
    this.#closed();
    this.#abort();
  }
}
