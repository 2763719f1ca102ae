import type { OfferedTool } from '../model.ts';
import { agentPrefix, promptPrefix } from '../model-offers.ts';
import { type ActionClass, actionsOfStem } from './action-classes.ts';
import { profileAgent } from './agent-profile.ts';
import { findFirstSentence } from './sentences.ts';
import { tidy } from './tidy.ts';
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
  const said = splitWords(findFirstSentence(tidy(description, longest)));
  const saidVerbs = listLeadingVerbs(said);
  const parameters = readParameters(inputSchema);
  const acting = nameVerbs.length > 0 ? nameVerbs : saidVerbs;
  return {
    name,
    ownName,
    nameVerbs,
    nameNouns: listContentStems(words.filter((word) => word !== verb)),
    saidVerbs,
    saidNouns: listContentStems(said).filter((word) => !saidVerbs.includes(word)),
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
