import type { Mode } from '../model/enumerations.ts';

// What a binding reads of the lists that a document writes for it (§7.0.1, §7.1.4 to §7.1.6, §7.2, §7.3). What goes onto the
// wire as it stands has no row here: that may be as wrong as the author likes.

export interface EntryShape {
  /** One of these says what goes out. Nothing is asked for where there are none. */
  readonly payload: readonly string[];
  /** Other keys that are read. */
  readonly keys: readonly string[];
  /** Keys beyond those are the protocol's own, and go out. */
  readonly isOpen: boolean;
}

const response = (payload: readonly string[], keys: readonly string[] = [], isOpen = false): EntryShape => ({
  payload,
  keys: ['when', 'synthesize', ...keys],
  isOpen,
});

/** The lists of responses that stand beside what they answer for, by the key that this stands under. */
export const responsesWithin: { readonly [owner: string]: EntryShape } = {
  tools: response(['content'], ['isError', 'structuredContent', '_meta']),
  prompts: response(['messages', 'content'], ['description', '_meta']),
};

/** The lists that stand in `state` itself. */
export const listsInState: { readonly [key: string]: EntryShape } = {
  sampling_responses: response(['content']),
  elicitation_responses: response(['content', 'action']),
  task_responses: response(['content']),
  tool_responses: response(['content']),
  interrupt_responses: response(['payload', 'status'], ['interruptId', 'metadata'], true),
  elicitations: {
    payload: [],
    keys: ['when', 'message', 'mode', 'requestedSchema', 'elicitationId', 'url', '_meta'],
    isOpen: true,
  },
  actions: { payload: ['method'], keys: ['params'], isOpen: false },
};

/** The field by which what is asked for is found. */
export const foundBy: { readonly [key: string]: string } = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
};

/** Entry actions beside `send` and `log`, by mode. */
const entryActions: ReadonlyMap<Mode, readonly string[]> = new Map([
  ['a2a_server', ['send_push_notification']],
]);

export function entryActionsOf(mode: Mode): readonly string[] {
  return ['send', 'log', ...(entryActions.get(mode) ?? [])];
}

/** Whether an actor of the mode sends `initialize` when it connects (§7.1.5). */
export function opensByItself(mode: Mode): boolean {
  return mode === 'mcp_client';
}

/** What other words for a key, seen in documents, probably mean. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['contents', '`content`'],
  ['error', '`content: { isError: true, content: [...] }`; a response cannot be an error of the protocol'],
  ['text', '`content: [{ type: text, text: ... }]`'],
  ['message', '`content`'],
  ['result', '`content`'],
  ['response', '`content`'],
  ['list_tools', '`method: tools/list`'],
  ['call_tool', '`method: tools/call` with `params: { name: ..., arguments: ... }`'],
  ['list_resources', '`method: resources/list`'],
  ['read_resource', '`method: resources/read` with `params: { uri: ... }`'],
  ['list_prompts', '`method: prompts/list`'],
  ['get_prompt', '`method: prompts/get` with `params: { name: ... }`'],
  ['task_message', '`actions: [{ method: message/send, params: { message: ... } }]`'],
  ['behavior', 'nothing that OATF 0.1 has: this tool sends every answer at once and whole'],
  ['logging', '`on_enter: [{ send: { method: notifications/message, params: ... } }]`'],
  ['await_extractors', 'a trigger on the event that the extractor takes its value from'],
]);

export function meaningOf(key: string): string | undefined {
  const meant = meanings.get(key);
  return meant === undefined ? undefined : `OATF 0.1 has ${meant}`;
}
