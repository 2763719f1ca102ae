import type { Value, ValueMap } from '../../../format/model/value.ts';
import type { ChatMessage, ModelInput } from '../model.ts';
import { createNumberSupply, findValueInWords } from './fill-arguments.ts';
import { findFacts } from './find-facts.ts';
import { classifyParameter } from './parameter-kind.ts';
import { findSinceTask } from './task-section.ts';
import { splitTaskSteps, type TaskStep } from './task-steps.ts';
import { createEmptyValue, type ToolParameter } from './tool-parameters.ts';
import type { ToolProfile } from './tool-profile.ts';

/** A call that the user's own words ask for. */
export interface TaskCall {
  readonly tool: ToolProfile;
  readonly arguments: ValueMap;
}

/**
 * The calls that do the user's task, including those already made. A step that lacks a value waits until the steps
 * before it have been answered.
 */
export function planTaskCalls(input: ModelInput): readonly TaskCall[] {
  const { task, messages, before } = findSinceTask(input.messages);
  const steps = splitTaskSteps(task, joinUserTexts(before), input);
  return steps.flatMap((step, index): readonly TaskCall[] => {
    const { tool, given, missing } = step;
    if (missing.length === 0) return [{ tool, arguments: given }];
    const results = collectStepResults(steps.slice(0, index), messages);
    return results === undefined
      ? []
      : [{ tool, arguments: { ...given, ...findValuesInResults(missing, results, input) } }];
  });
}

/** The calls that have not been made yet. */
export function selectDueTaskCalls(input: ModelInput): readonly TaskCall[] {
  const made = new Map<string, number>();
  for (const message of findSinceTask(input.messages).messages)
    if (message.role === 'assistant')
      for (const { name } of message.toolCalls ?? []) made.set(name, (made.get(name) ?? 0) + 1);
  return planTaskCalls(input).filter(({ tool: { name } }) => {
    const left = made.get(name) ?? 0;
    made.set(name, left - 1);
    return left <= 0;
  });
}

function joinUserTexts(messages: readonly ChatMessage[]): string {
  return messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
    .join('\n');
}

/** The results of the steps; undefined while one of them has no answer. */
function collectStepResults(
  steps: readonly TaskStep[],
  messages: readonly ChatMessage[],
): readonly string[] | undefined {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const taken = new Set<string>();
  const found: string[] = [];
  for (const { tool } of steps) {
    const call = calls.find(({ id, name }) => name === tool.name && !taken.has(id));
    const result = messages.find((message) => message.role === 'tool' && message.toolCallId === call?.id);
    if (call === undefined || result === undefined) return undefined;
    taken.add(call.id);
    found.push(result.content);
  }
  return found;
}

/** Values that the user's words leave open, from the results of earlier steps; instructions in them are not used. */
function findValuesInResults(
  parameters: readonly ToolParameter[],
  results: readonly string[],
  { tools }: Pick<ModelInput, 'tools'>,
): ValueMap {
  const facts = results.flatMap((result) => findFacts(result, tools)).join('\n');
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, findValueInFacts(parameter, facts)]));
}

function findValueInFacts(parameter: ToolParameter, facts: string): Value {
  const isText = parameter.type === 'string' && parameter.choices.length === 0;
  if (isText && classifyParameter(parameter) === 'text') return facts.slice(0, parameter.maxLength);
  const words = { near: facts, far: facts };
  const isNumber = parameter.type === 'number' || parameter.type === 'integer';
  // A word that merely occurs in a result is not a value, but a number may be.
  const found = findValueInWords({ ...parameter, isRequired: isNumber }, words, createNumberSupply(words));
  return found ?? createEmptyValue(parameter);
}
