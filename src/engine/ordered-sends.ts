import type { MessageRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { WireFlood, WireOrder, WirePerformed } from '../model/wire.ts';
import type { ActorProgram } from './actor.ts';
import type { RunPorts } from './actor-loop.ts';
import { type Binding, isClientBinding } from './binding.ts';
import type { Effect, Incoming, Recipient, Unstamped } from './messages.ts';
import type { Sent, Transport } from './ports.ts';
import { deedsOfTransport, harmOf, speaksWithin } from './wire-order.ts';
import { createWireTiming } from './wire-timing.ts';
import { contentOf, eraField } from './work.ts';

// Sends the messages that `x-wire` has an order for.

/** The transport's report about an ordered message. */
interface Ordered {
  readonly wire: Value | undefined;
  readonly cut: string | undefined;
  readonly performed: WirePerformed | undefined;
}

type Write = (sent: Sent, how: { readonly order?: WireOrder }) => void;

export interface OrderedSends {
  answer(effect: Extract<Effect, { kind: 'answer' }>, order: WireOrder): void;
  /** Sends a message that is not an answer; `write` sends it once, with the transport's part of the order. */
  send(record: Unstamped<MessageRecord>, order: WireOrder, write: Write): void;
  /** Called when an answer without an order has gone out. */
  answered(): void;
  received(message: Incoming): void;
  stop(): void;
}

/** Deeds that send something to the agent: a rule with one of them has not reached the agent before it is sent. */
const saying: ReadonlySet<string> = new Set(['error', 'flood', 'bytes', 'http', 'sse', 'grpc']);

/** Deeds that the engine cannot do to a kind of message. */
const impossible: { readonly [kind in 'answers' | 'requests' | 'others']: readonly string[] } = {
  answers: ['as', 'together', 'read'],
  requests: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'],
  others: ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'],
};

/** Tells whether an order does nothing but keep the agent waiting. */
function isWaiting({ deeds, delayMs = 0, hold }: WireOrder): boolean {
  return (delayMs > 0 || hold === 'cancelled') && !deeds.some((deed) => saying.has(deed));
}

export function createOrderedSends(
  program: ActorProgram,
  binding: Binding,
  transport: Transport,
  ports: Pick<RunPorts, 'clock' | 'record' | 'warn'>,
): OrderedSends {
  const timing = createWireTiming(ports.clock);

  /** Records a message that went out by a rule. The rule's changes are a piece of the document as well. */
  function recordOrdered(
    { pieces = [], ...record }: Unstamped<MessageRecord>,
    order: WireOrder,
    { wire, cut, performed = {} }: Ordered,
  ): void {
    const { undone = [], ...told } = performed;
    for (const deed of undone) warnUndone(deed, order);
    const did = order.deeds.filter((deed) => !undone.includes(deed));
    const { harm = cut ?? harmOf(order, did), ...written } = told;
    const isRead = harm === undefined;
    const isRuleDelivered = did.length > 0 && (isRead || !speaksWithin(order));
    const arrived = [...(isRead ? pieces : []), ...(isRuleDelivered ? [order.rule] : [])];
    ports.record({
      ...record,
      ...(arrived.length > 0 && { pieces: arrived }),
      ...eraField(record.era, wire),
      sent: { rule: order.rule, did, ...(harm !== undefined && { harm }), ...written },
    });
  }

  /** Records that the agent is kept waiting from now on; it may leave before the end. */
  function recordWaiting(record: Unstamped<MessageRecord>, { rule, delayMs }: WireOrder): void {
    const { actor, phase, session, mode, protocol, method, id } = record;
    ports.record({
      kind: 'wire',
      actor,
      ...(phase !== undefined && { phase }),
      ...(session !== undefined && { session }),
      mode,
      protocol,
      method,
      ...(id !== undefined && { id }),
      did: ['wait'],
      ...(delayMs !== undefined && { delay_ms: delayMs }),
      rule,
      pieces: [rule],
    });
  }

  function warnUndone(deed: string, { rule }: WireOrder): void {
    const message = `${program.name}: nothing came of ${rule}/${deed}: this transport cannot do it, or it changes nothing here`;
    ports.warn({ severity: 'warning', code: 'O-116', message });
  }

  /**
   * Adds the deeds that were not done. A transport that reports nothing about an order has done nothing of it. The
   * engine itself repeats messages that are not answers.
   */
  function withUndone(
    performed: WirePerformed | undefined,
    order: WireOrder,
    kind: keyof typeof impossible,
    hasFlooded: boolean,
  ): WirePerformed {
    const ofTransport = deedsOfTransport(order).filter((deed) => kind === 'answers' || deed !== 'repeat');
    const undone = new Set([
      ...(performed === undefined ? ofTransport : (performed.undone ?? [])),
      ...order.deeds.filter((deed) => impossible[kind].includes(deed)),
      ...(hasFlooded ? [] : order.deeds.filter((deed) => deed === 'flood')),
      ...(order.hold === undefined ? order.deeds.filter((deed) => deed === 'hold') : []),
      // Only the side that sent the request can leave while it is answered.
      ...(kind !== 'requests' && order.end?.when === 'answering' ? ['end'] : []),
    ]);
    return { ...performed, undone: [...undone] };
  }

  /** One notification of a flood. */
  function floodWith(
    { method, params }: WireFlood,
    target: Recipient,
    record: Unstamped<MessageRecord>,
    { rule }: WireOrder,
    noteSent: () => void,
  ): void {
    const { id: _id, request: _request, pieces: _pieces, ...place } = record;
    const content = contentOf(params);
    const each = { ...place, kind: 'notification', method, content, pieces: [rule] } as const;
    const sent: Sent = (session, era) => {
      noteSent();
      ports.record({ ...each, session, ...eraField(era) });
    };
    transport.notify(target, method, params, sent);
  }

  /** Removes a hold that can never end: `cancelled` needs a protocol in which the peer can cancel. */
  function possible(order: WireOrder): WireOrder {
    const canGiveUp = !isClientBinding(binding) && binding.givesUp !== undefined;
    if (order.hold !== 'cancelled' || canGiveUp) return order;
    const { hold: _, ...rest } = order;
    return rest;
  }

  function answer(effect: Extract<Effect, { kind: 'answer' }>, given: WireOrder): void {
    const { exchange, record } = effect;
    const order = possible(given);
    let hasFlooded = false;
    if (isWaiting(order)) recordWaiting(record, order);
    timing.send(
      order,
      record.id,
      () => {
        transport.answer(
          exchange,
          effect.answer,
          (wire, cut, performed) =>
            recordOrdered(record, order, {
              wire,
              cut,
              performed: withUndone(performed, order, 'answers', hasFlooded),
            }),
          order,
        );
        timing.answered();
      },
      (each) =>
        floodWith(each, { exchange }, record, order, () => {
          hasFlooded = true;
        }),
    );
  }

  function send(record: Unstamped<MessageRecord>, order: WireOrder, write: Write): void {
    const isOfClient = isClientBinding(binding);
    const kind = isOfClient && record.kind === 'request' ? 'requests' : 'others';
    let hasFlooded = false;
    const sent: Sent = (session, era, wire, cut, performed) =>
      recordOrdered({ ...record, session, ...eraField(era) }, order, {
        wire,
        cut,
        performed: withUndone(performed, order, kind, hasFlooded),
      });
    const isOfTransport = deedsOfTransport(order).some((deed) => deed !== 'repeat');
    const how = isOfTransport ? { order } : {};
    const times = isOfClient ? 1 : (order.repeat ?? 1);
    timing.send(
      order,
      undefined,
      () => {
        for (let time = 0; time < times; time += 1) write(sent, how);
      },
      (each) =>
        floodWith(each, 'every session', record, order, () => {
          hasFlooded = true;
        }),
    );
  }

  return {
    answer,
    send,
    answered: timing.answered,
    received(message) {
      if (message.kind === 'notification' && !isClientBinding(binding))
        timing.cancelled(binding.givesUp?.(message.method, message.params));
    },
    stop: timing.stop,
  };
}
