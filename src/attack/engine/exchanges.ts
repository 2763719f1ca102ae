import type { WireRule } from '../../format/extensions/read-wire.ts';
import type { AppliedWireRule } from '../../format/model/applied-wire-rule.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import type { Value, ValueMap } from '../../format/model/value.ts';
import type { OpenExchange, PendingRequest } from './actor.ts';
import {
  type Answer,
  type Recipient,
  readAnswerContent,
  readFailedField,
  type Sending,
  type Unstamped,
} from './actor-messages.ts';
import { type Fill, isClientBinding, type PlanStep } from './binding.ts';
import { findWireRule } from './match-wire-rules.ts';
import { applyRuleToAnswer, isDropped } from './wire-answer.ts';
import {
  createMessageRecord,
  createPlaceFields,
  extractValues,
  fillFor,
  getPhase,
  readContent,
  recordWarnings,
  type StepWork,
  setAsked,
} from './work.ts';

/** The number of requests remembered, because answers may come late, or from every session. */
const mostRemembered = 1_000;

/** The place of a message in the document. */
export type MessagePieces = Pick<MessageRecord, 'pieces' | 'unresolved'>;

export function notifyPeer(
  work: StepWork,
  phase: number,
  target: Recipient,
  method: string,
  params: Value | undefined,
  place: MessagePieces = {},
  manner?: Value,
): void {
  const content = readContent(params);
  const fields = { kind: 'notification', origin: 'attacker', method, content, ...place } as const;
  const record = createMessageRecord(work, phase, fields);
  const order = findMessageRule(work, phase, method, params);
  if (order === 'dropped') return;
  work.effects.push({ kind: 'notify', target, method, params, record, ...toSending(manner, order) });
  // Format spec §5.5: a request is a request whichever side sends it, and so is a notification.
  extractValues(work, phase, content, 'request');
}

function toSending(manner: Value | undefined, order: AppliedWireRule | undefined): { readonly how?: Sending } {
  if (manner === undefined && order === undefined) return {};
  return { how: { ...(manner !== undefined && { manner }), ...(order !== undefined && { order }) } };
}

/** Finds the rule for a message that is not an answer. A dropped message leaves a record. */
function findMessageRule(
  work: StepWork,
  phase: number,
  method: string,
  params: Value | undefined,
): AppliedWireRule | 'dropped' | undefined {
  const ruled = findWireRule(work, phase, { method, params, fill: fillFor(work, phase) });
  if (ruled === undefined) return undefined;
  if (!isDropped(ruled.rule)) return ruled.order;
  recordDropped(work, phase, ruled.rule, { method });
  return 'dropped';
}

