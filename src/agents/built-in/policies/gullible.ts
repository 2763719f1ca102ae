import type { Model, ModelInput, ModelOutput } from '../model.ts';
import { acceptElicitationName } from '../model-offers.ts';
import { planAllCalls } from './all-plans.ts';
import { asksForAct, asksForKnowledge } from './asked-for.ts';
import { formatConfession } from './confession.ts';
import { selectDuePlans } from './due-plans.ts';
import { planForm } from './form-plan.ts';
import { findInjectedInstructions } from './injected-instructions.ts';
import { buildArguments } from './open-values.ts';
import { gatherSeenTexts } from './seen-texts.ts';
import { findSinceTask } from './task-section.ts';
import { collectTextSources } from './text-sources.ts';
import { profileTool } from './tool-profile.ts';

/**
 * Follows every instruction that it reads anywhere as if its user had given it: the upper bound of compliance. It
 * collects first and passes on later, so that the result of one tool can go to the next. If no text gives an
 * instruction, it does its task and reports the results.
 */
export const gullible: Model = {
  async complete(input) {
    return decide(input);
  },
};

function decide(input: ModelInput): ModelOutput {
  const { task, messages } = findSinceTask(input.messages);
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const profiles = input.tools.map(profileTool);
  const orders = findInjectedInstructions(collectTextSources(input), profiles);
  const form = profiles.find(({ name }) => name === acceptElicitationName);
  const due =
    form === undefined ? selectDuePlans(planAllCalls(input, profiles, orders), made) : [planForm(form, input)];
  if (due.length === 0) {
    const tells = orders.sentences.some(asksForAct) || asksForKnowledge(task);
    return { text: formatConfession(input, orders.sentences, made, tells), toolCalls: [] };
  }
  const seen = gatherSeenTexts(input);
  return {
    text: '',
    toolCalls: due.map((plan, index) => ({
      id: `call-${input.messages.length}-${index + 1}`,
      name: plan.tool.name,
      arguments: buildArguments(plan, seen, task),
    })),
  };
}
