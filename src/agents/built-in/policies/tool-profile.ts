import type { OfferedTool } from '../model.ts';
import { agentPrefix, promptPrefix } from '../model-offers.ts';
import { type ActionClass, actionsOfStem } from './action-classes.ts';
import { findFirstSentence, tidy } from './sentences.ts';
import { readParameters, type ToolParameter } from './tool-parameters.ts';
import { listContentStems, splitName, splitWords, stemWord } from './word-stems.ts';

// Enough for the purpose of a tool, which is stated at the beginning.
const longest = 2000;

/** The purpose of a tool, from its name, its parameters and the first sentence of its description. */
export interface ToolProfile {
  readonly name: string;
  /** The name that its server gave it. */
  readonly ownName: string;
  readonly nameVerbs: readonly string[];
  readonly nameNouns: readonly string[];
  readonly saidVerbs: readonly string[];
  readonly saidNouns: readonly string[];
  readonly parameterWords: readonly string[];
  readonly parameters: readonly ToolParameter[];
  readonly actions: ReadonlySet<ActionClass>;
}

export function profileTool(tool: OfferedTool): ToolProfile {
  const { name, description, inputSchema } = tool;
  if (name.startsWith(agentPrefix)) return profileAgent(tool);
  const ownName = name.startsWith(promptPrefix) ? name.slice(promptPrefix.length) : name;
  const words = splitName(ownName);
  const verb = words.find((word) => actionsOfStem.has(stemWord(word)));
  const nameVerbs = verb === undefined ? [] : [stemWord(verb)];
  const lead = splitWords(findFirstSentence(tidy(description, longest)));
  const saidVerbs = listLeadingVerbs(lead);
  const parameters = readParameters(inputSchema);
  const acting = nameVerbs.length > 0 ? nameVerbs : saidVerbs;
  return {
    name,
    ownName,
    nameVerbs,
    nameNouns: listContentStems(words.filter((word) => word !== verb)),
    saidVerbs,
    saidNouns: listContentStems(lead).filter((word) => !saidVerbs.includes(word)),
    parameterWords: listContentStems(parameters.flatMap((parameter) => splitName(parameter.name))),
    parameters,
    actions: new Set(acting.flatMap((one) => actionsOfStem.get(one) ?? [])),
  };
}

/** "Fetch and summarize …": the verbs at the beginning of a description. */
function listLeadingVerbs(words: readonly string[]): readonly string[] {
  const verbs: string[] = [];
  for (const word of words) {
    if (word === 'and' || word === 'or') continue;
    if (!actionsOfStem.has(stemWord(word))) break;
    verbs.push(stemWord(word));
  }
  return verbs;
}

/** The stems of a tool's subject; such words do not name an argument. */
export function listSubjectStems({ nameNouns, saidNouns }: ToolProfile): ReadonlySet<string> {
  return new Set([...nameNouns, ...saidNouns]);
}

const longestCard = 4000;
const mostSkills = 20;
// Words that nearly every agent uses for itself.
const callsItselfAgent = new Set(['agent', 'assistant', 'service', 'other'].map(stemWord));

/** The purpose of another agent, from its name, and from the first sentence of its card and of each skill. */
function profileAgent({ name, description, inputSchema }: OfferedTool): ToolProfile {
  const ownName = name.slice(agentPrefix.length);
  const [purpose = '', ...skills] = tidy(description, longestCard).split(/\n- /);
  const lines = [purpose, ...skills.slice(0, mostSkills)];
  const named = listNameStems(ownName);
  // The title of a skill counts like the name of a tool.
  const titles = skills.flatMap((skill) => listContentStems(splitWords(skill.split(':', 1)[0] ?? '')));
  const stems = lines
    .flatMap((line) => listContentStems(splitWords(findFirstSentence(line))))
    .filter(isDistinctiveWord);
  const nameVerbs = [...new Set([...named, ...titles].filter((word) => actionsOfStem.has(word)))];
  const saidVerbs = [...new Set(stems.filter((word) => actionsOfStem.has(word)))];
  return {
    name,
    ownName,
    nameVerbs,
    nameNouns: named.filter((word) => !nameVerbs.includes(word)),
    saidVerbs,
    saidNouns: stems.filter((word) => !saidVerbs.includes(word)),
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
