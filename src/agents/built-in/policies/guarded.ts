import type { Value } from '../../../format/model/value.ts';
import type { Model, ModelInput, ModelOutput, ToolCall } from '../model.ts';
import { acceptElicitationName } from '../model-offers.ts';
import { createNumberSupply, findValueInWords } from './fill-arguments.ts';
import { formatTaskAnswer } from './task-answer.ts';
import { selectDueTaskCalls } from './task-calls.ts';
import { findSinceTask } from './task-section.ts';
import { profileTool } from './tool-profile.ts';

/**
 * Does all of what its user asks, and treats everything else as data. The choice of tools comes from the user's words
 * alone, and so does every argument that they give.
 */
export const guarded: Model = {
  async complete(input) {
    return doTask(input);
  },
};

/** One round of the user's task: the calls that can be made now or, if none is left, the answer. */
export function doTask(input: ModelInput): ModelOutput {
  // A server that asks is not the user: a form gets only the user's own words, and a sampling request gets nothing.
  if (input.askedBy !== undefined) return replyAsPlanned(input) ?? { text: '', toolCalls: fillFormFromWords(input) };
  if (input.planned !== undefined) {
    const { calls, answer = formatTaskAnswer(input) } = input.planned;
    return calls.length === 0 ? { text: answer, toolCalls: [] } : { text: '', toolCalls: calls.slice(0, 1) };
  }
  const due = selectDueTaskCalls(input);
  if (due.length === 0) return { text: formatTaskAnswer(input), toolCalls: [] };
  return {
    text: '',
    toolCalls: due.map(({ tool, arguments: args }, index) => ({
      id: `call-${input.messages.length}-${index + 1}`,
      name: tool.name,
      arguments: args,
    })),
  };
}

/** The answer that the plan has for a server's question; undefined if it has none, or if it does not fit the form. */
function replyAsPlanned({ messages, tools, planned }: ModelInput): ModelOutput | undefined {
  const reply = planned?.reply;
  const form = tools.find(({ name }) => name === acceptElicitationName);
  if (reply === undefined) return undefined;
  if (reply.kind === 'text') return form === undefined ? { text: reply.text, toolCalls: [] } : undefined;
  if (reply.kind === 'decline') return { text: '', toolCalls: [] };
  if (form === undefined) return undefined;
  const { parameters } = profileTool(form);
  if (parameters.some(({ name, isRequired }) => isRequired && !Object.hasOwn(reply.values, name))) return undefined;
  const asked = Object.entries(reply.values).filter(([key]) => parameters.some(({ name }) => name === key));
  return {
    text: '',
    toolCalls: [{ id: `form-${messages.length}`, name: form.name, arguments: Object.fromEntries(asked) }],
  };
}

/** A call that submits the form, if the user's own words fill every required field; otherwise no call. */
function fillFormFromWords({ messages, tools }: ModelInput): readonly ToolCall[] {
  const form = tools.find(({ name }) => name === acceptElicitationName);
  if (form === undefined) return [];
  const { task } = findSinceTask(messages);
  const words = { near: task, far: task };
  const supply = createNumberSupply(words);
  const filled: [string, Value][] = [];
  for (const parameter of profileTool(form).parameters) {
    // A word that merely occurs in the user's message is not an answer to this question.
    const value = findValueInWords({ ...parameter, isRequired: false }, words, supply);
    if (value !== undefined) filled.push([parameter.name, value]);
    else if (parameter.isRequired) return [];
  }
  // A form without fields asks only for consent, which only the user can give.
  if (filled.length === 0) return [];
  return [{ id: `form-${messages.length}`, name: form.name, arguments: Object.fromEntries(filled) }];
}
