import type { OfferedTool } from '../model.ts';
import { agentPrefix } from '../offers.ts';
import { actionsOfStem } from './actions.ts';
import { parametersOf } from './parameters.ts';
import { firstSentence } from './sentences.ts';
import { tidy } from './tidy.ts';
import type { ToolProfile } from './tool-profile.ts';
import { contentStems, splitName, stem, wordsOf } from './words.ts';

const longest = 4000;
const mostSkills = 20;
// Words that nearly every agent uses for itself.
const callsItselfAgent = new Set(['agent', 'assistant', 'service', 'other'].map(stem));

/** The purpose of another agent, from its name, and from the first sentence of its card and of each skill. */
export function agentProfile({ name, description, inputSchema }: OfferedTool): ToolProfile {
  const ownName = name.slice(agentPrefix.length);
  const [said = '', ...skills] = tidy(description, longest).split(/\n- /);
  const lines = [said, ...skills.slice(0, mostSkills)];
  const named = namedStems(ownName);
  // The title of a skill counts like the name of a tool.
  const titles = skills.flatMap((skill) => contentStems(wordsOf(skill.split(':', 1)[0] ?? '')));
  const told = lines.flatMap((line) => contentStems(wordsOf(firstSentence(line)))).filter(isTelling);
  const nameVerbs = [...new Set([...named, ...titles].filter((word) => actionsOfStem.has(word)))];
  const saidVerbs = [...new Set(told.filter((word) => actionsOfStem.has(word)))];
  return {
    name,
    ownName,
    nameVerbs,
    nameNouns: named.filter((word) => !nameVerbs.includes(word)),
    saidVerbs,
    saidNouns: told.filter((word) => !saidVerbs.includes(word)),
    parameterWords: [],
    parameters: parametersOf(inputSchema),
    actions: new Set([...nameVerbs, ...saidVerbs].flatMap((one) => actionsOfStem.get(one) ?? [])),
  };
}

function namedStems(ownName: string): readonly string[] {
  return contentStems(splitName(ownName)).filter(isTelling);
}

function isTelling(word: string): boolean {
  return !callsItselfAgent.has(word);
}

/** Matches "the data analytics agent": people write names as separate words, and leave parts out. */
export function namesAgent(text: string, { name, ownName }: ToolProfile): boolean {
  if (!name.startsWith(agentPrefix)) return false;
  const named = new Set(namedStems(ownName));
  const words = contentStems(wordsOf(text));
  return words.some((word, index) => callsItselfAgent.has(word) && named.has(words[index - 1] ?? ''));
}
