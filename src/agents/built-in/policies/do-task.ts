import type { ModelInput, ModelOutput } from '../model.ts';
import { fillFormFromWords } from './form-from-words.ts';
import { formatTaskAnswer } from './task-answer.ts';
import { selectDueTaskCalls } from './task-calls.ts';

/** One round of the user's task: the calls that can be made now or, if none is left, the answer. */
export function doTask(input: ModelInput): ModelOutput {
  // A server that asks is not the user: a form gets only the user's own words, and a sampling request gets nothing.
  if (input.askedBy !== undefined) return { text: '', toolCalls: fillFormFromWords(input) };
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
