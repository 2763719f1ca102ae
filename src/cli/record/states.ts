import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { mcp2026 } from '../../registry/mcp-2026.ts';
import { conditionsFor } from './conditions.ts';
import type { Exchange, Recording } from './exchange.ts';
import { unwrapped } from './unwrapped.ts';

// Builds the state of a document that plays a server as it was recorded.

export function mcpState(recording: Recording): ValueMap {
  const { exchanges, leftOut } = recording;
  const of = (method: string): readonly Exchange[] =>
    exchanges.filter((each) => each.method === method && each.failed === undefined);
  const opened = mapOf(of('initialize')[0]?.result);
  const asked = mapOf(of('initialize')[0]?.params).protocolVersion;
  const answers = answersByName(of('tools/call'));
  const prompts = answersByName(of('prompts/get'));
  const contents = new Map(
    of('resources/read').map(({ params, result }) => [mapOf(params).uri, listOf(mapOf(result).contents)]),
  );
  const resources = listed(of('resources/list'), 'resources').map((resource) => {
    const found = contents.get(resource.uri);
    contents.delete(resource.uri);
    return found === undefined ? resource : { ...resource, content: contentOf(found, resource) };
  });
  for (const uri of contents.keys())
    leftOut.add(`${String(uri)}, which was read, is not a resource that the server lists`);
  const tools = listed(of('tools/list'), 'tools').map((tool) => withResponses(tool, answers, leftOut));
  const state: ValueMap = {
    // A server without sessions is played to agents of both eras.
    ...(opened.protocolVersion !== undefined &&
      opened.protocolVersion !== asked &&
      opened.protocolVersion !== mcp2026 && { protocol_version: opened.protocolVersion }),
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
    ...questionsIn(recording),
    ...cachingIn(of('tools/list')),
  };
  for (const name of [...answers.keys(), ...prompts.keys()])
    leftOut.add(`what ${String(name)} answered belongs to nothing that the server lists`);
  return state;
}

/** Our own addresses are used when it is played, so those of the card are left out. */
export function a2aState({ exchanges }: Recording): ValueMap {
  const card = mapOf(exchanges.find(({ method }) => method === 'agent_card/get')?.result);
  const {
    url: _url,
    additionalInterfaces: _more,
    supportedInterfaces: _all,
    preferredTransport: _one,
    ...rest
  } = card;
  const said = exchanges.filter(
    ({ method, failed }) =>
      failed === undefined && (method === 'message/send' || method === 'message/stream'),
  );
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

function answersByName(exchanges: readonly Exchange[]): Answers {
  const answers: Answers = new Map();
  for (const exchange of exchanges) {
    const { name } = mapOf(exchange.params);
    answers.set(name, [...(answers.get(name) ?? []), exchange]);
  }
  return answers;
}

/**
 * Each answer is written for its own arguments, those with more arguments first. The first answer serves all other
 * calls. A single answer needs no condition.
 */
function withResponses(entry: ValueMap, answers: Answers, leftOut: Set<string>): ValueMap {
  const own = answers.get(entry.name) ?? [];
  answers.delete(entry.name);
  const [first] = own;
  if (first === undefined) return entry;
  const conditions = own.map(({ params, result }) => ({
    when: conditionsFor(mapOf(params).arguments),
    content: unwrapped(result),
  }));
  if (new Set(conditions.map(({ when }) => JSON.stringify(when))).size < conditions.length)
    leftOut.add(
      `answers of ${String(entry.name)} to arguments that no condition tells apart; the first is written`,
    );
  const weight = ({ when }: { readonly when: ValueMap }): number => Object.keys(when).length;
  const specific = conditions.filter((each) => weight(each) > 0).sort((a, b) => weight(b) - weight(a));
  const plain = conditions.find((each) => weight(each) === 0)?.content ?? unwrapped(first.result);
  return { ...entry, responses: [...(own.length === 1 ? [] : specific), { content: plain }] };
}

const questionKeys: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitations'],
  ['sampling/createMessage', 'sampling_requests'],
]);

/** The server's questions within calls, each with the call in which it was asked. */
function questionsIn({ exchanges, leftOut }: Recording): ValueMap {
  const found = new Map<string, ValueMap[]>();
  for (const { method, params, questions = [] } of exchanges)
    for (const question of questions) {
      const key = questionKeys.get(question.method);
      if (key === undefined) {
        leftOut.add(`the server asks ${question.method} within ${method}, which no key of state does`);
        continue;
      }
      const { name, arguments: args } = mapOf(params);
      const isAlone =
        exchanges.filter((each) => each.method === method && mapOf(each.params).name === name).length === 1;
      const when = { ...(name !== undefined && { name }), ...(!isAlone && conditionsFor(args)) };
      const { _meta, ...asked } = mapOf(question.params);
      found.set(key, [...(found.get(key) ?? []), { when, ...asked }]);
    }
  return Object.fromEntries(found);
}

/** The cache settings of a server without sessions, unless they equal our defaults. */
function cachingIn([list]: readonly Exchange[]): ValueMap {
  const { ttlMs, cacheScope } = mapOf(list?.result);
  if (ttlMs === undefined || (ttlMs === 0 && cacheScope === 'private')) return {};
  return { caching: { ttlMs, ...(cacheScope !== undefined && { cacheScope }) } };
}

/** The content as the format writes it. `uri` and `mimeType` come from the resource. */
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
