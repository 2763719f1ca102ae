import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Rewriting, RewrittenMapping } from './change.ts';
import {
  createNode,
  getText,
  listAt,
  listMappingKeys,
  listMappings,
  mapAt,
  recordChange,
  renameKey,
  takeOut,
} from './change.ts';

// Rewrites what ThoughtJack's client actors do in the terms of OATF 0.1.

/** The actions of ThoughtJack's MCP clients, and which of their keys are params. */
const mcpActions: {
  readonly [action: string]: { readonly method: string; readonly params: readonly string[] };
} = {
  list_tools: { method: 'tools/list', params: [] },
  call_tool: { method: 'tools/call', params: ['name', 'arguments'] },
  list_resources: { method: 'resources/list', params: [] },
  read_resource: { method: 'resources/read', params: ['uri'] },
  subscribe_resource: { method: 'resources/subscribe', params: ['uri'] },
  list_prompts: { method: 'prompts/list', params: [] },
  get_prompt: { method: 'prompts/get', params: ['name', 'arguments'] },
};

export function rewriteMcpClient(rewriting: Rewriting, state: RewrittenMapping): void {
  const actions = listAt(state.map, 'actions');
  actions?.items.forEach((item, index) => {
    const path = [...state.path, 'actions', index];
    const written = readAction(item);
    if (written === undefined) return;
    const action = Object.hasOwn(mcpActions, written.name) ? mcpActions[written.name] : undefined;
    if (action === undefined) {
      recordChange(rewriting, 'left', path, item, `MCP has no method for the action ${written.name}`);
      return;
    }
    const { method, params } = action;
    const made = createNode(rewriting, { method }) as YAMLMap;
    made.commentBefore = (item as Node).commentBefore ?? null;
    if (written.inner !== undefined && params.length > 0) made.set('params', takeOut(rewriting, written.inner, params));
    actions.items[index] = made;
    recordChange(rewriting, 'rewritten', path, item, `${written.name} is \`method: ${method}\``);
  });
  rewriteSampling(rewriting, state);
}

/** Reads an action: `list_tools`, `{ call_tool: { … } }` or `{ type: call_tool, … }`. */
function readAction(item: unknown): { readonly name: string; readonly inner?: YAMLMap } | undefined {
  if (isScalar(item)) return typeof item.value === 'string' ? { name: item.value } : undefined;
  if (!isMap(item) || item.has('method')) return undefined;
  const type = item.get('type');
  if (typeof type === 'string') return { name: type, inner: item };
  const [only, ...others] = listMappingKeys(item);
  if (only === undefined || others.length > 0) return undefined;
  const inner = mapAt(item, only);
  return inner === undefined ? { name: only } : { name: only, inner };
}

/** In ThoughtJack the whole entry is the message. In OATF the message stands in `content`. */
function rewriteSampling(rewriting: Rewriting, state: RewrittenMapping): void {
  for (const { map, path } of listMappings(state, 'sampling_responses')) {
    if (map.has('response') && !map.has('content')) {
      renameKey(map, 'response', 'content');
      recordChange(rewriting, 'rewritten', path, map, '`response` is `content`');
    } else if (map.has('role')) {
      const own = listMappingKeys(map).filter((key) => key !== 'when' && key !== 'synthesize');
      map.set('content', takeOut(rewriting, map, own));
      recordChange(rewriting, 'rewritten', path, map, 'the message stands in `content`');
    }
  }
}

