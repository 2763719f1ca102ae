import type { Path } from '../../model/path.ts';
import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { EchoFinder } from '../../model/views.ts';
import { deepEquals } from '../../primitives/deep-equals.ts';
import { type Remembered, remembered } from '../remembered.ts';
import { rememberAnswers, type Served } from '../served-answers.ts';
import { messagesIn } from './messages.ts';
import { textsOfOurs } from './our-texts.ts';
import { type Ours, repeatedIn, repeatedInPatch } from './repeated.ts';

// The parts of an agent's AG-UI events that repeat our words: the run input, its messages in snapshots and streams, its
// state, its texts in other events, and the results of tools that we serve or answer for.

/** Everything we have said. */
interface Said {
  readonly ids: Remembered;
  /** Messages, by role and text. */
  readonly messages: Remembered;
  readonly texts: Remembered;
  /** Calls of frontend tools that we have answered. */
  readonly answeredCalls: Remembered;
  readonly served: Served;
  /** The last run input of each actor. */
  readonly inputs: Map<string, ValueMap>;
  /** Ids of streamed messages whose role is not the assistant's. */
  readonly others: Remembered;
  /** Names of the tools that the agent calls, by call id. */
  readonly calls: Map<string, string>;
}

const mostCalls = 1_000;

type Rule = (content: ValueMap, said: Said, record: MessageRecord) => readonly Path[];

const rules: { readonly [method: string]: Rule } = {
  run_started: ({ input }, said, { actor }) => ownInput(input, said, actor),
  messages_snapshot: (content, said) => ownMessages(content.messages, said, ['messages']),
  state_snapshot: ({ snapshot }, said, { actor }) => ownState(snapshot, said, actor),
  tool_call_result: (content, said) => (isOwnResult(content, said) ? [['content']] : []),
  text_message_content: ownDelta,
  text_message_chunk: ownDelta,
  raw: ({ event }, said, { actor }) => repeated(event, ['event'], said, actor),
  custom: ({ value }, said, { actor }) => repeated(value, ['value'], said, actor),
  run_finished: ({ result }, said, { actor }) => repeated(result, ['result'], said, actor),
  state_delta: ({ delta }, said, { actor }) => {
    const ours = oursOf(said, actor);
    return ours === undefined || delta === undefined ? [] : repeatedInPatch(delta, ['delta'], ours);
  },
};

export function agUiEchoes(): EchoFinder {
  const said: Said = {
    ids: remembered(),
    messages: remembered(),
    texts: remembered(),
    answeredCalls: remembered(),
    served: rememberAnswers(),
    inputs: new Map(),
    others: remembered(),
    calls: new Map(),
  };
  return {
    echoesIn(record) {
      said.served.add(record);
      const { content, protocol, origin, method } = record;
      if (protocol !== 'ag_ui' || !isValueMap(content)) return [];
      if (origin === 'attacker') {
        if (method === 'run_agent_input') rememberInput(content, said, record.actor);
        return [];
      }
      rememberStart(method, content, said);
      // An agent that refuses a request often quotes it whole.
      if (record.refused !== undefined) return repeated(content, [], said, record.actor);
      const rule = Object.hasOwn(rules, method) ? rules[method] : undefined;
      const { rawEvent } = content;
      const raw = rawEvent === undefined ? [] : ownTexts(rawEvent, ['rawEvent'], said, record.actor);
      return [...(rule?.(content, said, record) ?? []), ...raw];
    },
  };
}

function rememberInput(input: ValueMap, said: Said, actor: string): void {
  said.inputs.set(actor, input);
  for (const message of messagesIn(input)) {
    const { id, role, content, toolCallId } = message;
    if (typeof id === 'string') said.ids.add(id);
    said.messages.add(spoken(message));
    if (typeof content === 'string' && content.trim() !== '') said.texts.add(content);
    if (role === 'tool' && typeof toolCallId === 'string') said.answeredCalls.add(toolCallId);
  }
}

