import type { EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { rememberAnswers, type ServedAnswers } from '../served-answers.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import { findRepeatedInPatch, findRepeatedParts, type RunInputMatcher } from './find-repeated-input.ts';

// The parts of an agent's AG-UI events that repeat our words: the run input, its messages in snapshots and streams, its
// state, its texts in other events, and the results of tools that we serve or answer for.

/** Everything that we have sent. */
interface SentContent {
  readonly ids: RecentTexts;
  /** Messages, by role and text. */
  readonly messages: RecentTexts;
  readonly texts: RecentTexts;
  /** Calls of frontend tools that we have answered. */
  readonly answeredCalls: RecentTexts;
  readonly served: ServedAnswers;
  /** The last run input of each actor. */
  readonly inputs: Map<string, ValueMap>;
  /** Ids of streamed messages whose role is not the assistant's. */
  readonly others: RecentTexts;
  /** Names of the tools that the agent calls, by call id. */
  readonly calls: Map<string, string>;
}

const mostCalls = 1_000;

type Rule = (content: ValueMap, said: SentContent, record: MessageRecord) => readonly Path[];

const rules: { readonly [method: string]: Rule } = {
  run_started: ({ input }, said, { actor }) => findOwnInput(input, said, actor),
  messages_snapshot: (content, said) => findOwnMessages(content.messages, said, ['messages']),
  state_snapshot: ({ snapshot }, said, { actor }) => findOwnState(snapshot, said, actor),
  tool_call_result: (content, said) => (isOwnResult(content, said) ? [['content']] : []),
  text_message_content: findOwnDelta,
  text_message_chunk: findOwnDelta,
  raw: ({ event }, said, { actor }) => findRepeatedInput(event, ['event'], said, actor),
  custom: ({ value }, said, { actor }) => findRepeatedInput(value, ['value'], said, actor),
  run_finished: ({ result }, said, { actor }) => findRepeatedInput(result, ['result'], said, actor),
  state_delta: ({ delta }, said, { actor }) => {
    const ours = getRunInputMatcher(said, actor);
    return ours === undefined || delta === undefined ? [] : findRepeatedInPatch(delta, ['delta'], ours);
  },
};

export function createAgUiEchoFinder(): EchoFinder {
  const said: SentContent = {
    ids: createRecentTexts(),
    messages: createRecentTexts(),
    texts: createRecentTexts(),
    answeredCalls: createRecentTexts(),
    served: rememberAnswers(),
    inputs: new Map(),
    others: createRecentTexts(),
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
      if (record.refused !== undefined) return findRepeatedInput(content, [], said, record.actor);
      const rule = Object.hasOwn(rules, method) ? rules[method] : undefined;
      const { rawEvent } = content;
      const raw = rawEvent === undefined ? [] : findOwnTexts(rawEvent, ['rawEvent'], said, record.actor);
      return [...(rule?.(content, said, record) ?? []), ...raw];
    },
  };
}

function rememberInput(input: ValueMap, said: SentContent, actor: string): void {
  said.inputs.set(actor, input);
  for (const message of listAgUiMessages(input)) {
    const { id, role, content, toolCallId } = message;
    if (typeof id === 'string') said.ids.add(id);
    said.messages.add(keyMessageText(message));
    if (typeof content === 'string' && content.trim() !== '') said.texts.add(content);
    if (role === 'tool' && typeof toolCallId === 'string') said.answeredCalls.add(toolCallId);
  }
}

function keyMessageText({ role, content }: ValueMap): string {
  return JSON.stringify([role, content]);
}

function rememberStart(method: string, content: ValueMap, said: SentContent): void {
  const { messageId, role, toolCallId, toolCallName } = content;
  if (typeof messageId === 'string' && typeof role === 'string' && role !== 'assistant') said.others.add(messageId);
  if (method === 'messages_snapshot')
    for (const { toolCalls } of listAgUiMessages(content))
      for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isValueMap) : [])
        if (isValueMap(call.function)) rememberCall(said, call.id, call.function.name);
  rememberCall(said, toolCallId, toolCallName);
}

function rememberCall({ calls }: SentContent, id: Value | undefined, name: Value | undefined): void {
  if (typeof id !== 'string' || typeof name !== 'string') return;
  calls.set(id, name);
  const [oldest] = calls.keys();
  if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest);
}

/** Finds our messages in a list: by id, by text, or as the result of a tool of ours. */
function findOwnMessages(list: Value | undefined, said: SentContent, at: Path): readonly Path[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((message: Value, index) =>
    isValueMap(message) && isOwnMessage(message, said) ? [[...at, index]] : [],
  );
}

