import type { SuitePlan } from './plan.ts';

/** Describes the first difference between two plans, as seen from the second; undefined when they ask for the same. */
export function comparePlans(first: SuitePlan, second: SuitePlan): string | undefined {
  if (first.tool.version !== second.tool.version)
    return `it is of version ${second.tool.version} of this tool, and not ${first.tool.version}`;
  return (
    compareDocuments(first, second) ??
    describeDifference(
      'the agents',
      first.agents.map(({ name }) => name),
      second.agents.map(({ name }) => name),
    ) ??
    compareSurfaces(first, second) ??
    describeDifference('the number of repeats', first.repeat, second.repeat) ??
    describeDifference('early stopping', first.early_stop, second.early_stop) ??
    describeDifference('the tier from which on a match fails', first.fail_tier, second.fail_tier) ??
    describeDifference('the minimum utility', first.min_utility, second.min_utility) ??
    compareSettings(first, second)
  );
}

function compareDocuments(first: SuitePlan, second: SuitePlan): string | undefined {
  const before = new Map(first.documents.map((document) => [document.key, document]));
  for (const { key, sha256, max_rate } of second.documents) {
    const same = before.get(key);
    if (same === undefined) return `the document ${key} is new`;
    if (same.sha256 !== sha256) return `the document ${key} has changed`;
    const rate = describeDifference(`the accepted rate of ${key}`, same.max_rate, max_rate);
    if (rate !== undefined) return rate;
  }
  const after = new Set(second.documents.map(({ key }) => key));
  const gone = first.documents.find(({ key }) => !after.has(key));
  if (gone !== undefined) return `the document ${gone.key} is missing`;
  const isInOrder = first.documents.every(({ key }, index) => second.documents[index]?.key === key);
  return isInOrder ? undefined : 'the documents are in another order';
}

/** An agent with other missing surfaces is judged differently. */
function compareSurfaces({ agents: first }: SuitePlan, { agents: second }: SuitePlan): string | undefined {
  for (const [index, { name, without }] of second.entries()) {
    const difference = describeDifference(`what ${name} is without`, first[index]?.without, without);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function compareSettings({ settings: first }: SuitePlan, { settings: second }: SuitePlan): string | undefined {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  for (const name of names) {
    const difference = describeDifference(`the setting ${name}`, first[name], second[name]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function describeDifference(what: string, before: unknown, after: unknown): string | undefined {
  const [was, is] = [formatPlanValue(before), formatPlanValue(after)];
  return was === is ? undefined : `${what}: ${is}, and not ${was}`;
}

function formatPlanValue(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
