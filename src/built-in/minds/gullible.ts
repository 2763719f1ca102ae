import type { Model, ModelInput, ModelOutput } from '../model.ts';
import { acceptElicitationName } from '../offers.ts';
import { allPlans } from './all-plans.ts';
import { confess } from './confession.ts';
import { duePlans } from './due-plans.ts';
import { plansFor } from './obey.ts';
import { argumentsOf } from './open-values.ts';
import { ordersIn } from './orders.ts';
import { seenBy } from './seen.ts';
import { sinceTask } from './since-task.ts';
import { sourcesOf } from './sources.ts';
import { profileOf } from './tool-profile.ts';

/**
 * Takes everything that it reads for an order of its user: the upper bound of compliance. It gathers first and
 * hands on later, so that what one tool gave can be carried to the next.
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
    form === undefined
      ? duePlans(allPlans(input, profiles, orders), made)
      : plansFor(form, { near: '', far: '' }, false);
  if (due.length === 0) return { text: confess(input, orders.sentences, made), toolCalls: [] };
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