/** Turns what a phase of ThoughtJack's A2A clients says into one action. */
export function rewriteA2aClient(rewriting: Rewriting, { map, path }: RewrittenMapping, isFirst: boolean): void {
  const message = mapAt(map, 'task_message');
  const fetches = map.get('fetch_agent_card') === true;
  if (message === undefined && !fetches) return;
  const streams = map.get('streaming') === true;
  const params = takeOut(rewriting, map, ['task_message', 'configuration', 'metadata']);
  renameKey(params, 'task_message', 'message');
  if (message !== undefined) {
    if (!message.has('kind')) message.set('kind', 'message');
    if (!message.has('messageId')) message.set('messageId', 'message-1');
  }
  const method = streams ? 'message/stream' : 'message/send';
  const send = createNode(rewriting, { method }) as YAMLMap;
  send.set('params', params);
  const card = createNode(rewriting, { method: 'agent_card/get' });
  for (const key of ['streaming', 'fetch_agent_card']) map.delete(key);
  const before = map.get('actions');
  const actions = createNode(rewriting, []);
  if (isSeq(actions))
    actions.items.push(
      ...(fetches ? [card] : []),
      ...(message === undefined ? [] : [send]),
      ...(isSeq(before) ? before.items : []),
    );
  map.set('actions', actions);
  if (message !== undefined)
    recordChange(
      rewriting,
      'rewritten',
      [...path, 'task_message'],
      message,
      `it is an action with \`method: ${method}\``,
    );
  if (fetches)
    recordChange(rewriting, 'rewritten', [...path, 'fetch_agent_card'], map, 'it is `method: agent_card/get`');
  if (!isFirst && message !== undefined && !message.has('contextId'))
    recordChange(
      rewriting,
      'left',
      [...path, 'task_message'],
      message,
      'ThoughtJack carries the `contextId` of the answer before into this message; an extractor and a template do that here',
    );
}

// Rewrites what ThoughtJack's server actors present in the terms of OATF 0.1 and of our extensions.

export function rewriteMcpServer(rewriting: Rewriting, state: RewrittenMapping): void {
  rewriteResources(rewriting, state);
  rewriteProgress(rewriting, state);
  for (const key of ['logging', 'sampling_requests', 'elicitations'])
    for (const { map, path } of listMappings(state, key)) rewriteFilter(rewriting, map, path);
  for (const { map, path } of listMappings(state, 'logging'))
    if (!map.has('level')) {
      map.set('level', 'info');
      recordChange(rewriting, 'rewritten', path, map, 'without `level` it is `info`');
    }
  for (const { map, path } of listMappings(state, 'sampling_requests'))
    if (!map.has('maxTokens')) {
      map.set('maxTokens', 100);
      recordChange(rewriting, 'rewritten', path, map, 'without `maxTokens` it is 100');
    }
  for (const key of ['sampling_requests', 'elicitations']) reportFurtherEntries(rewriting, state, key);
}

/** Turns `tool: NAME` into a condition of `when`. */
function rewriteFilter(rewriting: Rewriting, map: YAMLMap, path: RewrittenMapping['path']): void {
  const tool = getText(map, 'tool');
  if (tool === undefined) return;
  const when = mapAt(map, 'when') ?? (createNode(rewriting, {}) as YAMLMap);
  when.set('name', tool);
  map.delete('tool');
  if (!map.has('when')) map.items.unshift(rewriting.yaml.createPair('when', when) as never);
  recordChange(rewriting, 'rewritten', [...path, 'tool'], map, `\`tool: ${tool}\` is \`when: { name: ${tool} }\``);
}

/** In ThoughtJack each entry is a value. Here an entry holds all the values of a call. */
function rewriteProgress(rewriting: Rewriting, state: RewrittenMapping): void {
  const list = listAt(state.map, 'progress');
  if (list === undefined || !list.items.some((item) => isMap(item) && item.has('progress'))) return;
  const entries: YAMLMap[] = [];
  let tool: string | undefined;
  for (const item of list.items) {
    if (!isMap(item) || item.has('values')) {
      entries.push(item as YAMLMap);
      continue;
    }
    const own = getText(item, 'tool');
    item.delete('tool');
    const last = entries.at(-1);
    const values = last === undefined || own !== tool ? undefined : listAt(last, 'values');
    if (values !== undefined) values.add(item);
    else {
      const entry = createNode(rewriting, own === undefined ? {} : { when: { name: own } }) as YAMLMap;
      entry.set('values', createNode(rewriting, []));
      listAt(entry, 'values')?.add(item);
      entries.push(entry);
    }
    tool = own;
  }
  list.items = entries;
  recordChange(rewriting, 'rewritten', [...state.path, 'progress'], list, 'its values stand in `values`, by call');
}

