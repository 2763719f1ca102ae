import type { OfferedTool } from '../model.ts';
import { agentPrefix } from '../model-offers.ts';
import { actionsOfStem } from './action-classes.ts';
import { findFirstSentence } from './sentences.ts';
import { tidy } from './tidy.ts';
import { readParameters } from './tool-parameters.ts';
import type { ToolProfile } from './tool-profile.ts';
import { listContentStems, splitName, splitWords, stemWord } from './word-stems.ts';

const longest = 4000;
const mostSkills = 20;
// Words that nearly every agent uses for itself.
const callsItselfAgent = new Set(['agent', 'assistant', 'service', 'other'].map(stemWord));

/** The purpose of another agent, from its name, and from the first sentence of its card and of each skill. */
export function profileAgent({ name, description, inputSchema }: OfferedTool): ToolProfile {
  const ownName = name.slice(agentPrefix.length);
  const [said = '', ...skills] = tidy(description, longest).split(/\n- /);
  const lines = [said, ...skills.slice(0, mostSkills)];
  const named = listNameStems(ownName);
  // The title of a skill counts like the name of a tool.
  const titles = skills.flatMap((skill) => listContentStems(splitWords(skill.split(':', 1)[0] ?? '')));
  const told = lines.flatMap((line) => listContentStems(splitWords(findFirstSentence(line)))).filter(isDistinctiveWord);
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
    parameters: readParameters(inputSchema),
    actions: new Set([...nameVerbs, ...saidVerbs].flatMap((one) => actionsOfStem.get(one) ?? [])),
  };
}

function listNameStems(ownName: string): readonly string[] {
  return listContentStems(splitName(ownName)).filter(isDistinctiveWord);
}

function isDistinctiveWord(word: string): boolean {
  return !callsItselfAgent.has(word);
}

/** Matches "the data analytics agent": people write names as separate words, and leave parts out. */
export function mentionsAgent(text: string, { name, ownName }: ToolProfile): boolean {
  if (!name.startsWith(agentPrefix)) return false;
  const named = new Set(listNameStems(ownName));
  const words = listContentStems(splitWords(text));
  return words.some((word, index) => callsItselfAgent.has(word) && named.has(words[index - 1] ?? ''));
}
