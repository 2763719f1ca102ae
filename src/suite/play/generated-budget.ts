import { type Answer, type Effect, readAnswerContent } from '../../attack/engine/actor-messages.ts';
import {
  describeGeneratedValue,
  hasGenerated,
  mostHeld,
  replaceGenerated,
  restoreWritten,
} from '../../attack/transport/expand-generated.ts';
import { estimateSize } from '../../format/generate/kinds.ts';
import { isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';

/**
 * Limits the bytes of generated values that a run sends. Past the limit, a message goes out as the document writes it,
 * without the generated value, so it has delivered nothing.
 */
export function createGeneratedBudget(most: number): (effect: Effect) => readonly Effect[] {
  let spent = 0;
  return (effect) => {
    const content = findEffectContent(effect);
    const weight = content === undefined ? 0 : weighGenerated(content);
    if (weight === 0) return [effect];
    const message =
      isOrdered(effect) && weight > mostHeld
        ? `what x-wire changes is held whole, and has at most ${mostHeld} bytes of generated values; it goes out as the document has it`
        : spent + weight > most
          ? `a run sends at most ${most} bytes of generated values; what follows goes out as the document has it`
          : undefined;
    if (message === undefined) {
      spent += weight;
      return [effect];
    }
    const warning: Effect = { kind: 'warn', diagnostic: { severity: 'warning', code: 'O-118', message } };
    return [warning, toPlainEffect(effect, message)];
  };
}

/** Whether a rule of the document applies to the message. */
function isOrdered(effect: Effect): boolean {
  if (effect.kind === 'answer') return effect.order !== undefined;
  return (effect.kind === 'notify' || effect.kind === 'ask') && effect.how?.order !== undefined;
}

function findEffectContent(effect: Effect): Value | undefined {
  switch (effect.kind) {
    case 'answer':
      return readAnswerContent(effect.answer);
    case 'part':
      return effect.content;
    case 'notify':
    case 'ask':
      return effect.params;
    default:
      return undefined;
  }
}

function weighGenerated(value: Value): number {
  let weight = 0;
  replaceGenerated(value, ({ recipe }) => {
    weight += estimateSize(recipe);
    return null;
  });
  return weight;
}

function toPlainEffect(effect: Effect, noted: string): Effect {
  if (!('record' in effect) || effect.kind === 'record') return effect;
  const { pieces: _, ...rest } = effect.record;
  const record = { ...rest, content: restoreWritten(rest.content), noted };
  switch (effect.kind) {
    case 'answer': {
      const { answer } = effect;
      const plain: Answer =
        answer.kind === 'result'
          ? { kind: 'result', result: restoreWritten(answer.result) }
          : { kind: 'error', error: restoreWritten(answer.error) };
      return { ...effect, answer: plain, record };
    }
    case 'part':
      return { ...effect, content: restoreWritten(effect.content), record };
    case 'notify':
    case 'ask':
      return {
        ...effect,
        params: effect.params === undefined ? undefined : restoreWritten(effect.params),
        record,
      };
  }
}

/** Parts of a record that may contain what we sent. */
const parts = ['content', 'request', 'wire'] as const;

/** Removes generated values from a record: the trace keeps how each was made, and its digest. */
export function dropGenerated(record: TraceRecord): TraceRecord {
  if (!isMessageRecord(record)) return record;
  const expanded: { [part in (typeof parts)[number]]?: Value } = {};
  for (const part of parts) {
    const value = record[part];
    if (value !== undefined && hasGenerated(value)) expanded[part] = replaceGenerated(value, describeGeneratedValue);
  }
  return { ...record, ...expanded };
}