function spoken({ role, content }: ValueMap): string {
  return JSON.stringify([role, content]);
}

function rememberStart(method: string, content: ValueMap, said: Said): void {
  const { messageId, role, toolCallId, toolCallName } = content;
  if (typeof messageId === 'string' && typeof role === 'string' && role !== 'assistant')
    said.others.add(messageId);
  if (method === 'messages_snapshot')
    for (const { toolCalls } of messagesIn(content))
      for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isValueMap) : [])
        if (isValueMap(call.function)) rememberCall(said, call.id, call.function.name);
  rememberCall(said, toolCallId, toolCallName);
}

function rememberCall({ calls }: Said, id: Value | undefined, name: Value | undefined): void {
  if (typeof id !== 'string' || typeof name !== 'string') return;
  calls.set(id, name);
  const [oldest] = calls.keys();
  if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest);
}

/** Finds our messages in a list: by id, by text, or as the result of a tool of ours. */
function ownMessages(list: Value | undefined, said: Said, at: Path): readonly Path[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((message: Value, index) =>
    isValueMap(message) && isOwnMessage(message, said) ? [[...at, index]] : [],
  );
}

function isOwnMessage(message: ValueMap, said: Said): boolean {
  if (typeof message.id === 'string' && said.ids.has(message.id)) return true;
  if (said.messages.has(spoken(message))) return true;
  return message.role === 'tool' && isOwnResult(message, said);
}

function isOwnResult({ toolCallId, content }: ValueMap, said: Said): boolean {
  if (typeof toolCallId === 'string' && said.answeredCalls.has(toolCallId)) return true;
  const name = typeof toolCallId === 'string' ? said.calls.get(toolCallId) : undefined;
  return content !== undefined && said.served.gave(content, name);
}

function repeated(value: Value | undefined, at: Path, said: Said, actor: string): readonly Path[] {
  const ours = oursOf(said, actor);
  return ours === undefined || value === undefined ? [] : repeatedIn(value, at, ours);
}

function oursOf(said: Said, actor: string): Ours | undefined {
  const input = said.inputs.get(actor);
  if (input === undefined) return undefined;
  return { input, isText: said.texts.has, isResult: (message) => isOwnResult(message, said) };
}

/** The input that a run repeats is ours, except for values that the agent's side has added. */
function ownInput(input: Value | undefined, said: Said, actor: string): readonly Path[] {
  if (input === undefined) return [];
  return said.inputs.has(actor) ? ownTexts(input, ['input'], said, actor) : [['input']];
}

function ownTexts(value: Value, at: Path, said: Said, actor: string): readonly Path[] {
  const input = said.inputs.get(actor);
  return input === undefined ? [] : textsOfOurs(value, at, input);
}

/** The parts of a state that equal our last run input. Some agents keep the messages and tools in their state. */
function ownState(snapshot: Value | undefined, said: Said, actor: string): readonly Path[] {
  const input = said.inputs.get(actor);
  if (input === undefined || snapshot === undefined) return [];
  if (!isValueMap(snapshot))
    return input.state !== undefined && deepEquals(snapshot, input.state) ? [['snapshot']] : [];
  const state = isValueMap(input.state) ? input.state : {};
  return Object.entries(snapshot).flatMap(([key, value]): readonly Path[] => {
    const isOurs = [state, input].some(
      (ours) => Object.hasOwn(ours, key) && deepEquals(value, ours[key] as Value),
    );
    if (isOurs) return [['snapshot', key]];
    return key === 'messages' ? ownMessages(value, said, ['snapshot', key]) : [];
  });
}

/** An agent may stream the user's own words back. */
function ownDelta({ messageId, delta }: ValueMap, said: Said): readonly Path[] {
  if (typeof messageId !== 'string' || typeof delta !== 'string') return [];
  if (!said.ids.has(messageId) && !said.others.has(messageId)) return [];
  for (const text of said.texts.values()) if (text.includes(delta)) return [['delta']];
  return [];
}
