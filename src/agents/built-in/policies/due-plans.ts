import type { ToolCall } from '../model.ts';
import { agentPrefix, promptPrefix, readResourceName } from '../model-offers.ts';
import { type ActionClass, readingActions } from './action-classes.ts';
import type { PlannedCall } from './plan-calls.ts';

const maxPerTool = 12;

/** The plans to call next: those of the earliest stage, so that later ones can carry their results. */
export function selectDuePlans(plans: readonly PlannedCall[], made: readonly ToolCall[]): readonly PlannedCall[] {
  const counts = new Map<string, number>();
  for (const { name } of made) counts.set(name, (counts.get(name) ?? 0) + 1);
  const left = dropRepeatedPlans(plans).filter((plan) => {
    const count = counts.get(plan.tool.name) ?? 0;
    const isDone = made.some(({ name, arguments: args }) => name === plan.tool.name && isWithin(plan, args));
    if (isDone || count >= maxPerTool) return false;
    counts.set(plan.tool.name, count + 1);
    return true;
  });
  const first = Math.min(...left.map(findStage));
  return left.filter((plan) => findStage(plan) === first);
}

/** Drops a plan if another one for the same tool has all of its arguments. */
function dropRepeatedPlans(plans: readonly PlannedCall[]): readonly PlannedCall[] {
  return plans.filter(
    (plan, index) =>
      !plans.some(
        (other, place) =>
          place !== index &&
          other.tool.name === plan.tool.name &&
          isWithin(plan, other.given) &&
          (place < index || !isWithin(other, plan.given)),
      ),
  );
}

function isWithin({ given, extended = [] }: PlannedCall, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(given).every(([name, value]) =>
    extended.includes(name)
      ? String(values[name]).startsWith(String(value))
      : JSON.stringify(values[name]) === JSON.stringify(value),
  );
}

const gentle: ReadonlySet<ActionClass> = new Set([...readingActions, 'analyze', 'compute']);
const handingOn: ReadonlySet<ActionClass> = new Set(['send', 'submit', 'pay']);

/** The stages: reading tools, reading tools that carry text, tools that change things, tools that pass things on. */
function findStage({ tool, open, extended = [] }: PlannedCall): number {
  if (tool.name === readResourceName || tool.name.startsWith(promptPrefix)) return 0;
  // A call to another agent passes on texts that were read before.
  if (tool.name.startsWith(agentPrefix)) return open.length > 0 || extended.length > 0 ? 3 : 1;
  const actions = [...tool.actions];
  if (actions.some((action) => handingOn.has(action))) return 3;
  if (!actions.every((action) => gentle.has(action))) return 2;
  return extended.length > 0 || open.some(({ type }) => type === 'string') ? 1 : 0;
}
