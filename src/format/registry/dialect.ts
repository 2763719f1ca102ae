// Keys of ThoughtJack's documents, and their counterparts in OATF 0.1 or in our extensions. `oatf convert` rewrites them.
// The SDK's own diagnostics do not use this table.

const oatf: { readonly [word: string]: string } = {
  list_tools: '`method: tools/list`',
  call_tool: '`method: tools/call` with `params: { name: ..., arguments: ... }`',
  list_resources: '`method: resources/list`',
  read_resource: '`method: resources/read` with `params: { uri: ... }`',
  subscribe_resource: '`method: resources/subscribe` with `params: { uri: ... }`',
  list_prompts: '`method: prompts/list`',
  get_prompt: '`method: prompts/get` with `params: { name: ... }`',
  task_message: '`actions: [{ method: message/send, params: { message: ... } }]`',
  streaming: '`method: message/stream` in an action',
  fetch_agent_card: '`method: agent_card/get` in an action',
  status: '`content: { kind: task, id: ..., contextId: ..., status: { state: ... }, artifacts: [...] }`',
  tool: '`when: { name: ... }`',
};

const extensions: { readonly [word: string]: string } = {
  await_extractors: '`x-await: [{ actor: ..., extractors: [...], within: 30s }]`',
  progress: '`values: [{ progress: ..., total: ... }]`',
};

const nothing: { readonly [word: string]: string } = {
  behavior:
    'this tool has `x-wire` for how things are sent, with words of its own (docs/extensions/wire.md): write a rule',
};

/** Says what to write for a key of the dialect; undefined for any other key. */
export function explainDialectKey(word: string): string | undefined {
  if (Object.hasOwn(oatf, word)) return `OATF 0.1 has ${oatf[word]}; oatf convert rewrites it`;
  if (Object.hasOwn(extensions, word)) return `this tool has ${extensions[word]}; oatf convert rewrites it`;
  return Object.hasOwn(nothing, word) ? nothing[word] : undefined;
}
