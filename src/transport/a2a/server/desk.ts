import type { Socket } from 'node:net';
import type { Answer, Incoming } from '../../../engine/messages.ts';
import type { Answered } from '../../../engine/ports.ts';
import type { Value } from '../../../model/value.ts';
import type { WireOrder, WirePerformed } from '../../../model/wire.ts';
import { extensionsHeader } from '../../../registry/a2a/extensions.ts';
import type { Limits } from '../../streamable-http/options.ts';

/** Whether something was written; a text says what of it could not be. */
export type Written = boolean | string;

/** The way back to whoever asked, in the framing that they asked in. */
export interface Reply {
  /** Whether it reaches nobody any more. */
  readonly isGone: boolean;
  /** Both tell whether it was written, or what of it could not be. */
  part(content: Value, told: (written: Written) => void): void;
  answer(answer: Answer, told: (written: Written) => void): void;
  /** The same as a document orders it; `told` is called when nothing more of it will be written. */
  ordered(answer: Answer, order: WireOrder, told: (performed: WirePerformed) => void): void;
}

/** A request, taken out of its framing. */
export interface Asked {
  readonly session: string;
  readonly method: string;
  /** Only JSON-RPC has one. */
  readonly id?: Value;
  readonly params: Value | undefined;
  /** What was wrong with its form. */
  readonly noted?: string | undefined;
  readonly reply: Reply;
  /** The era that it came in; left out for the first. */
  readonly era?: string | undefined;
  /** The params as they were written, where the era spells them otherwise than OATF. */
  readonly wire?: Value | undefined;
  /** How a result is spelt in the era. */
  toWire?(result: Value): Value;
  /** The extensions that it is made with, as its header lists them. */
  readonly extensions?: string | undefined;
}

/** Where the three framings hand in what they have read, and answers are handed back. */
export class Desk {
  readonly limits: Limits;
  readonly receive: (message: Incoming) => void;
  readonly #replies = new Map<string, Reply>();
  /** How what answers a request is spelt, where that is not how it is recorded. */
  readonly #wires = new Map<string, (result: Value) => Value>();
  readonly #sessions = new WeakMap<Socket, string>();
  #lastExchange = 0;
  #lastSession = 0;

  constructor(limits: Limits, receive: (message: Incoming) => void) {
    this.limits = limits;
    this.receive = receive;
  }

  /** A2A has no sessions and nobody ends one; a peer that was here may come back. */
  get hasHadPeers(): boolean {
    return this.#lastSession > 0;
  }

  /** What a connection carries hangs together. */
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

  take({ session, method, id, params, noted, reply, era, wire, toWire, extensions }: Asked): void {
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
      if (written !== false) sent(otherThan(content, toWire), cutOf(written));
    });
  }

  answer(exchange: string, answer: Answer, sent: Answered, order?: WireOrder): void {
    const reply = this.#replies.get(exchange);
    const toWire = this.#wires.get(exchange);
    this.#replies.delete(exchange);
    this.#wires.delete(exchange);
    const wire = (): Value | undefined =>
      answer.kind === 'result' ? otherThan(answer.result, toWire) : undefined;
    if (order !== undefined) {
      if (reply?.isGone === false)
        reply.ordered(answer, order, (performed) => sent(wire(), undefined, performed));
      return;
    }
    reply?.answer(answer, (written) => {
      if (written !== false) sent(wire(), cutOf(written));
    });
  }

  warn(code: string, message: string): void {
    this.receive({ kind: 'warning', code, message });
  }
}

/** A result as it is spelt, where that is not as it is. */
function otherThan(result: Value, toWire: ((result: Value) => Value) | undefined): Value | undefined {
  const wire = toWire?.(result);
  return wire === result ? undefined : wire;
}

function cutOf(written: Written): string | undefined {
  return typeof written === 'string' ? written : undefined;
}
