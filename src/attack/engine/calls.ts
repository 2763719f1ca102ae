import type { AppliedWireRule } from '../../format/model/applied-wire-rule.ts';
import type { Value } from '../../format/model/value.ts';
import type { ProtocolEvent } from '../../format/primitives/evaluate-trigger.ts';
import { messageValue } from '../../format/primitives/message-value.ts';
import type { ActorState, OpenCall, PlannedAct } from './actor.ts';
import type { Incoming } from './actor-messages.ts';
import { type AnswerTrouble, findAnswerTrouble, toTransportTrouble } from './answer-trouble.ts';
import {
  type Act,
  type Acts,
  type CarriedEvent,
  type ClientBinding,
  isClientBinding,
  type PartReading,
} from './binding.ts';
import { forgetRequest, type MessagePieces, notifyPeer, rememberRequest } from './exchanges.ts';
import { findWireRule } from './match-wire-rules.ts';
import { mostUnfinished, notePolled, noteProgress, takePolls } from './polls.ts';
import {
  createAnswerRecord,
  createEraField,
  createMessageRecord,
  createPlaceFields,
  extractValues,
  fillFor,
  getPhase,
  keepValue,
  readContent,
  recordWarnings,
  type StepWork,
} from './work.ts';

// The client's side of the engine: what a phase does on entry, and how answers are read.

/** Limits an agent that answers each of our answers with another question, which would never end. */
const mostFollowUps = 25;

/** A peer may keep a stream open although its answer is complete; we look for more parts for this long. */
const lingerMs = 1_000;

/** The handshake comes before everything else, whatever the phases do. */
export function planOpening(work: StepWork, binding: ClientBinding): void {
  const opening = binding.opening?.(getPhase(work, 0).state, work.context.ids);
  if (opening !== undefined) planActs(work, 0, opening, true);
}

export function planEntry(work: StepWork, binding: ClientBinding): void {
  const { state, hasOwnState } = getPhase(work, work.phase);
  if (!hasOwnState) return;
  planActs(work, work.phase, binding.acts(state, work.context.ids), false);
}

/** An entry action goes out before the acts of its phase. */
export function planSend(
  work: StepWork,
  binding: ClientBinding,
  method: string,
  params: Value | undefined,
  place: MessagePieces,
): void {
  const content = binding.entryContent === undefined ? params : binding.entryContent(method, params);
  const act: Act = {
    method,
    place,
    content: () => content,
    ...(binding.isNotification?.(method) && { isNotification: true }),
  };
  planActs(work, work.phase, { acts: [act] }, false);
}

function planActs(work: StepWork, phase: number, { acts, warnings = [] }: Acts, isFollowUp: boolean): void {
  recordWarnings(work, phase, warnings);
  const planned = acts.map((act) => ({ act, phase, isFollowUp }));
  const owed = work.agenda.filter((other) => other.isFollowUp);
  const own = work.agenda.filter((other) => !other.isFollowUp);
  // Answers that we owe the agent go before the acts of a phase.
  work.agenda = isFollowUp ? [...owed, ...planned, ...own] : [...owed, ...own, ...planned];
}

interface OwnEvent extends CarriedEvent {
  readonly phase: number;
}

/** Performs the acts that can go out now, and yields those that count as events. */
export function* carryOnAgenda(work: StepWork): Generator<OwnEvent> {
  for (let next = takeNext(work); next !== undefined; next = takeNext(work)) {
    const { phase } = next;
    const unresolved: string[] = [];
    const fill = fillFor(work, phase, undefined, unresolved);
    const act = next.act.resolve?.(fill) ?? next.act;
    const params = act.content(fill);
    const content = readContent(params);
    const carried = act.carries?.(content) ?? [];
    for (const event of carried) submitAct(work, phase, event);
    const place = act.place ?? createPlaceFields(work, phase, act.pieces, unresolved);
    const manner = act.manner?.(fill);
    if (act.isNotification) notifyPeer(work, phase, 'every session', act.method, params, place, manner);
    else callAsRuled(work, { ...next, act }, params, place, { manner });
    for (const event of carried) yield { phase, ...event };
    if (act.counts) yield { phase, method: act.method, content };
  }
  planPoll(work);
}