/** In OATF the content of a resource stands in `content`, and is always the same. */
function rewriteResources(rewriting: Rewriting, state: RewrittenMapping): void {
  for (const { map, path } of listMappings(state, 'resources')) {
    const responses = listAt(map, 'responses');
    if (responses === undefined || map.has('content')) continue;
    const [only, ...others] = responses.items;
    const contents = isMap(only) ? listAt(only, 'contents') : undefined;
    if (!isMap(only) || contents === undefined || others.length > 0 || only.has('when')) {
      const message = 'a resource has one `content` here; which of several is read cannot depend on the request';
      recordChange(rewriting, 'left', [...path, 'responses'], responses, message);
      continue;
    }
    map.delete('responses');
    map.set('content', contents.items.length === 1 ? contents.items[0] : contents);
    recordChange(rewriting, 'rewritten', [...path, 'responses'], responses, 'its `contents` are `content`');
  }
  for (const { map, path } of listMappings(state, 'resource_templates'))
    if (map.has('responses'))
      recordChange(rewriting, 'left', [...path, 'responses'], map, 'a resource template is listed here, and not read');
}

/** Reports entries that OATF sends and ThoughtJack does not: ThoughtJack sends the first entry that fits, OATF every one. */
function reportFurtherEntries(rewriting: Rewriting, state: RewrittenMapping, key: string): void {
  const entries = listMappings(state, key);
  const open = entries.findIndex(({ map }) => !map.has('when'));
  const [next] = open < 0 ? [] : entries.slice(open + 1);
  if (next !== undefined)
    recordChange(
      rewriting,
      'left',
      next.path,
      next.map,
      'ThoughtJack sends the first entry that fits; here each that fits is sent, so this one is too',
    );
}

/** ThoughtJack describes a task with a few keys. Here a task is written as the protocol has it. */
export function rewriteA2aServer(rewriting: Rewriting, state: RewrittenMapping): void {
  listMappings(state, 'task_responses').forEach(({ map, path }, index) => {
    if (map.has('content') || !listMappingKeys(map).some((key) => taskKeys.includes(key))) return;
    const taken = takeOut(rewriting, map, taskKeys);
    const isMessage = getText(taken, 'response_type') === 'message';
    for (const [number, { map: message }] of listMappings({ map: taken, path }, 'messages').entries()) {
      message.set('kind', 'message');
      if (!message.has('messageId')) message.set('messageId', `answer-${index + 1}-${number + 1}`);
    }
    for (const [number, { map: artifact }] of listMappings({ map: taken, path }, 'artifacts').entries())
      if (!artifact.has('artifactId')) artifact.set('artifactId', `artifact-${index + 1}-${number + 1}`);
    map.set('content', isMessage ? findFirstMessage(taken) : convertTask(rewriting, taken, index));
    const what = isMessage ? 'message' : 'task';
    recordChange(rewriting, 'rewritten', path, map, `the ${what} stands in \`content\`, as A2A has it`);
  });
}

const taskKeys: readonly string[] = ['status', 'messages', 'artifacts', 'response_type'];

function convertTask(rewriting: Rewriting, taken: YAMLMap, index: number): YAMLMap {
  const status = taken.get('status');
  const task = createNode(rewriting, {
    kind: 'task',
    id: `task-${index + 1}`,
    contextId: `context-${index + 1}`,
    status: { state: typeof status === 'string' ? status : 'completed' },
  }) as YAMLMap;
  if (isMap(status)) task.set('status', status);
  renameKey(taken, 'messages', 'history');
  for (const pair of taken.items)
    if (isScalar(pair.key) && (pair.key.value === 'history' || pair.key.value === 'artifacts')) task.items.push(pair);
  return task;
}

function findFirstMessage(taken: YAMLMap): unknown {
  const messages = taken.get('messages');
  return isSeq(messages) ? (messages.items[0] ?? null) : null;
}
