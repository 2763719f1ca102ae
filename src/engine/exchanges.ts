import type { MessageRecord } from '../model/trace.ts';
import type { Value, ValueMap } from '../model/value.ts';
import type { WireOrder } from '../model/wire.ts';
import type { OpenExchange, PendingRequest } from './actor.ts';
import { type Fill, isClientBinding, type PlanStep } from './binding.ts';
import {
  type Answer,
  answerContent,
  failedOf,
  type Recipient,
  type Sending,
  type Unstamped,
} from './messages.ts';
import { ruleFor, type WireRule } from './wire.ts';
import { isDropped, ruledAnswer } from './wire-answer.ts';
import {
  contentOf,
  eraField,
  extract,
  fillFor,
  messageRecord,
  phaseAt,
  placeOf,
  setAsked,
  type Work,
  warn,
} from './work.ts';

/** The number of requests remembered, because answers may come late, or from every session. */
const mostRemembered = 1_000;

/** The place of a message in the document. */
export type MessagePieces = Pick<MessageRecord, 'pieces' | 'unresolved'>;

export function notify(
  work: Work,
  phase: number,
  target: Recipient,
  method: string,
  params: Value | undefined,
  place: MessagePieces = {},
  manner?: Value,
): void {
  const content = contentOf(params);
  const fields = { kind: 'notification', origin: 'attacker', method, content, ...place } as const;
  const record = messageRecord(work, phase, fields);
  const order = orderFor(work, phase, method, params);
  if (order === 'dropped') return;
  work.effects.push({ kind: 'notify', target, method, params, record, ...sending(manner, order) });
  // Format spec §5.5: a request is a request whichever side sends it, and so is a notification.
  extract(work, phase, content, 'request');
}

function sending(manner: Value | undefined, order: WireOrder | undefined): { readonly how?: Sending } {
  if (manner === undefined && order === undefined) return {};
  return { how: { ...(manner !== undefined && { manner }), ...(order !== undefined && { order }) } };
}

/** Finds the order for a message that is not an answer. A dropped message leaves a record. */
function orderFor(
  work: Work,
  phase: number,
  method: string,
  params: Value | undefined,
): WireOrder | 'dropped' | undefined {
  const ruled = ruleFor(work, phase, { method, params, fill: fillFor(work, phase) });
  if (ruled === undefined) return undefined;
  if (!isDropped(ruled.rule)) return ruled.order;
  recordDropped(work, phase, ruled.rule, { method });
  return 'dropped';
}

/** Records a dropped message. It was not sent, but the document wanted that, so the drop counts as delivered. */
function recordDropped(work: Work, phase: number, { pointer }: WireRule, fields: ValueMap): void {
  const { program, binding } = work.context;
  const { name: actor, mode } = program;
  const place = { actor, phase: phaseAt(work, phase).name, mode, protocol: binding.protocol };
  const record = {
    kind: 'wire',
    ...place,
    ...fields,
    did: ['drop'],
    rule: pointer,
    pieces: [pointer],
  } as const;
  work.effects.push({ kind: 'record', record });
}

export interface AskOptions {
  /** The request that waits for the answer. */
  readonly exchange?: OpenExchange | undefined;
  /** The place of the request in the document; called after its templates are filled in. */
  placed?(): MessagePieces;
  readonly manner?: Value | undefined;
}

export function ask(
  work: Work,
  phase: number,
  target: Recipient,
  method: string,
  paramsOf: (ask: string) => Value | undefined,
  { exchange, placed = () => ({}), manner }: AskOptions = {},
): void {
  work.asks += 1;
  const key = `${work.context.program.name}-${work.asks}`;
  const params = paramsOf(key);
  const content = contentOf(params);
  const record = messageRecord(work, phase, {
    kind: 'request',
    origin: 'attacker',
    method,
    id: key,
    content,
    ...placed(),
  });
  const order = orderFor(work, phase, method, params);
  if (order !== 'dropped') {
    work.effects.push({ kind: 'ask', target, ask: key, method, params, record, ...sending(manner, order) });
    extract(work, phase, content, 'request');
  }
  const deadline = work.now + work.context.askMs;
  if (exchange !== undefined) work.effects.push({ kind: 'wake', at: deadline });
  remember(work, key, {
    method,
    params,
    phase,
    ...(exchange !== undefined && { waiting: { exchange, deadline } }),
  });
}