/** Polls the peer's unfinished work, once nothing else is left to send or to receive. */
function planPoll(work: StepWork): void {
  const isBusy = [...work.calls.values()].some((open) => open.overAt === undefined && open.polls === undefined);
  if (isBusy) return;
  for (const [polls, { method, params }] of takePolls(work)) {
    const act: Act = { method, content: () => params };
    startCall(work, { act, phase: work.phase, isFollowUp: false }, params, {}, { polls });
  }
}

/**
 * A phase makes one call after the other. Calls of an earlier phase may still be streaming when the next phase speaks;
 * only an answer that we owe the agent goes first.
 */
function takeNext(work: StepWork): PlannedAct | undefined {
  const [next, ...rest] = work.agenda;
  if (next === undefined) return undefined;
  for (const { phase, isFollowUp, overAt, polls, isAside } of work.calls.values()) {
    const isAwaited = overAt === undefined && polls === undefined && isAside === undefined;
    if (isAwaited && (phase === next.phase || isFollowUp)) return undefined;
  }
  work.agenda = rest;
  return next;
}

interface CallOptions {
  readonly polls?: string;
  readonly manner?: Value | undefined;
  /** The `x-wire` rule that fits the call, and what it does to the call. */
  readonly ruled?: ReturnType<typeof findWireRule>;
}

/** Makes a call as often as its rule says, under the name that the rule gives. A call without a rule is made once. */
function callAsRuled(
  work: StepWork,
  planned: PlannedAct,
  params: Value | undefined,
  place: MessagePieces,
  options: CallOptions,
): void {
  const { act, phase } = planned;
  const ruled = findWireRule(work, phase, { method: act.method, params, fill: fillFor(work, phase) });
  const { repeat = 1 } = ruled?.order ?? {};
  const { as: name } = ruled?.rule.actions ?? {};
  for (let time = 0; time < repeat; time += 1) {
    startCall(work, planned, params, place, { ...options, ruled });
    if (time === 0 && typeof name === 'string') keepValue(work, name, `${work.context.program.name}-${work.asks}`);
  }
}

function startCall(
  work: StepWork,
  { act, phase, isFollowUp }: PlannedAct,
  params: Value | undefined,
  place: MessagePieces,
  { polls, manner, ruled }: CallOptions,
): void {
  const { binding, program } = work.context;
  if (!isClientBinding(binding)) return;
  const { method } = act;
  const content = readContent(params);
  work.asks += 1;
  const key = `${program.name}-${work.asks}`;
  const reader = binding.reader({ method, params }, getPhase(work, phase).state);
  const deadline = work.now + work.context.askMs;
  const isTimed = binding.isTimed && polls === undefined;
  const timed = isTimed ? { deadline } : {};
  if (isTimed) work.effects.push({ kind: 'wake', at: deadline });
  const polling = polls === undefined ? {} : { polls };
  const aside = ruled?.rule.actions.together === true ? { isAside: true as const } : {};
  const named = ruled === undefined ? {} : { isRuled: true as const };
  setCall(work, key, { method, params, phase, isFollowUp, reader, ...timed, ...polling, ...aside, ...named });
  const id = binding.hasIds ? { id: key } : {};
  const fields = { kind: 'request', origin: 'attacker', method, content, ...id, ...place } as const;
  const record = createMessageRecord(work, phase, fields);
  const how = {
    ...(act.older !== undefined && { older: act.older(content) }),
    ...(manner !== undefined && { manner }),
    ...(ruled !== undefined && { order: dropAnswerActions(ruled.order) }),
  };
  work.effects.push({ kind: 'ask', target: 'every session', ask: key, method, params, record, how });
  if (polls === undefined) extractValues(work, phase, content, 'request');
}

