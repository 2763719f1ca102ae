import type { Mode } from '../model/enumeration-types.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { questionMethods } from './mcp-2026.ts';

// The keys that bindings read in the lists of a state (format spec §7.0.1, §7.1.4 to §7.1.6, §7.2, §7.3). Content that is
// sent unchanged has no row: it may be as malformed as the author likes.

export interface EntryShape {
  /** The keys that hold what is sent; an entry needs one of them. If the list is empty, it needs none. */
  readonly payload: readonly string[];
  /** Other keys that the binding reads. */
  readonly keys: readonly string[];
  /** Set if an entry without its payload sends nothing, even with the other keys. */
  readonly isNeeded?: true;
  /** Whether further keys belong to the protocol and are sent too. */
  readonly isOpen: boolean;
}

const response = (payload: readonly string[], keys: readonly string[] = [], isOpen = false): EntryShape => ({
  payload,
  keys: ['when', 'synthesize', ...keys],
  isOpen,
});

/** The response lists that stand inside what they answer for, by the key of that list (`tools`, `prompts`). */
export const responsesWithin: { readonly [owner: string]: EntryShape } = {
  tools: response(['content'], ['isError', 'structuredContent', '_meta', 'task']),
  prompts: response(['messages', 'content'], ['description', '_meta']),
};

/** The lists that stand in `state` itself. */
export const listsInState: { readonly [key: string]: EntryShape } = {
  sampling_responses: response(['content']),
  elicitation_responses: response(['content', 'action']),
  task_responses: response(['content', 'stream']),
  tool_responses: response(['content']),
  interrupt_responses: response(['payload', 'status'], ['interruptId', 'metadata'], true),
  elicitations: {
    payload: [],
    keys: ['when', 'message', 'mode', 'requestedSchema', 'elicitationId', 'url', '_meta'],
    isOpen: true,
  },
  sampling_requests: { payload: ['messages'], keys: ['when'], isNeeded: true, isOpen: true },
  logging: { payload: ['data'], keys: ['when', 'level', 'logger', '_meta'], isNeeded: true, isOpen: true },
  progress: { payload: ['values'], keys: ['when'], isNeeded: true, isOpen: false },
  actions: { payload: ['method'], keys: ['params', 'headers'], isNeeded: true, isOpen: false },
};

/** The field by which a request names an entry of each list. */
export const foundBy: { readonly [key: string]: string } = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
};

/** The fields that the format requires in the entries of each list. Without them, the entries are sent all the same. */
export const requiredFields: { readonly [key: string]: readonly string[] } = {
  resources: ['name'],
  resource_templates: ['uriTemplate', 'name'],
};

/** The fields of a run input that are generated if the author leaves them out. */
export const generatedInputFields = ['threadId', 'runId'] as const;

/** Entry actions that OATF does not define (docs/extensions/README.md). */
export const actionExtensions: ReadonlySet<string> = new Set(['send_within_response', 'ask_in_any_result']);

/** The entry actions of each mode, besides `send` and `log`. */
const entryActions: ReadonlyMap<Mode, readonly string[]> = new Map([
  ['a2a_server', ['send_push_notification']],
  ['mcp_server', [...actionExtensions]],
]);

export function listEntryActions(mode: Mode): readonly string[] {
  return ['send', 'log', ...(entryActions.get(mode) ?? [])];
}

/**
 * Whether the content of a tool response is written as the message that carries it: `content` with a `messageId` or a
 * `toolCallId`, or `content` alone. AG-UI takes no other mapping as the result of a tool.
 */
export function isToolMessage(content: Value | undefined): content is ValueMap & { readonly content: Value } {
  if (!isValueMap(content) || !Object.hasOwn(content, 'content')) return false;
  const keys = Object.keys(content);
  return keys.length === 1 || keys.includes('messageId') || keys.includes('toolCallId');
}

/** Whether a message of this method asks the client something, which MCP allows within a request of the client only. */
export function isAloneForbidden(mode: Mode, method: string): boolean {
  return mode === 'mcp_server' && questionMethods.has(method);
}

/** Whether an actor of the mode sends `initialize` when it connects (format spec §7.1.5). */
export function isOpeningByItself(mode: Mode): boolean {
  return mode === 'mcp_client';
}

/** The probable meaning of wrong keys that occur in documents. */
const meanings: ReadonlyMap<string, string> = new Map([
  ['contents', '`content`'],
  ['error', '`content: { isError: true, content: [...] }`'],
  ['text', '`content: [{ type: text, text: ... }]`'],
  ['message', '`content`'],
  ['result', '`content`'],
  ['response', '`content`'],
  ['tool', '`when: { name: ... }`'],
]);

export function explainKey(key: string): string | undefined {
  const meant = meanings.get(key);
  return meant === undefined ? undefined : `OATF 0.1 has ${meant}`;
}

// The structural keys of `state`, by mode (format spec §7.1.4, §7.1.5, §7.2.4, §7.2.5, §7.3). What they contain belongs to
// the protocol and passes through.
const keysByMode: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'mcp_server',
    [
      'protocol_version',
      'server_info',
      'instructions',
      'capabilities',
      'tools',
      'resources',
      'resource_templates',
      'prompts',
      'elicitations',
    ],
  ],
  ['mcp_client', ['client_info', 'capabilities', 'actions', 'sampling_responses', 'elicitation_responses', 'roots']],
  ['a2a_server', ['agent_card', 'task_responses']],
  ['a2a_client', ['actions']],
  ['ag_ui_client', ['run_agent_input', 'tool_responses']],
]);

/** Keys that OATF 0.1 does not define but this tool supports (docs/extensions/README.md). */
const extensionsByMode: ReadonlyMap<string, readonly string[]> = new Map([
  ['mcp_server', ['sampling_requests', 'progress', 'logging', 'caching']],
  ['mcp_client', ['protocol_version']],
  ['ag_ui_client', ['interrupt_responses', 'as_written']],
]);

export function isStateExtension(mode: string, key: string): boolean {
  return extensionsByMode.get(mode)?.includes(key) ?? false;
}

/** The state keys of a mode; undefined for a mode that no included binding defines. */
export function listStateKeys(mode: string): readonly string[] | undefined {
  return keysByMode.get(mode);
}
