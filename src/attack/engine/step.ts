import type { MarkerRecord } from '../../format/model/trace-record.ts';
import { failUnreachable, type Value } from '../../format/model/value.ts';
import type { ProtocolEvent } from '../../format/primitives/evaluate-trigger.ts';
import type { ActorState, OpenExchange } from './actor.ts';
import type { Effect, Incoming, Unstamped } from './actor-messages.ts';
import { type AnswerPlan, type CarriedEvent, isClientBinding } from './binding.ts';
import { endCall, giveUpCalls, missPart, planOpening, readPart, readRuledId, recordAnswer } from './calls.ts';
import { carryOn, giveUpWaiting } from './exchanges.ts';
import { advanceOn, beginAwaited, enterPhase, performActs } from './run-phases.ts';
import {
  beginWork,
  createAnswerRecord,
  createEraField,
  createMessageRecord,
  createPlanContext,
  extractValues,
  fillFor,
  finishStep,
  getPhase,
  readContent,
  recordWarnings,
  type StepContext,
  type StepWork,
  setAsked,
} from './work.ts';

export type { StepContext } from './work.ts';

export type ActorInput = { readonly now: number } & (
  | { readonly kind: 'start' }
  | { readonly kind: 'tick' }
  | { readonly kind: 'message'; readonly message: Incoming }
);

interface ActorStep {
  readonly actor: ActorState;
  readonly effects: readonly Effect[];
}

/**
 * Applies an input to an actor. There is no clock, timer, socket or wait inside: time comes in with the input, and
 * actions go out as effects. A message is handled whole: it is recorded and extracted from, then answered; the answer
 * is recorded and extracted from; then the trigger is evaluated.
 */
export function stepActor(actor: ActorState, input: ActorInput, context: StepContext): ActorStep {
  const work = beginWork(actor, input.now, context);
  switch (input.kind) {
    case 'start':
      if (isClientBinding(work.context.binding)) planOpening(work, work.context.binding);
      enterPhase(work, 0);
      break;
    case 'tick':
      for (const exchange of giveUpWaiting(work)) resume(work, exchange);
      giveUpCalls(work);
      beginAwaited(work);
      performActs(work);
      advanceOn(work, undefined);
      break;
    case 'message':
      handle(work, input.message);
      break;
    default:
      failUnreachable(input);
  }
  return { actor: finishStep(work), effects: work.effects };
}

function handle(work: StepWork, message: Incoming): void {
  switch (message.kind) {
    case 'request':
      handleRequest(work, message);
      break;
    case 'notification':
      handleNotification(work, message);
      break;
    case 'answer':
      if (isClientBinding(work.context.binding)) takeAnswer(work, message);
      else handleAnswer(work, message);
      break;
    case 'part':
      takePart(work, message);
      break;
    case 'end':
      endCall(work, message);
      performActs(work);
      break;
    case 'refused':
      recordRefusedMessage(work, message);
      break;
    case 'malformed': {
      const { ask, ...marker } = message;
      // After the end of an answer there is nothing to look for.
      const isLate = ask !== undefined && work.calls.get(ask)?.overAt !== undefined;
      mark(work, { ...marker, ...readRuledId(work, ask), ...(isLate && { late: true }) });
      if (ask !== undefined) missPart(work, ask, message.reason);
      break;
    }
    case 'connection':
    case 'log':
      mark(work, message);
      break;
    case 'warning': {
      const { code, message: text } = message;
      recordWarnings(work, work.phase, [{ severity: 'warning', code, message: text }]);
      break;
    }
    case 'fault':
      work.effects.push({ kind: 'fail', message: message.reason });
      break;
    default:
      failUnreachable(message);
  }
}

/**
 * A part of an agent's answer belongs to the phase in which it comes, whichever phase asked for it, and counts there
 * once we have answered it in turn. A phase that has not yet sent its own messages is not ended by answers to the phase
 * before.
 */
