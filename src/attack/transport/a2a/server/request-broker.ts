import type { Socket } from 'node:net';
import type { AppliedWireRule, WirePerformed } from '../../../../format/model/applied-wire-rule.ts';
import type { Value } from '../../../../format/model/value.ts';
import { extensionsHeader } from '../../../../format/registry/a2a/a2a-era.ts';
import type { Answer, Incoming } from '../../../engine/actor-messages.ts';
import type { Answered } from '../../../engine/ports.ts';
import type { Limits } from '../../http-server/http-server-options.ts';

/** Whether the message was written; a text names the part that could not be. */
export type WriteReport = boolean | string;

/** The way back to the client, in the framing of its request. */
export interface A2aReply {
  /** Whether the client has left. */
  readonly isGone: boolean;
  /** Both report whether the message was written, or which part could not be. */
  part(content: Value, report: (written: WriteReport) => void): void;
  answer(answer: Answer, report: (written: WriteReport) => void): void;
  /** Answers as a rule of the document says; `report` is called when nothing more of the answer will be written. */
  answerByRule(answer: Answer, rule: AppliedWireRule, report: (performed: WirePerformed) => void): void;
}

/** A request without its framing. */
export interface A2aRequest {
  readonly session: string;
  readonly method: string;
  /** Only JSON-RPC requests have an id. */
  readonly id?: Value;
  readonly params: Value | undefined;
  /** A fault in the request's form. */
  readonly noted?: string | undefined;
  readonly reply: A2aReply;
  /** The era of the request; undefined for the first era. */
  readonly era?: string | undefined;
  /** The params as written, when the era spells them differently from OATF. */
  readonly wire?: Value | undefined;
  /** Spells a result in the era of the request. */
  toWire?(result: Value): Value;
  /** The extensions that the request's header lists. */
  readonly extensions?: string | undefined;
}

/** Takes requests from the three framings, and returns the answers to them. */
export class A2aRequestBroker {
  readonly limits: Limits;
  readonly receive: (message: Incoming) => void;
  readonly #replies = new Map<string, A2aReply>();
  /** The functions that spell answers for their era, by exchange, when that differs from the record. */
  readonly #wires = new Map<string, (result: Value) => Value>();
  readonly #sessions = new WeakMap<Socket, string>();
  #lastExchange = 0;
  #lastSession = 0;

  constructor(limits: Limits, receive: (message: Incoming) => void) {
    this.limits = limits;
    this.receive = receive;
  }

  /** A2A has no sessions that end, so a peer that was here may come back. */
  get hasHadPeers(): boolean {
    return this.#lastSession > 0;
  }

  /** All messages of a connection belong to one session. */
  sessionOf(socket: Socket): string {
    const known = this.#sessions.get(socket);
    if (known !== undefined) return known;
    this.#lastSession += 1;
    const session = `connection-${this.#lastSession}`;
    this.#sessions.set(socket, session);
    this.receive({ kind: 'connection', session, event: 'opened' });
    socket.once('close', () => this.receive({ kind: 'connection', session, event: 'closed' }));
    return session;
  }

  get hasRoom(): boolean {
    const { exchanges } = this.limits;
    if (this.#replies.size < exchanges) return true;
    for (const [key, { isGone }] of this.#replies)
      if (isGone) {
        this.#replies.delete(key);
        this.#wires.delete(key);
      }
    return this.#replies.size < exchanges;
  }

  take({ session, method, id, params, noted, reply, era, wire, toWire, extensions }: A2aRequest): void {
    this.#lastExchange += 1;
    const exchange = String(this.#lastExchange);
    this.#replies.set(exchange, reply);
    if (era !== undefined && toWire !== undefined) this.#wires.set(exchange, toWire);
    this.receive({
      kind: 'request',
      session,
      exchange,
      method,
      id: id ?? exchange,
      params,
      noted,
      era,
      wire,
      ...(extensions !== undefined && { repeated: { [extensionsHeader]: extensions } }),
    });
  }

  part(exchange: string, content: Value, sent: Answered): void {
    const toWire = this.#wires.get(exchange);
    this.#replies.get(exchange)?.part(content, (written) => {
      if (written !== false) sent(toWireIfDifferent(content, toWire), readCut(written));
    });
  }

  answer(exchange: string, answer: Answer, sent: Answered, rule?: AppliedWireRule): void {
    const reply = this.#replies.get(exchange);
    const toWire = this.#wires.get(exchange);
    this.#replies.delete(exchange);
    this.#wires.delete(exchange);
    const wire = (): Value | undefined =>
      answer.kind === 'result' ? toWireIfDifferent(answer.result, toWire) : undefined;
    if (rule !== undefined) {
      if (reply?.isGone === false) reply.answerByRule(answer, rule, (performed) => sent(wire(), undefined, performed));
      return;
    }
    reply?.answer(answer, (written) => {
      if (written !== false) sent(wire(), readCut(written));
    });
  }

  warn(code: string, message: string): void {
    this.receive({ kind: 'warning', code, message });
  }
}

/** The result as written, if that differs from the recorded one. */
function toWireIfDifferent(result: Value, toWire: ((result: Value) => Value) | undefined): Value | undefined {
  const wire = toWire?.(result);
  return wire === result ? undefined : wire;
}

function readCut(written: WriteReport): string | undefined {
  return typeof written === 'string' ? written : undefined;
}
