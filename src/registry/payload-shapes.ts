import type { Mode } from '../model/enumerations.ts';

// What a binding reads of the lists that a document writes for it (§7.0.1, §7.1.4 to §7.1.6, §7.2, §7.3). What goes onto the
// wire as it stands has no row here: that may be as wrong as the author likes.

export interface EntryShape {
  /** One of these says what goes out. Nothing is asked for where there are none. */
  readonly payload: readonly string[];
  /** Other keys that are read. */
  readonly keys: readonly string[];
  /** Nothing goes out without the first of them. */
  readonly isNeeded?: true;
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

/** The field by which what is asked for is found. */
export const foundBy: { readonly [key: string]: string } = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
};

/** Entry actions that OATF does not define; docs/extensions.md describes them. */
export const actionExtensions: ReadonlySet<string> = new Set(['send_within_response', 'ask_in_any_result']);

/** Entry actions beside `send` and `log`, by mode. */
const entryActions: ReadonlyMap<Mode, readonly string[]> = new Map([
  ['a2a_server', ['send_push_notification']],
  ['mcp_server', [...actionExtensions]],
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
  ['error', '`content: { isError: true, content: [...] }`'],
  ['text', '`content: [{ type: text, text: ... }]`'],
  ['message', '`content`'],
  ['result', '`content`'],
  ['response', '`content`'],
  ['tool', '`when: { name: ... }`'],
]);

export function meaningOf(key: string): string | undefined {
  const meant = meanings.get(key);
  return meant === undefined ? undefined : `OATF 0.1 has ${meant}`;
}
