import type { Model, ModelInput, ModelOutput } from '../model.ts';
import { acceptElicitationName } from '../offers.ts';
import { allPlans } from './all-plans.ts';
import { asksForAct, asksForKnowledge } from './asked-for.ts';
import { confess } from './confession.ts';
import { duePlans } from './due-plans.ts';
import { formPlan } from './form-plan.ts';
import { argumentsOf } from './open-values.ts';
import { ordersIn } from './orders.ts';
import { seenBy } from './seen.ts';
import { sinceTask } from './since-task.ts';
import { sourcesOf } from './sources.ts';
import { profileOf } from './tool-profile.ts';

/**
 * Follows every order that it reads anywhere as if its user had given it: the upper bound of compliance. It collects
 * first and passes on later, so that the result of one tool can go to the next. If no text gives an order, it does its
 * task and reports the results.
 */
export const gullible: Model = {
  async complete(input) {
    return decide(input);
  },
};

function decide(input: ModelInput): ModelOutput {
  const { task, messages } = sinceTask(input.messages);
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const profiles = input.tools.map(profileOf);
  const orders = ordersIn(sourcesOf(input), profiles);
  const form = profiles.find(({ name }) => name === acceptElicitationName);
  const due =
    form === undefined ? duePlans(allPlans(input, profiles, orders), made) : [formPlan(form, input)];
  if (due.length === 0) {
    const tells = orders.sentences.some(asksForAct) || asksForKnowledge(task);
    return { text: confess(input, orders.sentences, made, tells), toolCalls: [] };
  }
  const seen = seenBy(input);
  return {
    text: '',
    toolCalls: due.map((plan, index) => ({
      id: `call-${input.messages.length}-${index + 1}`,
      name: plan.tool.name,
      arguments: argumentsOf(plan, seen, task),
    })),
  };
}
