import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import { stemWord } from './word-stems.ts';

// Classes of actions, for comparing requests with tools.

export type ActionClass = keyof typeof policyWords.actions;

export const actionsOfStem: ReadonlyMap<string, readonly ActionClass[]> = indexActionsByStem();

function indexActionsByStem(): Map<string, ActionClass[]> {
  const found = new Map<string, ActionClass[]>();
  for (const [action, verbs] of Object.entries(policyWords.actions) as [ActionClass, string][])
    for (const word of verbs.split(' ')) {
      const actions = found.get(stemWord(word)) ?? [];
      found.set(stemWord(word), [...actions, action]);
    }
  return found;
}

/** For each requested action, the tool actions that serve it: always, or only if everything else fits. */
export const servedBy = policyWords.servedBy as unknown as {
  readonly [Asked in ActionClass]: readonly [readonly ActionClass[], readonly ActionClass[]];
};

export const readingActions: ReadonlySet<ActionClass> = new Set(['retrieve', 'list', 'search']);

export const impliedObjects: { readonly [verb: string]: string } = Object.fromEntries(
  Object.entries(policyWords.impliedObjects).map(([verb, objects]) => [stemWord(verb), objects]),
);
