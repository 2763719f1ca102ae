import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import {
  createNode,
  getText,
  listAt,
  listMappingKeys,
  listMappings,
  mapAt,
  type Rewriting,
  type RewrittenMapping,
  recordChange,
  renameKey,
  takeOut,
} from './change.ts';

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
  for (const key of ['sampling_requests', 'elicitations']) tellOfFirst(rewriting, state, key);
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
function tellOfFirst(rewriting: Rewriting, state: RewrittenMapping, key: string): void {
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