/** Each repetition is a message of its own, so the actions that apply only to answers are left out. */
function dropAnswerActions({ repeat: _, hold: __, stream: ___, ...order }: AppliedWireRule): AppliedWireRule {
  return order;
}

function submitAct(work: StepWork, phase: number, event: CarriedEvent): void {
  const record = createMessageRecord(work, phase, { kind: 'event', origin: 'attacker', ...event });
  work.effects.push({ kind: 'record', record });
  extractValues(work, phase, event.content, 'response');
}

/** Reads a part of an answer. The part is recorded and extracted from, and may have to be answered. */
export function readPart(
  work: StepWork,
  { ask, part, session, raw, noted, era, wire }: Extract<Incoming, { kind: 'part' }>,
): readonly ProtocolEvent[] {
  const open = work.calls.get(ask);
  const reading = open?.reader.read(part, work.context.ids);
  if (open === undefined || reading === undefined) {
    const { name: actor } = work.context.program;
    const phase = getPhase(work, work.phase).name;
    const reason = 'not an event of this protocol';
    const fields = { kind: 'event', origin: 'agent', method: 'unknown', content: part, session } as const;
    work.effects.push({
      kind: 'record',
      record: createMessageRecord(work, work.phase, { ...fields, refused: reason }),
    });
    work.effects.push({
      kind: 'record',
      record: { kind: 'malformed', actor, phase, session, ...readRuledId(work, ask), reason, raw: raw() },
    });
    missPart(work, ask, reason);
    return [];
  }
  const { events, next, isOver } = reading;
  const values = events.map(({ isDerived, ...event }) => {
    const beside = { session, ...createEraField(era, wire), ...(noted !== undefined && { noted }) };
    const fields = { kind: 'event', origin: 'agent', ...beside, ...event } as const;
    const record = createMessageRecord(work, work.phase, fields);
    if (!isDerived) work.effects.push({ kind: 'record', record });
    const value = messageValue(record);
    extractValues(work, work.phase, value, 'response');
    return { eventType: event.method, content: value };
  });
  const wasOver = open.overAt !== undefined;
  setCall(work, ask, {
    ...open,
    reader: next,
    hasBegun: true,
    ...((isOver || wasOver) && { overAt: work.now }),
  });
  if (isOver && !wasOver) work.effects.push({ kind: 'wake', at: work.now + lingerMs });
  followUp(work, ask, open.phase, reading);
  if (!noteProgress(work, ask, open, part))
    setTrouble(work, ask, {
      reason: `it has more than ${mostUnfinished} tasks unfinished`,
      cause: 'cut_off',
    });
  return values;
}

/**
 * Reads an answer that comes in one piece: an event that is named after the call and carries its request. An answer
 * that we did not ask for is recorded, but is not an event.
 */
export function recordAnswer(work: StepWork, message: Extract<Incoming, { kind: 'answer' }>): readonly ProtocolEvent[] {
  const { ask, answer } = message;
  const open = work.calls.get(ask);
  const asked = open ?? work.asked.get(ask);
  const record = createAnswerRecord(work, work.phase, message, asked);
  work.effects.push({ kind: 'record', record });
  if (asked === undefined) return [];
  dropCall(work, ask);
  const given = answer.kind === 'result' ? answer.result : undefined;
  if (open?.polls !== undefined) {
    notePolled(work, open.polls, open, given);
    return [];
  }
  const value = messageValue(record);
  extractValues(work, work.phase, value, 'response');
  forgetRequest(work, ask);
  if (given !== undefined) noteProgress(work, ask, asked, given);
  return [{ eventType: asked.method, content: value }];
}

