import type { AppliedWireRule, WireFlood, WirePerformed } from '../../format/model/applied-wire-rule.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';
import type { ActorProgram } from './actor.ts';
import type { RunPorts } from './actor-loop.ts';
import type { Effect, Incoming, Recipient, Unstamped } from './actor-messages.ts';
import { findHarm, hasAddedWords, listTransportActions } from './apply-wire-rule.ts';
import { type Binding, isClientBinding } from './binding.ts';
import type { Clock, Sent, Transport } from './ports.ts';
import { createEraField, readContent } from './work.ts';

// Sends the messages to which a rule of `x-wire` applies.

/** The transport's report about a message with a rule. */
interface RuledSendReport {
  readonly wire: Value | undefined;
  readonly cut: string | undefined;
  readonly performed: WirePerformed | undefined;
}

type Write = (sent: Sent, how: { readonly order?: AppliedWireRule }) => void;

interface RuledSends {
  answer(effect: Extract<Effect, { kind: 'answer' }>, order: AppliedWireRule): void;
  /** Sends a message that is not an answer; `write` sends it once, with the transport's part of the rule. */
  send(record: Unstamped<MessageRecord>, order: AppliedWireRule, write: Write): void;
  /** Called when an answer without a rule has gone out. */
  answered(): void;
  received(message: Incoming): void;
  stop(): void;
}

/** Actions that send something to the agent: a rule with one of them reaches the agent only when that is sent. */
const saying: ReadonlySet<string> = new Set(['error', 'flood', 'bytes', 'http', 'sse', 'grpc']);

/** Actions that the engine cannot carry out on a kind of message. */
const impossible: { readonly [kind in 'answers' | 'requests' | 'others']: readonly string[] } = {
  answers: ['as', 'together', 'read'],
  requests: ['error', 'pages', 'hold', 'id', 'stream', 'sse', 'grpc'],
  others: ['error', 'flood', 'pages', 'hold', 'as', 'together', 'read'],
};

/** Tells whether a rule does nothing but keep the agent waiting. */
function isWaiting({ actions, delayMs = 0, hold }: AppliedWireRule): boolean {
  return (delayMs > 0 || hold === 'cancelled') && !actions.some((action) => saying.has(action));
}