/** Records a dropped message. It was not sent, but the document wanted that, so the drop counts as delivered. */
function recordDropped(work: StepWork, phase: number, { pointer }: WireRule, fields: ValueMap): void {
  const { program, binding } = work.context;
  const { name: actor, mode } = program;
  const place = { actor, phase: getPhase(work, phase).name, mode, protocol: binding.protocol };
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

interface AskOptions {
  /** The request that waits for the answer. */
  readonly exchange?: OpenExchange | undefined;
  /** The place of the request in the document; called after its templates are filled in. */
  placed?(): MessagePieces;
  readonly manner?: Value | undefined;
}

export function askPeer(
  work: StepWork,
  phase: number,
  target: Recipient,
  method: string,
  createParams: () => Value | undefined,
  { exchange, placed = () => ({}), manner }: AskOptions = {},
): void {
  work.asks += 1;
  const key = `${work.context.program.name}-${work.asks}`;
  const params = createParams();
  const content = readContent(params);
  const record = createMessageRecord(work, phase, {
    kind: 'request',
    origin: 'attacker',
    method,
    id: key,
    content,
    ...placed(),
  });
  const order = findMessageRule(work, phase, method, params);
  if (order !== 'dropped') {
    work.effects.push({ kind: 'ask', target, ask: key, method, params, record, ...toSending(manner, order) });
    extractValues(work, phase, content, 'request');
  }
  const deadline = work.now + work.context.askMs;
  if (exchange !== undefined) work.effects.push({ kind: 'wake', at: deadline });
  rememberRequest(work, key, {
    method,
    params,
    phase,
    ...(exchange !== undefined && { waiting: { exchange, deadline } }),
  });
}

/** Remembers a request, so that a late answer is still matched to it. */
export function rememberRequest(work: StepWork, key: string, entry: PendingRequest): void {
  const asked = setAsked(work, key, entry);
  if (asked.size <= mostRemembered) return;
  for (const [oldest, { waiting }] of asked)
    if (waiting === undefined) {
      asked.delete(oldest);
      return;
    }
}

export function forgetRequest(work: StepWork, key: string): void {
  const asked = new Map(work.asked);
  asked.delete(key);
  work.asked = asked;
}

/**
 * Carries on the plan of a request. At the end the request is answered, unless it stays open or has to wait for the
 * peer.
 */
export function carryOn(work: StepWork, exchange: OpenExchange): 'answered' | 'waiting' {
  const { plan, params, phase, unresolved } = exchange;
  const target = { exchange: exchange.exchange };
  const fill = fillFor(work, phase, params, unresolved);
  for (let index = exchange.step; index < plan.steps.length; index++) {
    const step = plan.steps[index] as PlanStep;
    const placed = (): MessagePieces => createPlaceFields(work, phase, step.pieces, unresolved);
    if (step.kind === 'ask') {
      const rest = { ...exchange, step: index + 1 };
      askPeer(work, phase, target, step.method, () => step.params(fill), { exchange: rest, placed });
      return 'waiting';
    }
    if (step.kind === 'part') sendPart(work, exchange, step.content(fill), placed);
    else {
      const filled = step.params(fill);
      notifyPeer(work, phase, target, step.method, filled, placed());
    }
  }
  if (!plan.staysOpen) answerExchange(work, exchange, fill);
  return 'answered';
}

function answerExchange(work: StepWork, exchange: OpenExchange, fill: Fill): void {
  const { params, phase, plan, unresolved, method, id, session } = exchange;
  const planned = plan.answer(fill);
  const ruled = findWireRule(work, phase, { method, params, id, fill });
  if (ruled === undefined) {
    sendToPeer(work, exchange, planned, createPlaceFields(work, phase, plan.pieces, unresolved));
    return;
  }
  const { rule, order } = ruled;
  if (isDropped(rule)) {
    recordDropped(work, phase, rule, { method, id, session });
    return;
  }
  const { binding } = work.context;
  const keys = isClientBinding(binding) ? undefined : binding.pageKeys;
  const { answer: given, isOther, unapplied = [] } = applyRuleToAnswer(planned, { rule, fill, keys, exchange });
  const actions = order.actions.filter((action) => !unapplied.includes(action));
  const place = createPlaceFields(work, phase, isOther ? [] : plan.pieces, unresolved);
  sendToPeer(work, exchange, given, place, { ...order, actions });
}

function sendToPeer(
  work: StepWork,
  exchange: OpenExchange,
  given: Answer,
  place: MessagePieces,
  order?: AppliedWireRule,
): void {
  const content = readAnswerContent(given);
  const record = createExchangeRecord(work, exchange, 'response', content, {
    ...place,
    ...readFailedField(given),
  });
  const ordered = order === undefined ? {} : { order };
  work.effects.push({ kind: 'answer', exchange: exchange.exchange, answer: given, record, ...ordered });
  extractValues(work, exchange.phase, content, 'response');
}

function sendPart(work: StepWork, exchange: OpenExchange, content: Value, placed: () => MessagePieces): void {
  const record = createExchangeRecord(work, exchange, 'event', content, placed());
  work.effects.push({ kind: 'part', exchange: exchange.exchange, content, record });
  extractValues(work, exchange.phase, content, 'response');
}

function createExchangeRecord(
  work: StepWork,
  { method, id, session, era, params, phase }: OpenExchange,
  kind: 'response' | 'event',
  content: Value,
  beside: Partial<MessageRecord>,
): Unstamped<MessageRecord> {
  const request = params === undefined ? {} : { request: params };
  const where = { session, ...(era !== undefined && { era }) };
  const fields = { kind, origin: 'attacker', method, content, id, ...where, ...request, ...beside } as const;
  return createMessageRecord(work, phase, fields);
}

/** Yields the requests that waited for a peer whose time is over; they go on without its answer. */
export function* giveUpWaiting(work: StepWork): Generator<OpenExchange> {
  for (const [key, entry] of work.asked) {
    const { waiting, ...rest } = entry;
    if (waiting === undefined || waiting.deadline > work.now) continue;
    setAsked(work, key, rest);
    recordWarnings(work, rest.phase, [
      {
        severity: 'warning',
        code: 'O-102',
        message: `${rest.method} was not answered in time; the call is answered without`,
      },
    ]);
    yield waiting.exchange;
  }
}
