import { isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { applyPatch, createPatchBudget } from './json-patch.ts';

// The conversation after a run: the messages and the state that the next run input carries, kept as the official client
// keeps them.

/** The conversation that the user's side knows after a run. */
export interface Conversation {
  readonly messages: readonly Value[];
  /** Not set if neither the input nor the agent has given a state. */
  readonly state: Value | undefined;
  /** Calls without an answer, in order. */
  readonly waiting: readonly PendingToolCall[];
  /** Whether all messages of the input are still there, unchanged. */
  readonly keepsMessages: boolean;
  readonly keepsState: boolean;
  /** The number of state patches that could not be applied. */
  readonly unfit: number;
}

export interface PendingToolCall {
  readonly id: string;
  readonly start: ValueMap;
}

interface Event {
  readonly event: ValueMap;
  readonly method: string;
}

/** A message that grows with the events of the run. */
interface MessageEntry {
  /** The message as given in the input or a snapshot. Fields from events are added to it. */
  readonly given?: Value;
  fields: ValueMap;
  text: string;
  calls: OpenToolCall[];
  /** Results of the tools that this message called. */
  results: MessageEntry[];
}

interface OpenToolCall extends PendingToolCall {
  readonly name: string;
  args: string;
  fields: ValueMap;
  isAnswered: boolean;
  /** How often the agent had spoken at the last event of this call. */
  spoken: number;
}

/**
 * Builds the messages, calls and state after a run from its events. `hasResponse` tells whether the document answers the
 * call that an event starts.
 */
export function rebuildConversation(
  events: readonly Event[],
  input: ValueMap,
  pending?: ReadonlySet<Value>,
  hasResponse: (start: ValueMap) => boolean = () => false,
): Conversation {
  let entries: MessageEntry[] = toList(input.messages).map((given) => createEntry(given));
  let state = input.state;
  let keepsMessages = true;
  let keepsState = true;
  let unfit = 0;
  let spoken = 0;
  const budget = createPatchBudget();
  const byId = new Map<Value, MessageEntry>();
  const calls = new Map<string, OpenToolCall>();
  /** The message that made each call, and the ids for events that carry none. */
  const callers = new Map<Value, MessageEntry>();
  const current = { message: '', reasoning: '', call: '' };
  for (const entry of entries) know(entry);

  function know(entry: MessageEntry): void {
    const { id, toolCalls } = readMapOrNothing(entry.given) ?? entry.fields;
    if (typeof id === 'string') byId.set(id, entry);
    for (const call of toList(toolCalls)) if (isValueMap(call) && call.id !== undefined) callers.set(call.id, entry);
  }

  function begin(fields: ValueMap): MessageEntry {
    const entry: MessageEntry = { fields, text: '', calls: [], results: [] };
    entries.push(entry);
    know(entry);
    return entry;
  }

  function messageFor(event: ValueMap, kind: 'message' | 'reasoning', role: string): MessageEntry {
    const { messageId } = event;
    if (typeof messageId === 'string') current[kind] = messageId;
    const id = current[kind];
    const entry = byId.get(id) ?? begin({ id, role: readTextOr(event.role, role) });
    if (!isOurs(entry))
      entry.fields = {
        ...entry.fields,
        ...pickFields(event, ['name', 'subagentRunId'], entry.fields.metadata),
      };
    return entry;
  }

  function add(entry: MessageEntry, { delta }: ValueMap): boolean {
    if (typeof delta !== 'string' || delta === '' || isOurs(entry)) return false;
    entry.text += delta;
    if (entry.given !== undefined) keepsMessages = false;
    return true;
  }

  function speak(event: ValueMap): void {
    if (add(messageFor(event, 'message', 'assistant'), event)) spoken += 1;
  }

  function reason(event: ValueMap): void {
    add(messageFor({ ...event, role: 'reasoning' }, 'reasoning', 'reasoning'), event);
  }

  function startCall(event: ValueMap): void {
    const { toolCallId: id, toolCallName: name, parentMessageId: parent } = event;
    if (typeof id === 'string') current.call = id;
    const known = calls.get(current.call);
    if (known !== undefined || typeof name !== 'string') return;
    const { delta: _, ...start } = event;
    const fields = pickFields(event, [], undefined);
    const call = {
      id: current.call,
      name,
      start: { ...start, type: 'TOOL_CALL_START' },
      args: '',
      fields,
      spoken,
    };
    const open: OpenToolCall = { ...call, isAnswered: false };
    calls.set(open.id, open);
    // A call that is already in the history is not made again: a resumed run only gives its result.
    if (callers.has(open.id)) return;
    const owner = findOwner(event, typeof parent === 'string' ? parent : undefined, open.id);
    owner.calls.push(open);
    callers.set(open.id, owner);
    if (owner.given !== undefined) keepsMessages = false;
  }

  function findOwner(event: ValueMap, parent: string | undefined, call: string): MessageEntry {
    const found = parent === undefined ? undefined : byId.get(parent);
    if (found !== undefined && (readMapOrNothing(found.given) ?? found.fields).role === 'assistant') return found;
    const id = found === undefined ? (parent ?? call) : call;
    return begin({
      id,
      role: 'assistant',
      ...pickFields(event, ['subagentRunId'], undefined, 'without metadata'),
    });
  }

  function addArguments({ toolCallId, delta }: ValueMap): void {
    const open = calls.get(typeof toolCallId === 'string' ? toolCallId : current.call);
    if (open === undefined || typeof delta !== 'string') return;
    open.args += delta;
    open.spoken = spoken;
  }

  function giveResult(event: ValueMap): void {
    const { messageId, toolCallId: id, content = '' } = event;
    const open = typeof id === 'string' ? calls.get(id) : undefined;
    if (open !== undefined) open.isAnswered = true;
    if (typeof id !== 'string') return;
    const own = pickFields(event, ['subagentRunId'], undefined);
    const fields = { id: messageId ?? `${id}-result`, role: 'tool', toolCallId: id, content, ...own };
    const entry: MessageEntry = { fields, text: '', calls: [], results: [] };
    const caller = callers.get(id);
    if (caller === undefined) entries.push(entry);
    else caller.results.push(entry);
    know(entry);
  }

  function setEncrypted({ subtype, entityId, encryptedValue }: ValueMap): void {
    if (entityId === undefined || encryptedValue === undefined) return;
    const target = subtype === 'tool-call' ? calls.get(String(entityId)) : byId.get(entityId);
    if (target !== undefined) target.fields = { ...target.fields, encryptedValue };
  }

  /** A snapshot replaces every message except reasoning that only the stream has carried. */
  function takeSnapshot(content: ValueMap): void {
    const listed = listAgUiMessages(content).filter(({ role }) => role !== 'activity');
    const hasReasoning = listed.some(({ role }) => role === 'reasoning');
    const left = new Map(listed.map((message) => [message.id, message]));
    const all = entries.flatMap((entry) => [entry, ...entry.results]);
    const kept = all.flatMap((entry): readonly MessageEntry[] => {
      const { id, role } = readMapOrNothing(entry.given) ?? entry.fields;
      const message = typeof id === 'string' ? left.get(id) : undefined;
      if (message === undefined) return role === 'reasoning' && !hasReasoning ? [{ ...entry, results: [] }] : [];
      left.delete(message.id as Value);
      return [createEntry(message)];
    });
    entries = [
      ...kept,
      ...listed.filter((message) => left.get(message.id) === message).map((each) => createEntry(each)),
    ];
    byId.clear();
    callers.clear();
    for (const entry of entries) know(entry);
    for (const { role, toolCallId } of listed) {
      const open = role === 'tool' && typeof toolCallId === 'string' ? calls.get(toolCallId) : undefined;
      if (open !== undefined) open.isAnswered = true;
    }
    keepsMessages = false;
  }

  const readers: { readonly [method: string]: (event: ValueMap) => void } = {
    text_message_start: (event) => messageFor(event, 'message', 'assistant'),
    text_message_content: speak,
    text_message_chunk: speak,
    reasoning_message_start: reason,
    reasoning_message_content: reason,
    reasoning_message_chunk: reason,
    reasoning_encrypted_value: setEncrypted,
    tool_call_start: startCall,
    tool_call_args: addArguments,
    tool_call_chunk(event) {
      startCall(event);
      addArguments(event);
    },
    tool_call_result: giveResult,
    messages_snapshot: takeSnapshot,
    state_snapshot({ snapshot }) {
      state = snapshot ?? null;
      keepsState = false;
    },
    state_delta({ delta }) {
      const patched = applyPatch(state ?? {}, delta, budget);
      if (patched === undefined) unfit += 1;
      else state = patched;
      keepsState = false;
    },
  };

  for (const { event, method } of events) if (Object.hasOwn(readers, method)) readers[method]?.(event);
  const declared = new Set(listAgUiMessages({ messages: input.tools ?? [] }).flatMap(({ name }) => name ?? []));
  // An agent that spoke on after calling a tool that neither the input nor a response names was not waiting for us.
  const waits = ({ name, spoken: last, start }: OpenToolCall): boolean =>
    declared.has(name) || last === spoken || hasResponse(start);
  return {
    messages: entries.flatMap(toMessages),
    state,
    waiting: [...calls.values()].filter((call) => !call.isAnswered && (pending?.has(call.id) ?? waits(call))),
    keepsMessages,
    keepsState,
    unfit,
  };
}

/** Messages of the user's side stay as they are, even if the agent streams them back. */
function isOurs({ given }: MessageEntry): boolean {
  return given !== undefined && readMapOrNothing(given)?.role !== 'assistant';
}

function createEntry(given: Value): MessageEntry {
  return { given, fields: {}, text: '', calls: [], results: [] };
}

/** The fields that an event adds to the message or call that it builds. */
function pickFields(
  event: ValueMap,
  keys: readonly string[],
  before: Value | undefined,
  how?: 'without metadata',
): ValueMap {
  const named = keys.filter((key) => (event[key] ?? null) !== null).map((key) => [key, event[key] as Value]);
  const { metadata } = event;
  const hasMetadata = how === undefined && isValueMap(metadata);
  return {
    ...Object.fromEntries(named),
    ...(hasMetadata && { metadata: { ...(isValueMap(before) && before), ...metadata } }),
  };
}

/** The message, followed by the results of its calls. A message without content is left out. */
function toMessages({ given, fields, text, calls, results }: MessageEntry): readonly Value[] {
  const before = readMapOrNothing(given);
  const behind = results.flatMap(toMessages);
  if (given !== undefined && before === undefined) return [given, ...behind];
  const textBefore = before === undefined ? '' : typeof before.content === 'string' ? before.content : '';
  const made = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.args },
    ...call.fields,
  }));
  const isEmpty = text === '' && made.length === 0;
  const isSilent = isEmpty && fields.content === undefined && fields.encryptedValue === undefined;
  if (given === undefined && isSilent) return behind;
  const hasText = text !== '' || (isEmpty && given === undefined && fields.content === undefined);
  const message = {
    ...before,
    ...fields,
    ...(hasText && { content: textBefore + text }),
    ...(made.length > 0 && { toolCalls: [...toList(before?.toolCalls), ...made] }),
  };
  return [message, ...behind];
}

function readMapOrNothing(value: Value | undefined): ValueMap | undefined {
  return isValueMap(value) ? value : undefined;
}

function readTextOr(value: Value | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
