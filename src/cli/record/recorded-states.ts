import type { Protocol } from '../../format/model/enumeration-types.ts';
import { isValueMap, toList, toMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { patterns } from '../../format/registry/fields.ts';
import { mcp2026 } from '../../format/registry/mcp-2026.ts';
import { hasOperation } from '../../format/registry/protocol-operations.ts';
import type { RecordedExchange, Recording } from './recorded-exchange.ts';
import { unwrapSessionless } from './without-session.ts';

// Builds the state of a document that plays a server as it was recorded.

export function buildMcpState(recording: Recording): ValueMap {
  const { exchanges, leftOut } = recording;
  const of = (method: string): readonly RecordedExchange[] =>
    exchanges.filter((each) => each.method === method && each.failed === undefined);
  const opened = toMap(of('initialize')[0]?.result);
  const asked = toMap(of('initialize')[0]?.params).protocolVersion;
  const answers = groupAnswersByName(of('tools/call'));
  const prompts = groupAnswersByName(of('prompts/get'));
  const contents = new Map(
    of('resources/read').map(({ params, result }) => [toMap(params).uri, toList(toMap(result).contents)]),
  );
  const resources = listRecordedItems(of('resources/list'), 'resources').map((resource) => {
    const found = contents.get(resource.uri);
    contents.delete(resource.uri);
    return found === undefined ? resource : { ...resource, content: buildResourceContent(found, resource) };
  });
  for (const uri of contents.keys())
    leftOut.add(`${String(uri)}, which was read, is not a resource that the server lists`);
  const tools = listRecordedItems(of('tools/list'), 'tools').map((tool) => addResponses(tool, answers, leftOut));
  const state: ValueMap = {
    // A server without sessions is played to agents of both eras.
    ...(opened.protocolVersion !== undefined &&
      opened.protocolVersion !== asked &&
      opened.protocolVersion !== mcp2026 && { protocol_version: opened.protocolVersion }),
    ...(opened.serverInfo !== undefined && { server_info: opened.serverInfo }),
    ...(opened.instructions !== undefined && { instructions: opened.instructions }),
    ...(opened.capabilities !== undefined && { capabilities: opened.capabilities }),
    ...keepNonEmpty('tools', tools),
    ...keepNonEmpty('resources', resources),
    ...keepNonEmpty('resource_templates', listRecordedItems(of('resources/templates/list'), 'resourceTemplates')),
    ...keepNonEmpty(
      'prompts',
      listRecordedItems(of('prompts/list'), 'prompts').map((prompt) => addResponses(prompt, prompts, leftOut)),
    ),
    ...buildQuestions(recording),
    ...buildCaching(of('tools/list')),
  };
  for (const name of [...answers.keys(), ...prompts.keys()])
    leftOut.add(`what ${String(name)} answered belongs to nothing that the server lists`);
  return state;
}

/** Our own addresses are used when it is played, so those of the card are left out. */
export function buildA2aState({ exchanges }: Recording): ValueMap {
  const card = toMap(exchanges.find(({ method }) => method === 'agent_card/get')?.result);
  const { url: _url, additionalInterfaces: _more, supportedInterfaces: _all, preferredTransport: _one, ...rest } = card;
  const messages = exchanges.filter(
    ({ method, failed }) => failed === undefined && (method === 'message/send' || method === 'message/stream'),
  );
  const entries = messages.map(({ params, result }) => ({
    when: { 'message.parts': toMap(toMap(params).message).parts ?? null },
    content: result,
  }));
  const [first] = messages;
  return {
    agent_card: rest,
    ...keepNonEmpty(
      'task_responses',
      first === undefined ? [] : [...(messages.length === 1 ? [] : entries), { content: first.result }],
    ),
  };
}

type Answers = Map<Value | undefined, RecordedExchange[]>;

function groupAnswersByName(exchanges: readonly RecordedExchange[]): Answers {
  const answers: Answers = new Map();
  for (const exchange of exchanges) {
    const { name } = toMap(exchange.params);
    answers.set(name, [...(answers.get(name) ?? []), exchange]);
  }
  return answers;
}

/**
 * Each answer is written for its own arguments, those with more arguments first. The first answer serves all other
 * calls. A single answer needs no condition.
 */
function addResponses(entry: ValueMap, answers: Answers, leftOut: Set<string>): ValueMap {
  const own = answers.get(entry.name) ?? [];
  answers.delete(entry.name);
  const [first] = own;
  if (first === undefined) return entry;
  const conditions = own.map(({ params, result }) => ({
    when: createArgumentConditions(toMap(params).arguments),
    content: unwrapSessionless(result),
  }));
  if (new Set(conditions.map(({ when }) => JSON.stringify(when))).size < conditions.length)
    leftOut.add(`answers of ${String(entry.name)} to arguments that no condition tells apart; the first is written`);
  const weight = ({ when }: { readonly when: ValueMap }): number => Object.keys(when).length;
  const specific = conditions.filter((each) => weight(each) > 0).sort((a, b) => weight(b) - weight(a));
  const plain = conditions.find((each) => weight(each) === 0)?.content ?? unwrapSessionless(first.result);
  return { ...entry, responses: [...(own.length === 1 ? [] : specific), { content: plain }] };
}

const questionKeys: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitations'],
  ['sampling/createMessage', 'sampling_requests'],
]);

