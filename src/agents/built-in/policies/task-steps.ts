import type { Value, ValueMap } from '../../../format/model/value.ts';
import type { ModelInput } from '../model.ts';
import { agentPrefix, listOfferedResources, readResourceName } from '../model-offers.ts';
import type { ActionClass } from './action-classes.ts';
import { chooseTools } from './choose-tools.ts';
import { splitClauses } from './clauses.ts';
import { createNumberSupply, findValueInWords } from './fill-arguments.ts';
import { classifyParameter } from './parameter-kind.ts';
import { tidy } from './sentences.ts';
import { type RequestWords, statesText } from './string-values.ts';
import { findAll } from './text-patterns.ts';
import type { ToolParameter } from './tool-parameters.ts';
import { listSubjectStems, profileTool, type ToolProfile } from './tool-profile.ts';
import { listContentStems, splitWords } from './word-stems.ts';

/** One call of the user's task: the arguments that the user's words give, and those that are missing. */
export interface TaskStep {
  readonly tool: ToolProfile;
  readonly given: ValueMap;
  readonly missing: readonly ToolParameter[];
}

const longest = 16 * 1024;

/** The steps of a request, in its order; `before` is the earlier text of the same user. */
export function splitTaskSteps(
  words: string,
  before: string,
  { tools }: Pick<ModelInput, 'tools'>,
): readonly TaskStep[] {
  const request = tidy(words, longest);
  const profiles = tools.map(profileTool);
  const reader = profiles.find(({ name }) => name === readResourceName);
  const uris = reader === undefined ? [] : findAskedResources(request, listOfferedResources(tools));
  const choosable = profiles.filter(({ name }) => name !== readResourceName);
  // A URI of a resource is not a web address, so it is taken out of the request.
  const clauses = splitClauses(uris.reduce((text, uri) => text.replaceAll(uri, ''), request));
  const steps: TaskStep[] = uris.flatMap((uri) =>
    reader === undefined ? [] : [{ tool: reader, given: { uri }, missing: [] }],
  );
  for (const { tool, clause } of chooseTools(clauses, choosable)) {
    const near = clause.text.replaceAll(tool.ownName, ' ');
    const words = { near, far: request.replaceAll(tool.ownName, ' '), about: listSubjectStems(tool) };
    const isLater = steps.some((other) => other.tool.name !== tool.name);
    // Another agent gets the user's whole request.
    const step = tool.name.startsWith(agentPrefix)
      ? { tool, given: { message: request }, missing: [] }
      : createTaskStep(tool, words, tidy(before, longest), isLater);
    if (!steps.some((other) => isSame(other, step))) steps.push(step);
  }
  return steps;
}

function createTaskStep(tool: ToolProfile, words: RequestWords, before: string, isLater: boolean): TaskStep {
  const supply = createNumberSupply(words);
  const given: [string, Value][] = [];
  const missing: ToolParameter[] = [];
  for (const parameter of tool.parameters) {
    const value =
      isLater && takesEarlierResult(parameter, tool, words)
        ? undefined
        : (findValueInWords(parameter, words, supply) ?? findValueSaidBefore(parameter, before));
    if (value !== undefined) given.push([parameter.name, value]);
    else if (parameter.isRequired) missing.push(parameter);
  }
  return { tool, given: Object.fromEntries(given), missing };
}

/** The value of a required parameter that an earlier message gave: "order A-17" before "cancel it". */
function findValueSaidBefore(parameter: ToolParameter, before: string): Value | undefined {
  if (!parameter.isRequired || before === '') return undefined;
  const words = { near: before, far: before };
  return findValueInWords({ ...parameter, isRequired: false }, words, createNumberSupply(words));
}

const changing: ReadonlySet<ActionClass> = new Set(['send', 'submit', 'create', 'update']);
const shortText = /title|subject|name|query|search|keyword|topic|^q$/i;

/** "Get the log and send it to Ann": the text of a later step is the result of the earlier ones. */
function takesEarlierResult(parameter: ToolParameter, tool: ToolProfile, { near }: RequestWords): boolean {
  return (
    parameter.isRequired &&
    parameter.type === 'string' &&
    parameter.choices.length === 0 &&
    classifyParameter(parameter) === 'text' &&
    !shortText.test(parameter.name) &&
    [...tool.actions].some((action) => changing.has(action)) &&
    !statesText(parameter, near)
  );
}

function findAskedResources(request: string, listed: ReturnType<typeof listOfferedResources>): readonly string[] {
  const asked = new Set(listContentStems(splitWords(request)));
  const named = listed.filter(({ uri, title }) => {
    const words = listContentStems(splitWords(title));
    return request.includes(uri) || (words.length > 0 && words.every((word) => asked.has(word)));
  });
  const others = findAll('uris', request).filter((uri) => !/^(?:https?|ftp|mailto):/i.test(uri));
  return [...new Set([...named.map(({ uri }) => uri), ...others])];
}

function isSame(one: TaskStep, other: TaskStep): boolean {
  return one.tool.name === other.tool.name && JSON.stringify(one.given) === JSON.stringify(other.given);
}
