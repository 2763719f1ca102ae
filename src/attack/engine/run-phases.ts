import type { Action } from '../../format/model/attack-document.ts';
import type { Value } from '../../format/model/value.ts';
import type { ProtocolEvent } from '../../format/primitives/evaluate-trigger.ts';
import { isClientBinding } from './binding.ts';
import { carryOnAgenda, planEntry, planSend } from './calls.ts';
import { askPeer, type MessagePieces, notifyPeer } from './exchanges.ts';
import { warnOfOverdue } from './overdue.ts';
import { beginAwaiting, stopAwaiting } from './phase-awaits.ts';
import { createPlanContext, fillFor, getPhase, recordWarnings, type StepWork } from './work.ts';

export function enterPhase(work: StepWork, index: number): void {
  work.phase = index;
  work.enteredAt = work.now;
  work.trigger = { eventCount: 0 };
  work.followUps = 0;
  const { name, awaits, afterMs } = getPhase(work, index);
  const { effects, context, now } = work;
  effects.push({ kind: 'record', record: { kind: 'phase', actor: context.program.name, phase: name } });
  leaveAgenda(work);
  leaveAwaited(work);
  beginAwaiting(work, awaits);
  if (work.awaiting.length === 0) beginPhase(work);
  if (afterMs !== undefined) effects.push({ kind: 'wake', at: now + afterMs });
  performActs(work);
  // A phase whose `after` is zero ends at once.
  advanceOn(work, undefined);
}

/** Performs the phase's own entry actions and acts. */
function beginPhase(work: StepWork): void {
  const { phase, context } = work;
  getPhase(work, phase).onEnter.forEach((action, position) => {
    performEntryAction(work, action, `/phases/${phase}/on_enter/${position}`);
  });
  if (isClientBinding(context.binding)) planEntry(work, context.binding);
}

/** Begins a phase that has waited, once every value has come or its time is over. */
export function beginAwaited(work: StepWork): void {
  if (work.awaiting.length === 0) return;
  const stopped = stopAwaiting(work);
  if (stopped === 'waiting') return;
  const { missing } = stopped;
  if (missing.length > 0) {
    const message = `${missing.join(', ')} did not come in time; the phase goes on without`;
    recordWarnings(work, work.phase, [{ severity: 'warning', code: 'O-115', message }]);
  }
  beginPhase(work);
}

/** Warns that a phase was left while it waited, so it has sent nothing of its own accord. */
function leaveAwaited(work: StepWork): void {
  if (work.awaiting.length === 0) return;
  const names = work.awaiting.flatMap(({ names }) => names).join(', ');
  work.awaiting = [];
  const message = `the phase before ended before ${names} had come, so it sent nothing of its own accord`;
  recordWarnings(work, work.phase, [{ severity: 'warning', code: 'O-115', message }]);
}

/** Performs the acts of a client as far as possible now; those that count as events may end the phase. */
export function performActs(work: StepWork): void {
  for (const { phase, method, content } of carryOnAgenda(work))
    if (phase === work.phase) advanceOn(work, { eventType: method, content });
}

/** Drops the remaining acts of the phase that ended. */
function leaveAgenda(work: StepWork): void {
  const dropped = work.agenda.filter(({ isFollowUp }) => !isFollowUp);
  const [first] = dropped;
  if (first === undefined) return;
  work.agenda = work.agenda.filter(({ isFollowUp }) => isFollowUp);
  const methods = [...new Set(dropped.map(({ act }) => act.method))].join(', ');
  const message = `the phase was over before it had sent everything; ${dropped.length} left out: ${methods}`;
  recordWarnings(work, first.phase, [{ severity: 'warning', code: 'O-110', message }]);
}

/** Evaluates the trigger, and enters the next phase if it fires. */
export function advanceOn(work: StepWork, event: ProtocolEvent | undefined): void {
  const { trigger: ends } = getPhase(work, work.phase);
  if (ends === undefined || work.phase + 1 >= work.context.program.phases.length) return;
  const result = ends(event, (work.now - work.enteredAt) / 1_000, work.trigger);
  if (result.kind === 'advanced') enterPhase(work, work.phase + 1);
  else if (result.failure !== undefined)
    recordWarnings(work, work.phase, [warnOfOverdue('the trigger', result.failure.message)]);
}

function performEntryAction(work: StepWork, { send, log, binding }: Action, piece: string): void {
  const { phase, effects, context } = work;
  const unresolved: string[] = [];
  const fill = fillFor(work, phase, undefined, unresolved);
  if (send?.method !== undefined) {
    const method = String(fill(send.method));
    const params = send.params === undefined ? undefined : fill(send.params);
    sendOnEntry(work, method, params, readEntryPlace(piece, unresolved));
  }
  if (log?.message !== undefined) {
    const message = String(fill(log.message));
    const level = log.level ?? 'info';
    effects.push({ kind: 'log', level, message });
    const { name: actor } = context.program;
    effects.push({
      kind: 'record',
      record: { kind: 'log', actor, phase: getPhase(work, phase).name, level, message },
    });
  }
  for (const [name, value] of Object.entries(binding ?? {})) {
    const filled = fill(value);
    performOwn(work, name, filled, readEntryPlace(piece, unresolved));
  }
}

function readEntryPlace(piece: string, unresolved: readonly string[]): MessagePieces {
  return { pieces: [piece], ...(unresolved.length > 0 && { unresolved: [...unresolved] }) };
}

/** Performs an entry action that the binding defines: the binding says what to ask for, and the transport sends it. */
function performOwn(work: StepWork, name: string, value: Value, place: MessagePieces): void {
  const { phase, context } = work;
  const { binding } = context;
  const does = binding.entryAction?.(name, value, createPlanContext(work));
  if (does === undefined) {
    const message = `no binding knows the entry action "${name}"; it is skipped`;
    recordWarnings(work, phase, [{ severity: 'warning', code: 'O-101', message }]);
    return;
  }
  const { method, params, manner, warnings = [] } = does;
  recordWarnings(work, phase, warnings);
  if (method === undefined) return;
  if (isClientBinding(binding)) planSend(work, binding, method, params, place);
  else if (binding.isNotification(method)) notifyPeer(work, phase, 'every session', method, params, place, manner);
  else askPeer(work, phase, 'every session', method, () => params, { placed: () => place, manner });
}

function sendOnEntry(work: StepWork, method: string, params: Value | undefined, place: MessagePieces): void {
  const { phase, context } = work;
  if (isClientBinding(context.binding)) planSend(work, context.binding, method, params, place);
  else if (context.binding.isNotification(method)) notifyPeer(work, phase, 'every session', method, params, place);
  else askPeer(work, phase, 'every session', method, () => params, { placed: () => place });
}
