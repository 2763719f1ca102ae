import type { Plan, PlanStep } from '../../engine/binding.ts';
import type { Value } from '../../model/value.ts';

export const invalidParams = -32602;

const noSteps: readonly PlanStep[] = [];
const noPieces: readonly string[] = [];

/** `pieces`: where in the state the result stands. */
export function succeed(result: Value, pieces: readonly string[] = noPieces): Plan {
  return { steps: noSteps, answer: resultOf(result), pieces };
}

export function resultOf(result: Value): Plan['answer'] {
  return (fill) => ({ kind: 'result', result: fill(result) });
}

/** Errors quote the peer, so they go out as they are. */
export function fail(error: Value): Plan {
  return { steps: noSteps, answer: () => ({ kind: 'error', error }) };
}
