import type { Answer } from '../../../engine/messages.ts';
import type { Sent } from '../../../engine/ports.ts';
import type { Value } from '../../../model/value.ts';
import type { WireOrder, WirePerformed } from '../../../model/wire.ts';
import type { Ending } from '../../http-failure.ts';
import { looseReply, type Refused, recordRefused } from '../../sessions/record-refused.ts';
import { type WithoutEchoes, withoutEchoes } from '../../without-echoes.ts';
import type { A2aClientLimits, Receive } from './options.ts';

/** How bytes came that are no answer. */
export type Form = Pick<Refused, 'contentType' | 'contentEncoding' | 'end' | 'messagesIn'>;

/** What is recorded beside an answer. */
export interface Beside {
  readonly noted?: string | undefined;
  /** As it was written, where the era spells it otherwise. */
  readonly wire?: Value | undefined;
}

/** One request of ours and what becomes of it. It is over once, however many ways it ends at the same time. */
export class Call {
  readonly ask: string;
  readonly limits: A2aClientLimits;
  readonly order: WireOrder | undefined;
  readonly #receive: Receive;
  readonly #sent: Sent;
  readonly #closed: () => void;
  readonly #clean: WithoutEchoes;
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
    /** Must not be written down, wherever the agent repeats it. */
    readonly secrets: readonly string[];
    readonly receive: Receive;
    readonly sent: Sent;
    /** What the document orders to be done to the request. */
    readonly order?: WireOrder | undefined;
    closed(): void;
  }) {
    this.ask = options.ask;
    this.limits = options.limits;
    this.order = options.order;
    this.#receive = options.receive;
    this.#sent = options.sent;
    this.#closed = options.closed;
    this.#clean = withoutEchoes(options.secrets);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What it takes to break it off. */
  onAbort(abort: () => void): void {
    this.#abort = abort;
    if (this.#isOver) abort();
  }

  /** In which era it is asked, and as what, where that is spelt otherwise than it is recorded. */
  inEra(era: string | undefined, request: Value): void {
    this.#era = era;
    if (era !== undefined) this.#request = request;
  }

  /** What of the request does not go out. */
  cutTo(cut: string): void {
    this.#cut = cut;
  }

  /** `cut` says how far it got, and `performed` what became of its order. */
  sent(cut = this.#cut, performed?: WirePerformed): void {
    if (!this.#isSent && !this.#isOver) this.#sent(this.ask, this.#era, this.#request, cut, performed);
    this.#isSent = true;
  }

  item(part: Value, bytes: Buffer, { noted, wire }: Beside = {}): void {
    if (this.#isOver) return;
    this.#items += 1;
    if (this.#items > this.limits.streamItems)
      this.end(`its stream has more than ${this.limits.streamItems} items`);
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

  answer(answer: Answer, { noted, wire }: Beside = {}): void {
    if (this.#isOver) return;
    this.#close();
    this.#receive({
      kind: 'answer',
      session: this.ask,
      ask: this.ask,
      answer: this.#clean.json(answer),
      ...this.#beside(noted, wire),
    });
  }

  #beside(
    noted: string | undefined,
    wire: Value | undefined,
  ): { noted?: string; era?: string; wire?: Value } {
    return {
      ...(noted !== undefined && { noted }),
      ...(this.#era !== undefined && { era: this.#era }),
      ...(this.#era !== undefined && wire !== undefined && { wire: this.#clean.json(wire) }),
    };
  }

  /** What is no answer: what can be read of it is shown, and the rest is told. */
  malformed(bytes: Buffer, reason: string, form: Form = {}): void {
    if (this.#isOver) return;
    const { ask, limits } = this;
    recordRefused(
      { limits, receive: this.#receive },
      { messagesIn: looseReply, ...form, bytes, reason, session: ask, ask, clean: this.#clean },
    );
  }

  /** Nothing more comes; with a reason, too early. */
  end(reason?: string, ending: Ending = {}): void {
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

  /** Nothing of its answer will be read; its connection stays until we leave. */
  leaveUnread(reason: string): void {
    const abort = this.#abort;
    this.#abort = () => {};
    this.#unread = abort;
    this.end(reason);
  }

  /** We leave, and say nothing of it. */
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