function takePart(work: StepWork, message: Extract<Incoming, { kind: 'part' }>): void {
  const { phase } = work;
  const askedIn = work.calls.get(message.ask)?.phase ?? phase;
  const isWaiting =
    work.awaiting.length > 0 || work.agenda.some((planned) => planned.phase === phase && !planned.isFollowUp);
  const events = readPart(work, message);
  performActs(work);
  if (askedIn < phase && isWaiting) return;
  for (const { eventType, content } of events) countEvent(work, phase, eventType, content);
}

/** An answer in one piece may end the phase before its next call goes out; the remaining calls are then dropped. */
function takeAnswer(work: StepWork, message: Extract<Incoming, { kind: 'answer' }>): void {
  const { phase } = work;
  for (const { eventType, content } of recordAnswer(work, message)) countEvent(work, phase, eventType, content);
  performActs(work);
}

function mark(work: StepWork, { kind, ...fields }: Unstamped<MarkerRecord>): void {
  const { name: actor } = work.context.program;
  const phase = getPhase(work, work.phase).name;
  work.effects.push({ kind: 'record', record: { kind, actor, phase, ...fields } });
}

function handleRequest(work: StepWork, message: Extract<Incoming, { kind: 'request' }>): void {
  const { exchange, session, method, id, params, era, repeated, wire } = message;
  const content = readContent(params);
  if (era !== undefined) tellUnheard(work, era);
  const { within, isRepeated } = handleWithin(work, message);
  const { phase } = work;
  recordSaid(work, message, { id, content, ...(wire !== undefined && { wire }) });
  const { binding } = work.context;
  const { state } = getPhase(work, phase);
  const unresolved: string[] = [];
  const fill = fillFor(work, phase, params, unresolved);
  const plan =
    binding.plan?.({ method, params, id, era, repeated }, state, fill, createPlanContext(work)) ?? planNoAnswer(method);
  if (plan.memory !== undefined) work.memory = plan.memory;
  recordWarnings(work, phase, plan.warnings ?? []);
  const beside = { era, within, ...(isRepeated && { isRepeated }) };
  resume(work, { exchange, session, method, id, params, phase, plan, unresolved, step: 0, ...beside });
}

/** Records a message that the agent sends of its own accord, and extracts from it. */
function recordSaid(
  work: StepWork,
  { kind, method, session, noted, era }: Extract<Incoming, { kind: 'request' | 'notification' }>,
  said: { readonly id?: Value; readonly content: Value; readonly wire?: Value },
): void {
  const { phase } = work;
  const { wire, ...body } = said;
  const form = { session, ...(noted !== undefined && { noted }), ...createEraField(era, wire) };
  const record = createMessageRecord(work, phase, { kind, origin: 'agent', method, ...body, ...form });
  work.effects.push({ kind: 'record', record });
  extractValues(work, phase, body.content, 'request');
}

/** Warns the author of a phase that never ends, because it waits for an event that this peer cannot send. */
function tellUnheard(work: StepWork, era: string): void {
  const { binding } = work.context;
  const { event } = getPhase(work, work.phase);
  if (event === undefined || isClientBinding(binding) || !binding.isUnheard?.(event, era)) return;
  const message = `the phase waits for ${event}, which no client of ${era} sends`;
  recordWarnings(work, work.phase, [{ severity: 'warning', code: 'O-113', message }]);
}

/**
 * Handles the events that a peer's message contains, under the names that documents use for them. They are recorded,
 * extracted from and counted before the message, except those that count once the message is answered.
 */