function isOwnMessage(message: ValueMap, said: SentContent): boolean {
  if (typeof message.id === 'string' && said.ids.has(message.id)) return true;
  if (said.messages.has(keyMessageText(message))) return true;
  return message.role === 'tool' && isOwnResult(message, said);
}

function isOwnResult({ toolCallId, content }: ValueMap, said: SentContent): boolean {
  if (typeof toolCallId === 'string' && said.answeredCalls.has(toolCallId)) return true;
  const name = typeof toolCallId === 'string' ? said.calls.get(toolCallId) : undefined;
  return content !== undefined && said.served.gave(content, name);
}

function findRepeatedInput(value: Value | undefined, at: Path, said: SentContent, actor: string): readonly Path[] {
  const ours = getRunInputMatcher(said, actor);
  return ours === undefined || value === undefined ? [] : findRepeatedParts(value, at, ours);
}

function getRunInputMatcher(said: SentContent, actor: string): RunInputMatcher | undefined {
  const input = said.inputs.get(actor);
  if (input === undefined) return undefined;
  return { input, isText: said.texts.has, isResult: (message) => isOwnResult(message, said) };
}

/** The input that a run repeats is ours, except for values that the agent's side has added. */
function findOwnInput(input: Value | undefined, said: SentContent, actor: string): readonly Path[] {
  if (input === undefined) return [];
  return said.inputs.has(actor) ? findOwnTexts(input, ['input'], said, actor) : [['input']];
}

function findOwnTexts(value: Value, at: Path, said: SentContent, actor: string): readonly Path[] {
  const input = said.inputs.get(actor);
  return input === undefined ? [] : findInputTexts(value, at, input);
}

/** The parts of a state that equal our last run input. Some agents keep the messages and tools in their state. */
function findOwnState(snapshot: Value | undefined, said: SentContent, actor: string): readonly Path[] {
  const input = said.inputs.get(actor);
  if (input === undefined || snapshot === undefined) return [];
  if (!isValueMap(snapshot))
    return input.state !== undefined && isDeepEqual(snapshot, input.state) ? [['snapshot']] : [];
  const state = isValueMap(input.state) ? input.state : {};
  return Object.entries(snapshot).flatMap(([key, value]): readonly Path[] => {
    const isOurs = [state, input].some((ours) => Object.hasOwn(ours, key) && isDeepEqual(value, ours[key] as Value));
    if (isOurs) return [['snapshot', key]];
    return key === 'messages' ? findOwnMessages(value, said, ['snapshot', key]) : [];
  });
}

/** An agent may stream the user's own words back. */
function findOwnDelta({ messageId, delta }: ValueMap, said: SentContent): readonly Path[] {
  if (typeof messageId !== 'string' || typeof delta !== 'string') return [];
  if (!said.ids.has(messageId) && !said.others.has(messageId)) return [];
  for (const text of said.texts.values()) if (text.includes(delta)) return [['delta']];
  return [];
}

// Finds texts of our run input in the input that a run repeats and in raw events of its framework, in any shape.

const mostVisited = 10_000;
const deepest = 64;
/** Shorter texts occur in others by chance. */
const telling = 8;

/** The paths at which a value holds a text of the input: alone, within a longer text, or in part. */
function findInputTexts(root: Value, at: Path, input: ValueMap): readonly Path[] {
  const ours = [...walkInputLeaves(input)].map(({ value }) => value);
  const known = new Set(ours);
  const texts = ours.flatMap((value) => (typeof value === 'string' ? value.trim() : []));
  const telltale = texts.filter((text) => text.length >= telling);
  const isPart = (value: string): boolean =>
    telltale.some((text) => value.includes(text) || (value.length >= telling && text.includes(value)));
  return [...walkInputLeaves(root, at)].flatMap(({ value, path }) =>
    known.has(value) || (typeof value === 'string' && isPart(value.trim())) ? [path] : [],
  );
}

interface Leaf {
  readonly value: Value;
  readonly path: Path;
}

function* walkInputLeaves(root: Value, at: Path = []): Generator<Leaf> {
  const pending: Leaf[] = [{ value: root, path: at }];
  for (let visits = 0; visits < mostVisited; visits++) {
    const next = pending.pop();
    if (next === undefined) return;
    const { value, path } = next;
    if (!isCollection(value)) yield next;
    else if (path.length - at.length < deepest)
      for (const [key, item] of Object.entries(value).slice(0, mostVisited))
        pending.push({ value: item as Value, path: [...path, Array.isArray(value) ? Number(key) : key] });
  }
}
