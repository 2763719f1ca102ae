import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import {
  createNode,
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
    const said = readAction(item);
    if (said === undefined) return;
    const action = Object.hasOwn(mcpActions, said.name) ? mcpActions[said.name] : undefined;
    if (action === undefined) {
      recordChange(rewriting, 'left', path, item, `MCP has no method for the action ${said.name}`);
      return;
    }
    const { method, params } = action;
    const made = createNode(rewriting, { method }) as YAMLMap;
    made.commentBefore = (item as Node).commentBefore ?? null;
    if (said.inner !== undefined && params.length > 0) made.set('params', takeOut(rewriting, said.inner, params));
    actions.items[index] = made;
    recordChange(rewriting, 'rewritten', path, item, `${said.name} is \`method: ${method}\``);
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