export function createRuledSends(
  program: ActorProgram,
  binding: Binding,
  transport: Transport,
  ports: Pick<RunPorts, 'clock' | 'record' | 'warn'>,
): RuledSends {
  const timing = createWireTiming(ports.clock);

  /** Records a message that went out by a rule. The rule's changes are a piece of the document as well. */
  function recordOrdered(
    { pieces = [], ...record }: Unstamped<MessageRecord>,
    order: AppliedWireRule,
    { wire, cut, performed = {} }: RuledSendReport,
  ): void {
    const { unapplied = [], ...spelling } = performed;
    for (const action of unapplied) warnUndone(action, order);
    const did = order.actions.filter((action) => !unapplied.includes(action));
    const { harm = cut ?? findHarm(order, did), ...written } = spelling;
    const isRead = harm === undefined;
    const isRuleDelivered = did.length > 0 && (isRead || !hasAddedWords(order));
    const arrived = [...(isRead ? pieces : []), ...(isRuleDelivered ? [order.rule] : [])];
    ports.record({
      ...record,
      ...(arrived.length > 0 && { pieces: arrived }),
      ...createEraField(record.era, wire),
      sent: { rule: order.rule, did, ...(harm !== undefined && { harm }), ...written },
    });
  }

  /** Records that the agent is kept waiting from now on; it may leave before the end. */
  function recordWaiting(record: Unstamped<MessageRecord>, { rule, delayMs }: AppliedWireRule): void {
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

  function warnUndone(action: string, { rule }: AppliedWireRule): void {
    const message = `${program.name}: nothing came of ${rule}/${action}: this transport cannot do it, or it changes nothing here`;
    ports.warn({ severity: 'warning', code: 'O-116', message });
  }

  /**
   * Adds the actions that were not carried out. A transport that reports nothing about a rule has carried out none of
   * them. The engine itself repeats messages that are not answers.
   */
  function withUndone(
    performed: WirePerformed | undefined,
    order: AppliedWireRule,
    kind: keyof typeof impossible,
    hasFlooded: boolean,
  ): WirePerformed {
    const ofTransport = listTransportActions(order).filter((action) => kind === 'answers' || action !== 'repeat');
    const unapplied = new Set([
      ...(performed === undefined ? ofTransport : (performed.unapplied ?? [])),
      ...order.actions.filter((action) => impossible[kind].includes(action)),
      ...(hasFlooded ? [] : order.actions.filter((action) => action === 'flood')),
      ...(order.hold === undefined ? order.actions.filter((action) => action === 'hold') : []),
      // Only the side that sent the request can leave while it is answered.
      ...(kind !== 'requests' && order.end?.when === 'answering' ? ['end'] : []),
    ]);
    return { ...performed, unapplied: [...unapplied] };
  }

  function floodWith(
    { method, params }: WireFlood,
    target: Recipient,
    record: Unstamped<MessageRecord>,
    { rule }: AppliedWireRule,
    noteSent: () => void,
  ): void {
    const { id: _id, request: _request, pieces: _pieces, ...place } = record;
    const content = readContent(params);
    const each = { ...place, kind: 'notification', method, content, pieces: [rule] } as const;
    const sent: Sent = (session, era) => {
      noteSent();
      ports.record({ ...each, session, ...createEraField(era) });
    };
    transport.notify(target, method, params, sent);
  }

  /** Removes a hold that can never end: `cancelled` needs a protocol in which the peer can cancel. */
  function possible(order: AppliedWireRule): AppliedWireRule {
    const canGiveUp = !isClientBinding(binding) && binding.givesUp !== undefined;
    if (order.hold !== 'cancelled' || canGiveUp) return order;
    const { hold: _, ...rest } = order;
    return rest;
  }

  function answer(effect: Extract<Effect, { kind: 'answer' }>, given: AppliedWireRule): void {
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

  function send(record: Unstamped<MessageRecord>, order: AppliedWireRule, write: Write): void {
    const isOfClient = isClientBinding(binding);
    const kind = isOfClient && record.kind === 'request' ? 'requests' : 'others';
    let hasFlooded = false;
    const sent: Sent = (session, era, wire, cut, performed) =>
      recordOrdered({ ...record, session, ...createEraField(era) }, order, {
        wire,
        cut,
        performed: withUndone(performed, order, kind, hasFlooded),
      });
    const isOfTransport = listTransportActions(order).some((action) => action !== 'repeat');
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

// Decides when a message with a rule goes out. Only documents with `x-wire` use it.

/** The number of notifications of a flood without pauses that go out before other work gets its turn. */
const floodAtOnce = 100;

interface HeldMessage {
  readonly until: 'next' | 'cancelled';
  readonly id: Value | undefined;
  go(): void;
}

interface WireTiming {
  /** Calls `go` when the rule says so; `flood` sends one notification of the rule's flood. */
  send(order: AppliedWireRule, id: Value | undefined, go: () => void, flood: (each: WireFlood) => void): void;
  /** Called when an answer has gone out: answers that were held until then follow it. */
  answered(): void;
  /** Called when the peer has cancelled a request. */
  cancelled(id: Value | undefined): void;
  stop(): void;
}

export function createWireTiming(clock: Clock): WireTiming {
  const timers = new Set<() => void>();
  let held: HeldMessage[] = [];

  function after(milliseconds: number, call: () => void): void {
    const cancel = clock.wakeAt(clock.now() + milliseconds, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
  }

  function release(isMeant: (each: HeldMessage) => boolean): void {
    const free = held.filter(isMeant);
    held = held.filter((each) => !isMeant(each));
    for (const { go } of free) go();
  }

  function pour(flood: WireFlood, left: number, send: (each: WireFlood) => void, done: () => void): void {
    const now = flood.everyMs === 0 ? Math.min(left, floodAtOnce) : Math.min(left, 1);
    for (let sent = 0; sent < now; sent += 1) send(flood);
    if (left <= now) done();
    else after(flood.everyMs, () => pour(flood, left - now, send, done));
  }

  return {
    send({ delayMs = 0, hold, flood }, id, go, sendOne) {
      const last = hold === undefined ? go : () => void held.push({ until: hold, id, go });
      const then = flood === undefined ? last : () => pour(flood, flood.count, sendOne, last);
      if (delayMs > 0) after(delayMs, then);
      else then();
    },
    answered: () => release(({ until }) => until === 'next'),
    cancelled: (id) => release((each) => each.until === 'cancelled' && each.id === id),
    stop() {
      for (const cancel of timers) cancel();
      held = [];
    },
  };
}
