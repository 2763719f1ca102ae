import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { AnswerPlan, Fill, PeerRequest, PlanContext } from '../../engine/binding.ts';
import type { ServedEra } from '../served-era.ts';
import { type A2aServerMemory, findRememberedTask } from './a2a-server-memory.ts';
import { readMapText } from './a2a-shapes.ts';
import type { CardUrls } from './card.ts';

export interface HandlerCall {
  readonly params: ValueMap;
  readonly request: PeerRequest;
  readonly state: ValueMap;
  readonly fill: Fill;
  readonly context: PlanContext;
  readonly memory: A2aServerMemory;
  readonly cardUrls: CardUrls;
  readonly served: ServedEra;
}

export type Handler = (call: HandlerCall) => AnswerPlan;

export const errors = {
  methodNotFound: -32601,
  invalidParams: -32602,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  pushNotSupported: -32003,
  unsupportedOperation: -32004,
} as const;

/** Whether the card itself says that the agent cannot do this. A client that asks for it all the same is refused. */
export function isCapabilityDenied({ state }: HandlerCall, name: string): boolean {
  const { agent_card: card } = state;
  const capabilities = isValueMap(card) ? card.capabilities : undefined;
  return isValueMap(capabilities) && capabilities[name] === false;
}

/** Finds the task that the params name by `id`. */
export function planForTask(
  { params, memory }: Pick<HandlerCall, 'params' | 'memory'>,
  plan: (task: ValueMap, id: string) => AnswerPlan,
  key = 'id',
): AnswerPlan {
  const id = readMapText(params, key);
  if (id === undefined) return planA2aError(errors.invalidParams, `\`${key}\` is missing`);
  const task = findRememberedTask(memory, id);
  return task === undefined ? planA2aError(errors.taskNotFound, `Task not found: ${id}`) : plan(task, id);
}

export function planA2aResult(result: Value): AnswerPlan {
  return { steps: [], answer: () => ({ kind: 'result', result }) };
}

export function planA2aError(code: number, message: string): AnswerPlan {
  const error = { code, message };
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}