/** Remembers a request, so that a late answer is still matched to it. */
export function remember(work: Work, key: string, entry: PendingRequest): void {
  const asked = setAsked(work, key, entry);
  if (asked.size <= mostRemembered) return;
  for (const [oldest, { waiting }] of asked)
    if (waiting === undefined) {
      asked.delete(oldest);
      return;
    }
}

export function forget(work: Work, key: string): void {
  const asked = new Map(work.asked);
  asked.delete(key);
  work.asked = asked;
}

/**
 * Carries on the plan of a request. At the end the request is answered, unless it stays open or has to wait for the
 * peer.
 */
export function carryOn(work: Work, exchange: OpenExchange): 'answered' | 'waiting' {
  const { plan, params, phase, unresolved } = exchange;
  const target = { exchange: exchange.exchange };
  const fill = fillFor(work, phase, params, unresolved);
  for (let index = exchange.step; index < plan.steps.length; index++) {
    const step = plan.steps[index] as PlanStep;
    const placed = (): MessagePieces => placeOf(work, phase, step.pieces, unresolved);
    if (step.kind === 'ask') {
      const rest = { ...exchange, step: index + 1 };
      ask(work, phase, target, step.method, (key) => step.params(fill, key), { exchange: rest, placed });
      return 'waiting';
    }
    if (step.kind === 'part') part(work, exchange, step.content(fill), placed);
    else {
      const filled = step.params(fill);
      notify(work, phase, target, step.method, filled, placed());
    }
  }
  if (!plan.staysOpen) answer(work, exchange, fill);
  return 'answered';
}

function answer(work: Work, exchange: OpenExchange, fill: Fill): void {
  const { params, phase, plan, unresolved, method, id, session } = exchange;
  const planned = plan.answer(fill);
  const ruled = ruleFor(work, phase, { method, params, id, fill });
  if (ruled === undefined) {
    send(work, exchange, planned, placeOf(work, phase, plan.pieces, unresolved));
    return;
  }
  const { rule, order } = ruled;
  if (isDropped(rule)) {
    recordDropped(work, phase, rule, { method, id, session });
    return;
  }
  const { binding } = work.context;
  const keys = isClientBinding(binding) ? undefined : binding.pageKeys;
  const { answer: given, isOther, undone = [] } = ruledAnswer(planned, { rule, fill, keys, exchange });
  const deeds = order.deeds.filter((deed) => !undone.includes(deed));
  const place = placeOf(work, phase, isOther ? [] : plan.pieces, unresolved);
  send(work, exchange, given, place, { ...order, deeds });
}

function send(
  work: Work,
  exchange: OpenExchange,
  given: Answer,
  place: MessagePieces,
  order?: WireOrder,
): void {
  const content = answerContent(given);
  const record = recordOf(work, exchange, 'response', content, { ...place, ...failedOf(given) });
  const ordered = order === undefined ? {} : { order };
  work.effects.push({ kind: 'answer', exchange: exchange.exchange, answer: given, record, ...ordered });
  extract(work, exchange.phase, content, 'response');
}

function part(work: Work, exchange: OpenExchange, content: Value, placed: () => MessagePieces): void {
  const record = recordOf(work, exchange, 'event', content, placed());
  work.effects.push({ kind: 'part', exchange: exchange.exchange, content, record });
  extract(work, exchange.phase, content, 'response');
}

function recordOf(
  work: Work,
  { method, id, session, era, params, phase }: OpenExchange,
  kind: 'response' | 'event',
  content: Value,
  beside: Partial<MessageRecord>,
): Unstamped<MessageRecord> {
  const request = params === undefined ? {} : { request: params };
  const where = { session, ...eraField(era) };
  const fields = { kind, origin: 'attacker', method, content, id, ...where, ...request, ...beside } as const;
  return messageRecord(work, phase, fields);
}

/** Yields the requests that waited for a peer whose time is over; they go on without its answer. */
export function* giveUpWaiting(work: Work): Generator<OpenExchange> {
  for (const [key, entry] of work.asked) {
    const { waiting, ...rest } = entry;
    if (waiting === undefined || waiting.deadline > work.now) continue;
    setAsked(work, key, rest);
    warn(work, rest.phase, [
      {
        severity: 'warning',
        code: 'O-102',
        message: `${rest.method} was not answered in time; the call is answered without`,
      },
    ]);
    yield waiting.exchange;
  }
}