function handleWithin(
  work: StepWork,
  message: Extract<Incoming, { kind: 'request' | 'notification' }>,
): { readonly within: readonly ProtocolEvent[]; readonly isRepeated?: true } {
  const { session, method, params, era } = message;
  const { binding } = work.context;
  const { state } = getPhase(work, work.phase);
  const id = message.kind === 'request' ? message.id : undefined;
  const reading = isClientBinding(binding)
    ? undefined
    : binding.saidWithin?.({ method, params, id, era }, state, createPlanContext(work));
  if (reading === undefined) return { within: [] };
  if (reading.memory !== undefined) work.memory = reading.memory;
  const within: ProtocolEvent[] = [];
  for (const { kind, method: eventType, content, isAnsweredToo } of reading.events) {
    const { phase } = work;
    const fields = { kind, origin: 'agent', method: eventType, content, session, within: method } as const;
    const record = createMessageRecord(work, phase, { ...fields, ...createEraField(era) });
    work.effects.push({ kind: 'record', record });
    extractValues(work, phase, content, kind === 'response' ? 'response' : 'request');
    if (isAnsweredToo) within.push({ eventType, content });
    else countEvent(work, phase, eventType, content);
  }
  return { within, ...(reading.isRepeated && { isRepeated: true }) };
}

function planNoAnswer(method: string): AnswerPlan {
  const error = { code: -32601, message: `Method not found: ${method}` };
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}

/** A request counts as an event once it is answered, in the phase in which it arrived. */
function resume(work: StepWork, exchange: OpenExchange): void {
  if (carryOn(work, exchange) === 'waiting') return;
  const { phase, method, params, within, isRepeated } = exchange;
  if (!isRepeated) countEvent(work, phase, method, readContent(params));
  for (const event of within) advanceOn(work, event);
}

function countEvent(work: StepWork, phase: number, eventType: string, content: Value): void {
  if (phase === work.phase) advanceOn(work, { eventType, content });
}

function handleNotification(work: StepWork, message: Extract<Incoming, { kind: 'notification' }>): void {
  const { method, params } = message;
  const content = readContent(params);
  const { within } = handleWithin(work, message);
  const { phase } = work;
  recordSaid(work, message, { content });
  countEvent(work, phase, method, content);
  for (const event of within) advanceOn(work, event);
}

/** Records a refused message. It is not an event: nothing is extracted from it, and no trigger sees it. */
function recordRefusedMessage(work: StepWork, refused: Extract<Incoming, { kind: 'refused' }>): void {
  const { session, ask, message, reason, status } = refused;
  const { kind, id, content, failed, era } = message;
  const answers = ask ?? (kind === 'response' && typeof id === 'string' ? id : '');
  const call = work.calls.get(answers);
  const asked = call ?? work.asked.get(answers);
  const fields = {
    kind,
    origin: 'agent',
    ...(id !== undefined && { id }),
    ...(session !== undefined && { session }),
    ...(failed && { failed }),
    ...(era !== undefined && { era }),
    refused: reason,
    ...(status !== undefined && { status }),
  } as const;
  // The reader of an answer can name its parts; the refused part does not advance the reader.
  const reading = kind === 'event' ? call?.reader.read(content, work.context.ids) : undefined;
  const request = kind === 'response' && asked?.params !== undefined ? { request: asked.params } : {};
  const method = message.method ?? (kind === 'event' ? undefined : asked?.method) ?? 'unknown';
  const events: readonly CarriedEvent[] = reading?.events ?? [{ method, content, ...request }];
  for (const { isDerived, ...event } of events)
    if (!isDerived)
      work.effects.push({
        kind: 'record',
        record: createMessageRecord(work, work.phase, { ...fields, ...event }),
      });
}

/** Handles an answer to a request of ours. It belongs to the phase of the request, however late it comes. */
function handleAnswer(work: StepWork, message: Extract<Incoming, { kind: 'answer' }>): void {
  const { ask } = message;
  const asked = work.asked.get(ask);
  const phase = asked?.phase ?? work.phase;
  const record = createAnswerRecord(work, phase, message, asked);
  work.effects.push({ kind: 'record', record });
  if (asked === undefined) return;
  const { method, content } = record;
  extractValues(work, phase, content, 'response');
  const { waiting, ...rest } = asked;
  setAsked(work, ask, rest);
  if (waiting !== undefined) resume(work, waiting.exchange);
  // Format spec §7.1.2: the event `ping` is a ping that the agent sends; its answer to our ping is not that event.
  const { binding } = work.context;
  if (isClientBinding(binding) || !binding.isPeersToo?.(method)) countEvent(work, phase, method, content);
}
