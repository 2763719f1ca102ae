import type { AnswerPlan, PlanStep } from '../../engine/binding.ts';
import type { Value } from '../../model/value.ts';

export const invalidParams = -32602;

const noSteps: readonly PlanStep[] = [];
const noPieces: readonly string[] = [];

/** `pieces`: the places in the state that the result comes from. */
export function succeed(result: Value, pieces: readonly string[] = noPieces): AnswerPlan {
  return { steps: noSteps, answer: resultOf(result), pieces };
}

export function resultOf(result: Value): AnswerPlan['answer'] {
  return (fill) => ({ kind: 'result', result: fill(result) });
}

/** Errors quote the peer, so their templates are not filled in. */
export function fail(error: Value): AnswerPlan {
  return { steps: noSteps, answer: () => ({ kind: 'error', error }) };
}
