import type { Value, ValueMap } from '../../model/value.ts';
import type { ModelInput } from '../model.ts';
import { agentPrefix, readResourceName } from '../offers.ts';
import type { Action } from './actions.ts';
import { chooseTools } from './choose-tools.ts';
import { clausesOf } from './clauses.ts';
import { supplyOf, valueFromWords } from './fill-arguments.ts';
import { findAll } from './found-in-text.ts';
import { listedResources } from './listed-resources.ts';
import { kindOf } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';
import { statesText, type Words } from './string-values.ts';
import { tidy } from './tidy.ts';
import { aboutOf, profileOf, type ToolProfile } from './tool-profile.ts';
import { contentStems, wordsOf } from './words.ts';

/** One call of the user's task: the arguments that the user's words give, and those that are missing. */
export interface TaskStep {
  readonly tool: ToolProfile;
  readonly given: ValueMap;
  readonly missing: readonly Parameter[];
}

const longest = 16 * 1024;

/** The steps of a request, in its order; `before` is the earlier text of the same user. */
export function taskSteps(
  said: string,
  before: string,
  { tools }: Pick<ModelInput, 'tools'>,
): readonly TaskStep[] {
  const request = tidy(said, longest);
  const profiles = tools.map(profileOf);
  const reader = profiles.find(({ name }) => name === readResourceName);
  const uris = reader === undefined ? [] : askedResources(request, listedResources(tools));
  const choosable = profiles.filter(({ name }) => name !== readResourceName);
  // A URI of a resource is not a web address, so it is taken out of the request.
  const clauses = clausesOf(uris.reduce((text, uri) => text.replaceAll(uri, ''), request));
  const steps: TaskStep[] = uris.flatMap((uri) =>
    reader === undefined ? [] : [{ tool: reader, given: { uri }, missing: [] }],
  );
  for (const { tool, clause } of chooseTools(clauses, choosable)) {
    const near = clause.text.replaceAll(tool.ownName, ' ');
    const words = { near, far: request.replaceAll(tool.ownName, ' '), about: aboutOf(tool) };
    const isLater = steps.some((other) => other.tool.name !== tool.name);
    // Another agent gets the user's whole request.
    const step = tool.name.startsWith(agentPrefix)
      ? { tool, given: { message: request }, missing: [] }
      : stepOf(tool, words, tidy(before, longest), isLater);
    if (!steps.some((other) => isSame(other, step))) steps.push(step);
  }
  return steps;
}

function stepOf(tool: ToolProfile, words: Words, before: string, isLater: boolean): TaskStep {
  const supply = supplyOf(words);
  const given: [string, Value][] = [];
  const missing: Parameter[] = [];
  for (const parameter of tool.parameters) {
    const value =
      isLater && handsOn(parameter, tool, words)
        ? undefined
        : (valueFromWords(parameter, words, supply) ?? saidBefore(parameter, before));
    if (value !== undefined) given.push([parameter.name, value]);
    else if (parameter.isRequired) missing.push(parameter);
  }
  return { tool, given: Object.fromEntries(given), missing };
}

/** The value of a required parameter that an earlier message gave: "order A-17" before "cancel it". */
function saidBefore(parameter: Parameter, before: string): Value | undefined {
  if (!parameter.isRequired || before === '') return undefined;
  const words = { near: before, far: before };
  return valueFromWords({ ...parameter, isRequired: false }, words, supplyOf(words));
}

const changing: ReadonlySet<Action> = new Set(['send', 'submit', 'create', 'update']);
const shortText = /title|subject|name|query|search|keyword|topic|^q$/i;

/** "Get the log and send it to Ann": the text of a later step is the result of the earlier ones. */
function handsOn(parameter: Parameter, tool: ToolProfile, { near }: Words): boolean {
  return (
    parameter.isRequired &&
    parameter.type === 'string' &&
    parameter.choices.length === 0 &&
    kindOf(parameter) === 'text' &&
    !shortText.test(parameter.name) &&
    [...tool.actions].some((action) => changing.has(action)) &&
    !statesText(parameter, near)
  );
}

function askedResources(request: string, listed: ReturnType<typeof listedResources>): readonly string[] {
  const said = new Set(contentStems(wordsOf(request)));
  const named = listed.filter(({ uri, title }) => {
    const words = contentStems(wordsOf(title));
    return request.includes(uri) || (words.length > 0 && words.every((word) => said.has(word)));
  });
  const others = findAll('uris', request).filter((uri) => !/^(?:https?|ftp|mailto):/i.test(uri));
  return [...new Set([...named.map(({ uri }) => uri), ...others])];
}

function isSame(one: TaskStep, other: TaskStep): boolean {
  return one.tool.name === other.tool.name && JSON.stringify(one.given) === JSON.stringify(other.given);
}
