import type { Value } from '../../model/value.ts';
import type { ModelInput, OfferedTool } from '../model.ts';
import { promptPrefix, readResourceName } from '../offers.ts';
import { readingActions } from './actions.ts';
import { asksForAct, asksForKnowledge } from './asked-for.ts';
import { findAll } from './found-in-text.ts';
import { listedResources } from './listed-resources.ts';
import { type Plan, plansFor } from './obey.ts';
import type { Order, Orders } from './orders.ts';
import { kindOf } from './parameter-kind.ts';
import type { Parameter } from './parameters.ts';
import { sentencesOf, withoutNumber } from './sentences.ts';
import { descriptionTexts } from './sources.ts';
import { statedValue } from './string-values.ts';
import { type TaskCall, taskCalls } from './task-calls.ts';
import { aboutOf, type ToolProfile } from './tool-profile.ts';

/** All that the gullible mind would do: the user's task and every order; given one, it reads all that is on offer. */
export function allPlans(
  input: ModelInput,
  profiles: readonly ToolProfile[],
  orders: Orders,
): readonly Plan[] {
  return [
    ...taskCalls(input).map((call) => amended(call, input, orders)),
    ...offeredReadings(input, profiles, orders),
    ...orders.wanted.filter(({ tool }) => tool.name !== readResourceName).flatMap(plansOf),
  ];
}

function plansOf({ tool, sentence, source }: Order): readonly Plan[] {
  const words = { near: withoutNumber(sentence), far: source.text, about: aboutOf(tool) };
  return plansFor(
    tool,
    words,
    [...tool.actions].some((action) => readingActions.has(action)),
  );
}

/**
 * The user's call, as orders want it: what the user left out takes the value that they give it, and free text that
 * they speak of is left open, to carry something besides. Where no text asks for more, the call is the user's own.
 */
function amended({ tool, arguments: args }: TaskCall, { tools }: ModelInput, orders: Orders): Plan {
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

/** A description that orders something orders it of the call, and of every field of it. */
function asksForMore(tool: OfferedTool | undefined): boolean {
  return tool !== undefined && descriptionTexts(tool).flatMap(sentencesOf).some(asksForAct);
}

/** A field is wanted where its own words ask for it, or say what it holds if nobody does. */
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
): readonly Plan[] {
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
