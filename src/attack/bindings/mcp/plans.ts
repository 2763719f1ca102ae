import type { Value } from '../../../format/model/value.ts';
import type { AnswerPlan, PlanStep } from '../../engine/binding.ts';

export const invalidParams = -32602;

const noSteps: readonly PlanStep[] = [];
const noPieces: readonly string[] = [];

/** `pieces`: the places in the state that the result comes from. */
export function planMcpResult(result: Value, pieces: readonly string[] = noPieces): AnswerPlan {
  return { steps: noSteps, answer: answerWithResult(result), pieces };
}

export function answerWithResult(result: Value): AnswerPlan['answer'] {
  return (fill) => ({ kind: 'result', result: fill(result) });
}

/** Errors quote the peer, so their templates are not filled in. */
export function planMcpError(error: Value): AnswerPlan {
  return { steps: noSteps, answer: () => ({ kind: 'error', error }) };
}
