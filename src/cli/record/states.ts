import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { isMatchCondition } from '../../primitives/evaluate-condition.ts';
import { patterns } from '../../registry/fields.ts';
import type { Exchange, Recording } from './exchange.ts';

// What a document says so that it plays a server as it was seen.

const simplePath = new RegExp(patterns.simplePath);

export function mcpState(recording: Recording): ValueMap {
  const { exchanges, leftOut } = recording;
  const of = (method: string): readonly Exchange[] => exchanges.filter((each) => each.method === method);
  const opened = mapOf(of('initialize')[0]?.result);
  const asked = mapOf(of('initialize')[0]?.params).protocolVersion;
  const answers = answersBy('name', of('tools/call'));
  const prompts = answersBy('name', of('prompts/get'));
  const contents = new Map(
    of('resources/read').map(({ params, result }) => [mapOf(params).uri, listOf(mapOf(result).contents)]),
  );
  const resources = listed(of('resources/list'), 'resources').map((resource) => {
    const found = contents.get(resource.uri);
    contents.delete(resource.uri);
    return found === undefined ? resource : { ...resource, content: contentOf(found, resource) };
  });
  for (const uri of contents.keys())
    leftOut.add(`what was read at ${String(uri)} belongs to no resource that the server lists`);
  const tools = listed(of('tools/list'), 'tools').map((tool) => withResponses(tool, answers, leftOut));
  const state: ValueMap = {
    ...(opened.protocolVersion !== undefined &&
      opened.protocolVersion !== asked && { protocol_version: opened.protocolVersion }),
    ...(opened.serverInfo !== undefined && { server_info: opened.serverInfo }),
    ...(opened.instructions !== undefined && { instructions: opened.instructions }),
    ...(opened.capabilities !== undefined && { capabilities: opened.capabilities }),
    ...nonEmpty('tools', tools),
    ...nonEmpty('resources', resources),
    ...nonEmpty('resource_templates', listed(of('resources/templates/list'), 'resourceTemplates')),
    ...nonEmpty(
      'prompts',
      listed(of('prompts/list'), 'prompts').map((prompt) => withResponses(prompt, prompts, leftOut)),
    ),
  };
  for (const name of [...answers.keys(), ...prompts.keys()])
    leftOut.add(`what ${String(name)} answered belongs to nothing that the server lists`);
  return state;
}

/** Addresses are ours when it is played, so those of the card are left out. */
export function a2aState({ exchanges }: Recording): ValueMap {
  const card = mapOf(exchanges.find(({ method }) => method === 'agent_card/get')?.result);
  const {
    url: _url,
    additionalInterfaces: _more,
    supportedInterfaces: _all,
    preferredTransport: _one,
    ...rest
  } = card;
  const said = exchanges.filter(({ method }) => method === 'message/send' || method === 'message/stream');
  const entries = said.map(({ params, result }) => ({
    when: { 'message.parts': mapOf(mapOf(params).message).parts ?? null },
    content: result,
  }));
  const [first] = said;
  return {
    agent_card: rest,
    ...nonEmpty(
      'task_responses',
      first === undefined ? [] : [...(said.length === 1 ? [] : entries), { content: first.result }],
    ),
  };
}

type Answers = Map<Value | undefined, Exchange[]>;

function answersBy(key: string, exchanges: readonly Exchange[]): Answers {
  const answers: Answers = new Map();
  for (const exchange of exchanges) {
    const name = mapOf(exchange.params)[key];
    answers.set(name, [...(answers.get(name) ?? []), exchange]);
  }
  return answers;
}

/**
 * Each answer for its own arguments, those with more of them first; for any others, the first that was seen. One that is
 * alone answers everything, so it needs no condition.
 */
function withResponses(entry: ValueMap, answers: Answers, leftOut: Set<string>): ValueMap {
  const own = answers.get(entry.name) ?? [];
  answers.delete(entry.name);
  const [first] = own;
  if (first === undefined) return entry;
  const conditions = own.map(({ params, result }) => ({
    when: conditionsFor(mapOf(params).arguments),
    content: result,
  }));
  if (new Set(conditions.map(({ when }) => JSON.stringify(when))).size < conditions.length)
    leftOut.add(
      `answers of ${String(entry.name)} to arguments that no condition tells apart; the first is written`,
    );
  const weight = ({ when }: { readonly when: ValueMap }): number => Object.keys(when).length;
  const specific = conditions.filter((each) => weight(each) > 0).sort((a, b) => weight(b) - weight(a));
  const plain = conditions.find((each) => weight(each) === 0)?.content ?? first.result;
  return { ...entry, responses: [...(own.length === 1 ? [] : specific), { content: plain }] };
}

/** By dot-path, as `when` has it. What a path cannot name is not asked for. */
function conditionsFor(args: Value | undefined): ValueMap {
  const found: [string, Value][] = [];
  const visit = (value: Value, path: string): void => {
    if (!simplePath.test(path)) return;
    // A value that looks like operators is taken apart, so that it is not read as such.
    if (isValueMap(value) && (path === 'arguments' || isMatchCondition(value)))
      for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`);
    else found.push([path, value]);
  };
  if (isValueMap(args)) visit(args, 'arguments');
  return Object.fromEntries(found);
}

/** The one content as the format has it; `uri` and kind are those of the resource. */
function contentOf(contents: readonly Value[], { uri, mimeType }: ValueMap): Value {
  const trimmed = contents.map((item) => {
    if (!isValueMap(item)) return item;
    const { uri: own, mimeType: kind, ...rest } = item;
    return {
      ...(own !== uri && own !== undefined && { uri: own }),
      ...(kind !== mimeType && kind !== undefined && { mimeType: kind }),
      ...rest,
    };
  });
  return trimmed.length === 1 ? (trimmed[0] as Value) : trimmed;
}

function listed(exchanges: readonly Exchange[], key: string): readonly ValueMap[] {
  return exchanges.flatMap(({ result }) => listOf(mapOf(result)[key])).filter(isValueMap);
}

function nonEmpty(key: string, items: readonly Value[]): ValueMap {
  return items.length === 0 ? {} : { [key]: items };
}

function mapOf(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}

function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}
