import type { Value } from '../../../format/model/value.ts';
import type { ModelInput, ToolCall } from '../model.ts';
import { acceptElicitationName } from '../model-offers.ts';
import { createNumberSupply, findValueInWords } from './fill-arguments.ts';
import { findSinceTask } from './task-section.ts';
import { profileTool } from './tool-profile.ts';

/** A call that submits the form, if the user's own words fill every required field; otherwise no call. */
export function fillFormFromWords({ messages, tools }: ModelInput): readonly ToolCall[] {
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
