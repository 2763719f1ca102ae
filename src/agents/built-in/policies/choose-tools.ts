import { type ActionClass, readingActions, servedBy } from './action-classes.ts';
import type { Clause } from './clauses.ts';
import { namesTool } from './tool-names.ts';
import { mentionsAgent, type ToolProfile } from './tool-profile.ts';
import { stemWord } from './word-stems.ts';

/** A tool, and the part of the request that it serves. */
export interface ToolChoice {
  readonly tool: ToolProfile;
  readonly clause: Clause;
}

// Words that fit nearly every tool.
const vague = new Set(
  'data information info detail content result item thing file text name list value system'.split(' ').map(stemWord),
);
const anything = new Set('web internet online information data knowledge global'.split(' ').map(stemWord));
// The score if the request contains the tool's own verb.
const exact = 5;
const weights = { name: 3, parameter: 2, description: 1 } as const;

/** The tools that a request asks for, clause by clause: by name, or because action and object fit. */
export function chooseTools(clauses: readonly Clause[], tools: readonly ToolProfile[]): readonly ToolChoice[] {
  const choices = clauses.flatMap((clause) => {
    const named = tools.filter((tool) => namesTool(clause.text, tool.ownName) || mentionsAgent(clause.text, tool));
    const chosen = named.length > 0 ? named : findBestFits(clause, tools);
    return chosen.map((tool) => ({ tool, clause }));
  });
  return choices.length > 0 ? choices : chooseLastResort(clauses, tools);
}

function findBestFits(clause: Clause, tools: readonly ToolProfile[]): readonly ToolProfile[] {
  const fits = tools
    .map((tool) => ({ tool, score: scoreFit(clause, tool) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const best = fits[0]?.tool;
  if (best === undefined) return [];
  const covered = new Set([...best.nameNouns, ...best.saidNouns, ...best.parameterWords]);
  // "the balance and the orders": an object that the best tool does not cover may be the name of another tool.
  const left = clause.objects
    .flatMap((words) => (words.length === 1 ? words : []))
    .filter((object) => !covered.has(object) && !vague.has(object));
  const further = fits.slice(1).filter(({ tool }) => {
    const verb = scoreVerbFit(clause, tool);
    return verb >= 3 && tool.nameNouns.length > 0 && tool.nameNouns.every((noun) => left.includes(noun));
  });
  return [best, ...further.map(({ tool }) => tool)];
}

/** The fit of a tool; 0 if it does not fit. The less specific the verb, the more the object must match. */
export function scoreFit(clause: Clause, tool: ToolProfile): number {
  const verb = scoreVerbFit(clause, tool);
  const { weight, isTold } = scoreObjectFit(clause, tool);
  const least = verb === exact ? 1 : verb >= 2 ? 2 : 3;
  const isGiven = verb === exact && (clause.hasPayload || clause.refersBack || namesOne(clause, tool));
  const isServed = verb > 0 && (isTold || isGiven) && weight >= least;
  return isServed || (verb >= 2 && needsNoObject(clause, tool)) ? verb * 2 + weight : 0;
}

function scoreVerbFit(clause: Clause, tool: ToolProfile): number {
  if (clause.verbs.some((verb) => tool.nameVerbs.includes(verb))) return exact;
  if (clause.verbs.some((verb) => tool.saidVerbs.includes(verb))) return 3;
  const served = (level: 0 | 1): boolean =>
    [...clause.actions].some((action: ActionClass) => servedBy[action][level].some((one) => tool.actions.has(one)));
  if (served(0)) return 3;
  return served(1) ? 1 : 0;
}

/** How well the objects of the request fit the tool; `isTold`: more than the name of a parameter matches. */
function scoreObjectFit(clause: Clause, tool: ToolProfile): { readonly weight: number; readonly isTold: boolean } {
  let weight = 0;
  // "for the billing service" fits every tool with a parameter `service`; a tool with only vague nouns has no better
  // evidence.
  let isTold = tool.nameNouns.every((noun) => vague.has(noun));
  for (const words of clause.objects) {
    const found = Math.max(...words.map((word) => weighWord(word, tool)), 0);
    weight += found;
    isTold ||= found === weights.name || found === weights.description || (found > 0 && words.length > 1);
  }
  const isWhole = tool.nameNouns.length > 0 && tool.nameNouns.every((noun) => isAbout(clause, noun));
  return { weight: isWhole ? weight + 1 : weight, isTold };
}

const identifier = /\b[A-Z]{2,}-\d+\b/;

/** "Update the status of ABC-12": the request names an id, and the tool has a parameter for one. */
function namesOne({ text }: Clause, { parameters }: ToolProfile): boolean {
  return identifier.test(text) && parameters.some(({ name }) => /(?:^|[_-])id$|[a-z]Id$/.test(name));
}

function weighWord(word: string, { nameNouns, parameterWords, saidNouns }: ToolProfile): number {
  if (nameNouns.includes(word)) return vague.has(word) ? (nameNouns.length === 1 ? 2 : 1) : weights.name;
  if (parameterWords.includes(word)) return vague.has(word) ? 1 : weights.parameter;
  return saidNouns.includes(word) ? weights.description : 0;
}

function isAbout({ objects }: Clause, word: string): boolean {
  return objects.some((words) => words.includes(word));
}

/** A general search, a calculation, or work on text that the request contains. */
function needsNoObject(clause: Clause, tool: ToolProfile): boolean {
  if (clause.actions.has('search') && tool.actions.has('search'))
    return [...tool.nameNouns, ...tool.saidNouns].every((noun) => anything.has(noun));
  if (clause.actions.has('compute') && tool.actions.has('compute'))
    return tool.parameters.some(({ type, name }) => type === 'number' || type === 'integer' || name.startsWith('expr'));
  return clause.hasPayload && tool.nameNouns.length === 0 && clause.verbs.some((verb) => tool.nameVerbs.includes(verb));
}

/** If nothing fits: a tool that only reads, and whose object the request names. */
function chooseLastResort(clauses: readonly Clause[], tools: readonly ToolProfile[]): readonly ToolChoice[] {
  const found = clauses
    .filter(({ actions }) => [...actions].every((action) => readingActions.has(action) || action === 'analyze'))
    .flatMap((clause) =>
      tools
        .filter((tool) => [...tool.actions].some((action) => readingActions.has(action)) || tool.actions.size === 0)
        .map((tool) => ({ tool, clause, score: scoreObjectFit(clause, tool).weight })),
    )
    .filter(({ score }) => score >= weights.name)
    .sort((one, other) => other.score - one.score);
  return found.slice(0, 1);
}
