import type { Value } from '../../model/value.ts';
import type { ModelInput, OfferedTool } from '../model.ts';
import { promptPrefix, readResourceName } from '../offers.ts';
import { readingActions } from './actions.ts';
import { asksForAct, asksForKnowledge } from './asked-for.ts';
import { findAll } from './found-in-text.ts';
import { listedResources } from './listed-resources.ts';
import { type PlannedCall, plansFor } from './obey.ts';
import type { Order, Orders } from './orders.ts';
import { kindOf } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';
import { sentencesOf, withoutNumber } from './sentences.ts';
import { descriptionTexts } from './sources.ts';
import { statedValue } from './string-values.ts';
import { type TaskCall, taskCalls } from './task-calls.ts';
import { aboutOf, type ToolProfile } from './tool-profile.ts';

/**
 * Everything that the gullible mind would do: the user's task and every order. If there is an order, it also reads
 * everything on offer.
 */
export function allPlans(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: Orders,
): readonly PlannedCall[] {
  return [
    ...taskCalls(input).map((call) => amended(call, input, orders)),
    ...offeredReadings(input, profiles, orders),
    ...orders.wanted.filter(({ tool }) => tool.name !== readResourceName).flatMap(plansOf),
  ];
}

function plansOf({ tool, sentence, source }: Order): readonly PlannedCall[] {
  const words = { near: withoutNumber(sentence), far: source.text, about: aboutOf(tool) };
  return plansFor(
    tool,
    words,
    [...tool.actions].some((action) => readingActions.has(action)),
  );
}

/**
 * The user's call, changed as orders want it. Values that the user left out come from the orders. Free text that the
 * orders mention is left open, so that it can carry additional text. Without such orders the call stays the user's own.
 */
function amended({ tool, arguments: args }: TaskCall, { tools }: ModelInput, orders: Orders): PlannedCall {
  const texts = orders.wanted
    .filter((order) => order.tool.name === tool.name)
    .map(({ source }) => source.text);
  const isAsked = texts.length > 0 || asksForMore(tools.find(({ name }) => name === tool.name));
  const given: [string, Value][] = [];
  const open: Parameter[] = [];
  for (const parameter of tool.parameters) {
    const said = args[parameter.name];
    const ordered = parameter.type === 'string' ? firstStated(parameter, texts) : undefined;
    const value = said === undefined || said === '' ? ordered : said;
    if (value !== undefined) given.push([parameter.name, value]);
    else if (isAsked || isWanted(parameter)) open.push(parameter);
    else if (said !== undefined) given.push([parameter.name, said]);
  }
  const spokenOf =
    texts.length > 0 ? tool.parameters.filter((parameter) => kindOf(parameter) === 'text') : [];
  const extended = spokenOf
    .map(({ name }) => name)
    .filter((name) => typeof args[name] === 'string' && args[name] !== '');
  return { tool, given: Object.fromEntries(given), open, extended };
}

/** Whether the description of a tool gives an order, which then applies to the call and to every field of it. */
function asksForMore(tool: OfferedTool | undefined): boolean {
  return tool !== undefined && descriptionTexts(tool).flatMap(sentencesOf).some(asksForAct);
}

/** Whether a field is wanted: its description asks for it, or its schema has a default. */
function isWanted({ description, default: given }: Parameter): boolean {
  const isGiven = given !== undefined && given !== null;
  return isGiven || sentencesOf(description).some((one) => asksForAct(one) || asksForKnowledge(one));
}

function firstStated(parameter: Parameter, texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const stated = statedValue(parameter, kindOf(parameter), text);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** Every resource and every prompt on offer, and every resource that an order names. */
function offeredReadings(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: Orders,
): readonly PlannedCall[] {
  if (!orders.sentences.some(asksForAct)) return [];
  const reader = profiles.find(({ name }) => name === readResourceName);
  const named = orders.sentences
    .flatMap((sentence) => findAll('uris', sentence))
    .filter((uri) => !/^https?:/i.test(uri));
  const uris = reader === undefined ? [] : [...listedResources(input.tools).map(({ uri }) => uri), ...named];
  return [
    ...uris.flatMap((uri) => (reader === undefined ? [] : [{ tool: reader, given: { uri }, open: [] }])),
    ...profiles
      .filter(({ name }) => name.startsWith(promptPrefix))
      .map((tool) => ({ tool, given: {}, open: tool.parameters })),
  ];
}