/** Gives up calls whose time is over. A late answer is still recognized by its key. */
export function giveUpCalls(work: StepWork): void {
  for (const [key, { method, params, phase, deadline }] of work.calls) {
    if (deadline === undefined || deadline > work.now) continue;
    dropCall(work, key);
    rememberRequest(work, key, { method, params, phase });
    recordWarnings(work, phase, [
      { severity: 'warning', code: 'O-102', message: `${method} was not answered in time` },
    ]);
  }
}

function dropCall(work: StepWork, key: string): void {
  const calls = new Map(work.calls);
  calls.delete(key);
  work.calls = calls;
}

export function endCall(
  work: StepWork,
  { ask, session, reason, absent = false, failed = false, status }: Extract<Incoming, { kind: 'end' }>,
): void {
  const open = work.calls.get(ask);
  const { name: actor } = work.context.program;
  const phase = getPhase(work, work.phase).name;
  const ended = toTransportTrouble(reason, failed ? undefined : open);
  const trouble = open === undefined ? ended : findAnswerTrouble(open, ended);
  const isAbsent = absent && trouble?.cause === 'trouble';
  work.effects.push({
    kind: 'record',
    record: {
      kind: 'connection',
      actor,
      phase,
      session,
      ...readRuledId(work, ask),
      event: 'closed',
      ...trouble,
      ...(isAbsent && { absent }),
      ...(trouble?.cause === 'trouble' && status !== undefined && { status }),
    },
  });
  dropCall(work, ask);
  if (open?.polls !== undefined) notePolled(work, open.polls, open);
}

/** The id under which later records name a request that an `x-wire` rule changed. */
export function readRuledId(work: StepWork, ask: string | undefined): { readonly id?: string } {
  return ask !== undefined && work.calls.get(ask)?.isRuled ? { id: ask } : {};
}

/**
 * Notes that a part of an answer cannot be read: it may be what an indicator looks for. After the end of an answer
 * nothing is looked for.
 */
export function missPart(work: StepWork, ask: string, reason: string): void {
  const open = work.calls.get(ask);
  if (open === undefined || open.overAt !== undefined) return;
  setTrouble(work, ask, { reason: `a part of its answer cannot be read: ${reason}`, cause: 'unread' });
}

function setTrouble(work: StepWork, ask: string, trouble: AnswerTrouble): void {
  const open = work.calls.get(ask);
  if (open !== undefined && open.trouble === undefined) setCall(work, ask, { ...open, trouble });
}

/** Answers an agent that waits for us, up to a limit. */
function followUp(work: StepWork, ask: string, phase: number, reading: Partial<PartReading>): void {
  const { acts = [], warnings = [], trouble, cutOff } = reading;
  if (trouble !== undefined) setTrouble(work, ask, { reason: trouble, cause: 'trouble' });
  if (cutOff !== undefined) setTrouble(work, ask, { reason: cutOff, cause: 'cut_off' });
  if (acts.length === 0) {
    recordWarnings(work, phase, warnings);
    return;
  }
  work.followUps += 1;
  if (work.followUps <= mostFollowUps) {
    planActs(work, phase, { acts, warnings }, true);
    return;
  }
  const reason = `it was answered ${mostFollowUps} times in one phase, and still asks`;
  setTrouble(work, ask, { reason, cause: 'cut_off' });
  const message = `the agent was answered ${mostFollowUps} times in this phase; it is not answered any more`;
  if (work.followUps === mostFollowUps + 1)
    recordWarnings(work, phase, [{ severity: 'warning', code: 'O-106', message }]);
}

function setCall(work: StepWork, key: string, open: OpenCall): void {
  work.calls = new Map(work.calls).set(key, open);
}

/** Tells whether a client waits for nothing more from its calls. */
export function hasNothingOpen({ calls, unfinished, awaiting }: ActorState, now: number): boolean {
  if (unfinished.size > 0 || awaiting.length > 0) return false;
  // An act that is still to go out waits for a call that is open.
  return [...calls.values()].every(({ overAt }) => overAt !== undefined && now >= overAt + lingerMs);
}
