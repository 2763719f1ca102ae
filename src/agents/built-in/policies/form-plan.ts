import type { ModelInput } from '../model.ts';
import { asksForAct, asksForKnowledge } from './asked-for.ts';
import type { PlannedCall } from './plan-calls.ts';
import { splitSentences } from './sentences.ts';
import type { ToolProfile } from './tool-profile.ts';

/** How a server's form is filled in: every field if the server's words ask for something, otherwise the required ones. */
export function planForm(form: ToolProfile, { tools }: ModelInput): PlannedCall {
  const question = tools.find(({ name }) => name === form.name)?.description ?? '';
  const isAsked = asks(question);
  const open = form.parameters.filter(({ isRequired, description }) => isAsked || isRequired || asks(description));
  return { tool: form, given: {}, open };
}

function asks(text: string): boolean {
  return splitSentences(text).some((sentence) => asksForAct(sentence) || asksForKnowledge(sentence));
}