/** The server's questions within calls, each with the call in which it was asked. */
function buildQuestions({ exchanges, leftOut }: Recording): ValueMap {
  const found = new Map<string, ValueMap[]>();
  for (const { method, params, questions = [] } of exchanges)
    for (const question of questions) {
      const key = questionKeys.get(question.method);
      if (key === undefined) {
        leftOut.add(`the server asks ${question.method} within ${method}, which no key of state does`);
        continue;
      }
      const { name, arguments: args } = toMap(params);
      const isAlone =
        exchanges.filter((each) => each.method === method && toMap(each.params).name === name).length === 1;
      const when = { ...(name !== undefined && { name }), ...(!isAlone && createArgumentConditions(args)) };
      const { _meta, ...asked } = toMap(question.params);
      found.set(key, [...(found.get(key) ?? []), { when, ...asked }]);
    }
  return Object.fromEntries(found);
}

/** The cache settings of a server without sessions, unless they equal our defaults. */
function buildCaching([list]: readonly RecordedExchange[]): ValueMap {
  const { ttlMs, cacheScope } = toMap(list?.result);
  if (ttlMs === undefined || (ttlMs === 0 && cacheScope === 'private')) return {};
  return { caching: { ttlMs, ...(cacheScope !== undefined && { cacheScope }) } };
}

/** The content as the format writes it. `uri` and `mimeType` come from the resource. */
function buildResourceContent(contents: readonly Value[], { uri, mimeType }: ValueMap): Value {
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

function listRecordedItems(exchanges: readonly RecordedExchange[], key: string): readonly ValueMap[] {
  return exchanges.flatMap(({ result }) => toList(toMap(result)[key])).filter(isValueMap);
}

function keepNonEmpty(key: string, items: readonly Value[]): ValueMap {
  return items.length === 0 ? {} : { [key]: items };
}

const simplePath = new RegExp(patterns.simplePath);

/** The conditions for arguments, by dot-path as `when` uses them. Keys that a path cannot name are left out. */
function createArgumentConditions(args: Value | undefined): ValueMap {
  const found: [string, Value][] = [];
  const visit = (value: Value, path: string): void => {
    if (!simplePath.test(path)) return;
    // A value that looks like an operator is split, so that it is not read as one.
    if (isValueMap(value) && (path === 'arguments' || isMatchCondition(value)))
      for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`);
    else found.push([path, value]);
  };
  if (isValueMap(args)) visit(args, 'arguments');
  return Object.fromEntries(found);
}

/** `x-wire` rules for protocol errors: each replaces the answer to its own request. */
export function createRecordedWireRules({ exchanges, leftOut }: Recording, protocol: Protocol): readonly ValueMap[] {
  const rules = exchanges.flatMap((exchange): ValueMap[] => {
    if (exchange.failed === undefined) return [];
    const { method } = exchange;
    const error = readRpcError(exchange.result);
    const when = createRuleCondition(exchange, exchanges);
    if (error === undefined || when === undefined || hasOperation(protocol, method) === false) {
      leftOut.add(`an error that ${method} was answered with`);
      return [];
    }
    return [{ on: method, ...(Object.keys(when).length > 0 && { when }), error }];
  });
  const weight = ({ when }: ValueMap): number => (isValueMap(when) ? Object.keys(when).length : 0);
  return rules.sort((a, b) => weight(b) - weight(a));
}

function readRpcError(error: Value): ValueMap | undefined {
  if (!isValueMap(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') return undefined;
  const { code = null, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}

/** The condition that separates a failed request from the others; nothing if they cannot be separated. */
function createRuleCondition(exchange: RecordedExchange, exchanges: readonly RecordedExchange[]): ValueMap | undefined {
  const { method } = exchange;
  const { name, uri, arguments: args, message, cursor } = toMap(exchange.params);
  const others = exchanges.filter((each) => each !== exchange && each.method === method);
  if (method === 'tools/call' || method === 'prompts/get') {
    const own = createArgumentConditions(args);
    const known = others.filter((each) => toMap(each.params).name === name);
    const missing = known
      .flatMap((each) => Object.keys(createArgumentConditions(toMap(each.params).arguments)))
      .filter((path) => !Object.hasOwn(own, path))
      .map((path) => [path, { exists: false }] as const);
    return { ...(name !== undefined && { name }), ...own, ...Object.fromEntries(missing) };
  }
  if (uri !== undefined) return { uri };
  if (message !== undefined) return { 'message.parts': toMap(message).parts ?? null };
  return cursor === undefined && others.every(({ failed }) => failed) ? {} : undefined;
}
