import type { Answer, Effect } from '../engine/messages.ts';
import { weigh } from '../generate/expand.ts';
import type { Value } from '../model/value.ts';
import { asWritten, mostHeld, replacingGenerated } from '../transport/expanded.ts';

/**
 * Limits the bytes of generated values that a run sends. Past the limit, a message goes out as the document writes it,
 * without the generated value, so it has delivered nothing.
 */
export function createGeneratedBudget(most: number): (effect: Effect) => readonly Effect[] {
  let spent = 0;
  return (effect) => {
    const content = contentOf(effect);
    const weight = content === undefined ? 0 : weightOf(content);
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
    return [warning, inPlain(effect, message)];
  };
}

/** Tells whether the document has an order for the message. */
function isOrdered(effect: Effect): boolean {
  if (effect.kind === 'answer') return effect.order !== undefined;
  return (effect.kind === 'notify' || effect.kind === 'ask') && effect.how?.order !== undefined;
}

function contentOf(effect: Effect): Value | undefined {
  switch (effect.kind) {
    case 'answer':
      return answerValue(effect.answer);
    case 'part':
      return effect.content;
    case 'notify':
    case 'ask':
      return effect.params;
    default:
      return undefined;
  }
}

function answerValue(answer: Answer): Value {
  return answer.kind === 'result' ? answer.result : answer.error;
}

function weightOf(value: Value): number {
  let weight = 0;
  replacingGenerated(value, ({ recipe }) => {
    weight += weigh(recipe);
    return null;
  });
  return weight;
}

function inPlain(effect: Effect, noted: string): Effect {
  if (!('record' in effect) || effect.kind === 'record') return effect;
  const { pieces: _, ...rest } = effect.record;
  const record = { ...rest, content: asWritten(rest.content), noted };
  switch (effect.kind) {
    case 'answer': {
      const { answer } = effect;
      const plain: Answer =
        answer.kind === 'result'
          ? { kind: 'result', result: asWritten(answer.result) }
          : { kind: 'error', error: asWritten(answer.error) };
      return { ...effect, answer: plain, record };
    }
    case 'part':
      return { ...effect, content: asWritten(effect.content), record };
    case 'notify':
    case 'ask':
      return {
        ...effect,
        params: effect.params === undefined ? undefined : asWritten(effect.params),
        record,
      };
  }
}
