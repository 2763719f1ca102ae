import type { Value } from '../../../format/model/value.ts';
import type { ModelInput, OfferedTool } from '../model.ts';
import { listOfferedResources, promptPrefix, readResourceName } from '../model-offers.ts';
import { readingActions } from './action-classes.ts';
import {
  asksForAct,
  asksForKnowledge,
  type InjectedInstruction,
  type InjectedInstructions,
} from './injected-instructions.ts';
import { classifyParameter } from './parameter-kind.ts';
import { type PlannedCall, planCalls } from './plan-calls.ts';
import { dropItemNumber, splitSentences } from './sentences.ts';
import { findStatedValue } from './string-values.ts';
import { planTaskCalls, type TaskCall } from './task-calls.ts';
import { findAll } from './text-patterns.ts';
import { splitDescription } from './text-sources.ts';
import type { ToolParameter } from './tool-parameters.ts';
import { listSubjectStems, type ToolProfile } from './tool-profile.ts';

/**
 * Every call of the gullible policy: the user's task and every injected instruction. If there is such an instruction,
 * it also reads everything on offer.
 */
export function planAllCalls(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: InjectedInstructions,
): readonly PlannedCall[] {
  return [
    ...listTaskCalls(input, profiles).map((call) => ({
      ...amendTaskCall(call, input, orders),
      ...(call.id !== undefined && { id: call.id }),
    })),
    ...planOfferedReadings(input, profiles, orders),
    ...orders.wanted.filter(({ tool }) => tool.name !== readResourceName).flatMap(planInjectedInstruction),
  ];
}

/** The calls of the task: those of the plan, if there is one, or else those that the user's words ask for. */
function listTaskCalls(
  input: ModelInput,
  profiles: readonly ToolProfile[],
): readonly (TaskCall & { readonly id?: string })[] {
  if (input.planned === undefined) return planTaskCalls(input);
  return input.planned.calls.flatMap(({ id, name, arguments: args }) => {
    const tool = profiles.find((profile) => profile.name === name);
    return tool === undefined ? [] : [{ id, tool, arguments: args }];
  });
}

function planInjectedInstruction({ tool, sentence, source }: InjectedInstruction): readonly PlannedCall[] {
  const words = { near: dropItemNumber(sentence), far: source.text, about: listSubjectStems(tool) };
  return planCalls(
    tool,
    words,
    [...tool.actions].some((action) => readingActions.has(action)),
  );
}

/**
 * The user's call, changed as injected instructions ask. They give the values that the user left out. Free text that
 * they mention is left open, so that it can carry additional text. Without such instructions the call is unchanged.
 */
function amendTaskCall(
  { tool, arguments: args }: TaskCall,
  { tools }: ModelInput,
  orders: InjectedInstructions,
): PlannedCall {
  const texts = orders.wanted.filter((order) => order.tool.name === tool.name).map(({ source }) => source.text);
  const isAsked = texts.length > 0 || asksForMore(tools.find(({ name }) => name === tool.name));
  const given: [string, Value][] = [];
  const open: ToolParameter[] = [];
  for (const parameter of tool.parameters) {
    const asked = args[parameter.name];
    const injected = parameter.type === 'string' ? findFirstStatedValue(parameter, texts) : undefined;
    const value = asked === undefined || asked === '' ? injected : asked;
    if (value !== undefined) given.push([parameter.name, value]);
    else if (isAsked || isWanted(parameter)) open.push(parameter);
    else if (asked !== undefined) given.push([parameter.name, asked]);
  }
  const mentioned =
    texts.length > 0 ? tool.parameters.filter((parameter) => classifyParameter(parameter) === 'text') : [];
  const extended = mentioned
    .map(({ name }) => name)
    .filter((name) => typeof args[name] === 'string' && args[name] !== '');
  return { tool, given: Object.fromEntries(given), open, extended };
}

/** Whether the description of a tool gives an instruction, which then applies to the call and to all of its fields. */
function asksForMore(tool: OfferedTool | undefined): boolean {
  return tool !== undefined && splitDescription(tool).flatMap(splitSentences).some(asksForAct);
}

/** Whether a field is wanted: its description asks for it, or its schema has a default. */
function isWanted({ description, default: given }: ToolParameter): boolean {
  const isGiven = given !== undefined && given !== null;
  return isGiven || splitSentences(description).some((one) => asksForAct(one) || asksForKnowledge(one));
}

function findFirstStatedValue(parameter: ToolParameter, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const stated = findStatedValue(parameter, classifyParameter(parameter), text);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** Every resource and every prompt on offer, and every resource that an injected instruction names. */
function planOfferedReadings(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: InjectedInstructions,
): readonly PlannedCall[] {
  if (!orders.sentences.some(asksForAct)) return [];
  const reader = profiles.find(({ name }) => name === readResourceName);
  const named = orders.sentences
    .flatMap((sentence) => findAll('uris', sentence))
    .filter((uri) => !/^https?:/i.test(uri));
  const uris = reader === undefined ? [] : [...listOfferedResources(input.tools).map(({ uri }) => uri), ...named];
  return [
    ...uris.flatMap((uri) => (reader === undefined ? [] : [{ tool: reader, given: { uri }, open: [] }])),
    ...profiles
      .filter(({ name }) => name.startsWith(promptPrefix))
      .map((tool) => ({ tool, given: {}, open: tool.parameters })),
  ];
}
