import type { Value } from '../../model/value.ts';
import type { ModelInput, ToolCall } from '../model.ts';
import { acceptElicitationName } from '../offers.ts';
import { supplyOf, valueFromWords } from './fill-arguments.ts';
import { sinceTask } from './since-task.ts';
import { profileOf } from './tool-profile.ts';

/** The form handed in, where the user's own words fill in all of it that has to be; otherwise nothing. */
export function formFromWords({ messages, tools }: ModelInput): readonly ToolCall[] {
  const form = tools.find(({ name }) => name === acceptElicitationName);
  if (form === undefined) return [];
  const { task } = sinceTask(messages);
  const words = { near: task, far: task };
  const supply = supplyOf(words);
  const filled: [string, Value][] = [];
  for (const parameter of profileOf(form).parameters) {
    // What only stands somewhere in the user's words was not said to this question.
    const value = valueFromWords({ ...parameter, isRequired: false }, words, supply);
    if (value !== undefined) filled.push([parameter.name, value]);
    else if (parameter.isRequired) return [];
  }
  // Nothing to fill in leaves nothing but consent, which is the user's to give.
  if (filled.length === 0) return [];
  return [{ id: `form-${messages.length}`, name: form.name, arguments: Object.fromEntries(filled) }];
}
