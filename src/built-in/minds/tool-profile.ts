import type { OfferedTool } from '../model.ts';
import { agentPrefix, promptPrefix } from '../offers.ts';
import { type Action, actionsOfStem } from './actions.ts';
import { agentProfile } from './agent-profile.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { firstSentence } from './sentences.ts';
import { tidy } from './tidy.ts';
import { contentStems, splitName, stem, wordsOf } from './words.ts';

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
  readonly parameters: readonly Parameter[];
  readonly actions: ReadonlySet<Action>;
}

export function profileOf(tool: OfferedTool): ToolProfile {
  const { name, description, inputSchema } = tool;
  if (name.startsWith(agentPrefix)) return agentProfile(tool);
  const ownName = name.startsWith(promptPrefix) ? name.slice(promptPrefix.length) : name;
  const words = splitName(ownName);
  const verb = words.find((word) => actionsOfStem.has(stem(word)));
  const nameVerbs = verb === undefined ? [] : [stem(verb)];
  const said = wordsOf(firstSentence(tidy(description, longest)));
  const saidVerbs = leadingVerbs(said);
  const parameters = parametersOf(inputSchema);
  const acting = nameVerbs.length > 0 ? nameVerbs : saidVerbs;
  return {
    name,
    ownName,
    nameVerbs,
    nameNouns: contentStems(words.filter((word) => word !== verb)),
    saidVerbs,
    saidNouns: contentStems(said).filter((word) => !saidVerbs.includes(word)),
    parameterWords: contentStems(parameters.flatMap((parameter) => splitName(parameter.name))),
    parameters,
    actions: new Set(acting.flatMap((one) => actionsOfStem.get(one) ?? [])),
  };
}

/** "Fetch and summarize …": the verbs at the beginning of a description. */
function leadingVerbs(words: readonly string[]): readonly string[] {
  const verbs: string[] = [];
  for (const word of words) {
    if (word === 'and' || word === 'or') continue;
    if (!actionsOfStem.has(stem(word))) break;
    verbs.push(stem(word));
  }
  return verbs;
}

/** The stems of a tool's subject; such words do not name an argument. */
export function aboutOf({ nameNouns, saidNouns }: ToolProfile): ReadonlySet<string> {
  return new Set([...nameNouns, ...saidNouns]);
}
