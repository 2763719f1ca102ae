import type { Echo, EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, toList, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createEcho, createOwnTexts, type OwnTexts } from '../own-texts.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { rememberAnswers, type ServedAnswers } from '../served-answers.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';
import {
  findAtSamePlaces,
  findRepeatedInPatch,
  findRepeatedParts,
  type RunInputMatcher,
} from './find-repeated-input.ts';

// The parts of an agent's AG-UI events that repeat our words: the run input, its messages in snapshots and streams, its
// state, its texts in other events, and the results of tools that we serve or answer for. Words decide, not ids.

/** Everything that we have sent. */
interface SentContent {
  /** Our messages, by their role: the words of the user in the mouth of the assistant are the agent's. */
  readonly messages: Map<Value | undefined, OwnTexts>;
  /** The texts of all our messages. */
  readonly texts: OwnTexts;
  readonly served: ServedAnswers;
  /** The last run input of each actor. */
  readonly inputs: Map<string, SentInput>;
  /** Ids of streamed messages whose role is not the assistant's. */
  readonly others: RecentTexts;
  /** What has come of such messages, by id, while it is the beginning of a text of ours; null afterwards. */
  readonly streamed: Map<string, string | null>;
  /** Names of the tools that the agent calls, by call id. */
  readonly calls: Map<string, string>;
}

interface SentInput {
  readonly input: ValueMap;
  readonly own: OwnTexts;
}

const mostKept = 1_000;

type View = Parameters<EchoFinder['echoesIn']>[1];
type Rule = (content: ValueMap, said: SentContent, record: MessageRecord, view: View) => readonly Echo[];

const findOwnDelta: Rule = (content, said, _, view) => findInStream(content, said, view);

const rules: { readonly [method: string]: Rule } = {
  run_started: ({ input }, said, { actor }) => findInputTexts(input, ['input'], said, actor),
  messages_snapshot: ({ messages }, said) => findOwnMessages(messages, said, ['messages']),
  state_snapshot: ({ snapshot }, said, { actor }) => findOwnState(snapshot, said, actor),
  tool_call_result: (content, said) => findInResult(content, ['content'], said),
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
    messages: new Map(),
    texts: createOwnTexts(),
    served: rememberAnswers(),
    inputs: new Map(),
    others: createRecentTexts(),
    streamed: new Map(),
    calls: new Map(),
  };
  return {
    echoesIn(record, view) {
      if (view === undefined) said.served.add(record);
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
      return [
        ...(rule?.(content, said, record, view) ?? []),
        ...findInputTexts(content.rawEvent, ['rawEvent'], said, record.actor),
      ];
    },
  };
}

function rememberInput(input: ValueMap, said: SentContent, actor: string): void {
  const own = createOwnTexts();
  own.add(input);
  said.inputs.set(actor, { input, own });
  for (const message of listAgUiMessages(input)) {
    const { role, content } = message;
    const ofRole = said.messages.get(role) ?? createOwnTexts();
    if (said.messages.size < mostKept) said.messages.set(role, ofRole);
    ofRole.add(message);
    if (typeof content === 'string') said.texts.add(content);
  }
}

function rememberStart(method: string, content: ValueMap, said: SentContent): void {
  const { messageId, role, toolCallId, toolCallName } = content;
  if (typeof messageId === 'string' && typeof role === 'string' && role !== 'assistant') said.others.add(messageId);
  if (method === 'messages_snapshot')
    for (const { toolCalls } of listAgUiMessages(content))
      for (const call of toMaps(toolCalls))
        if (isValueMap(call.function)) rememberCall(said, call.id, call.function.name);
  rememberCall(said, toolCallId, toolCallName);
}

function rememberCall({ calls }: SentContent, id: Value | undefined, name: Value | undefined): void {
  if (typeof id === 'string' && typeof name === 'string') keepRecent(calls, id, name);
}

function keepRecent<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostKept && oldest !== undefined) map.delete(oldest);
}

function findOwnMessages(list: Value | undefined, said: SentContent, at: Path): readonly Echo[] {
  return toList(list).flatMap((message, index): readonly Echo[] => {
    if (!isValueMap(message)) return [];
    const place = [...at, index];
    // Without its role, the rest of a message could not be read.
    const found = (said.messages.get(message.role)?.findIn(message, place) ?? []).filter(
      ({ path }) => path[place.length] !== 'role',
    );
    const isContentFound = found.some(({ path }) => (path[place.length] ?? 'content') === 'content');
    if (message.role !== 'tool' || isContentFound) return found;
    return [...found, ...findInResult(message, [...place, 'content'], said)];
  });
}

/** The echoes in the result of a tool: of one that we answered as the user's application, or of one that we serve. */
function findInResult({ toolCallId, content }: ValueMap, at: Path, said: SentContent): readonly Echo[] {
  if (content === undefined) return [];
  const answered = said.messages.get('tool')?.findIn(content, at) ?? [];
  if (answered.length > 0) return answered;
  return said.served.findIn(content, at, typeof toolCallId === 'string' ? said.calls.get(toolCallId) : undefined);
}

function findRepeatedInput(value: Value | undefined, at: Path, said: SentContent, actor: string): readonly Echo[] {
  const ours = getRunInputMatcher(said, actor);
  return ours === undefined || value === undefined ? [] : findRepeatedParts(value, at, ours);
}

function getRunInputMatcher(said: SentContent, actor: string): RunInputMatcher | undefined {
  const input = said.inputs.get(actor)?.input;
  if (input === undefined) return undefined;
  return { input, isText: said.texts.has, findInResult: (message, at) => findInResult(message, at, said) };
}

/** The echoes in the input that a run repeats, and in an event of its framework, which may have any shape. */
function findInputTexts(value: Value | undefined, at: Path, said: SentContent, actor: string): readonly Echo[] {
  return value === undefined ? [] : (said.inputs.get(actor)?.own.findIn(value, at) ?? []);
}

/** The parts of a state that equal our last run input. Some agents keep the messages and tools in their state. */
function findOwnState(snapshot: Value | undefined, said: SentContent, actor: string): readonly Echo[] {
  const input = said.inputs.get(actor)?.input;
  if (input === undefined || snapshot === undefined) return [];
  const roots = [...(input.state === undefined ? [] : [input.state]), ...(isValueMap(snapshot) ? [input] : [])];
  const found = findAtSamePlaces(snapshot, ['snapshot'], roots);
  if (!isValueMap(snapshot)) return found;
  const inMessages = findOwnMessages(snapshot.messages, said, ['snapshot', 'messages']);
  return inMessages.length > 0 ? [...found.filter(({ path }) => path[1] !== 'messages'), ...inMessages] : found;
}

/** An agent may stream the user's own words back. The parts are ours while they are the beginning of a text of ours. */
function findInStream({ messageId, delta }: ValueMap, said: SentContent, view: View): readonly Echo[] {
  const { texts, streamed, others } = said;
  if (typeof messageId !== 'string' || typeof delta !== 'string' || !others.has(messageId)) return [];
  if (view === undefined) {
    const before = streamed.get(messageId);
    const joined = before === null ? null : `${before ?? ''}${delta}`;
    const isOurs = joined !== null && texts.some((own) => own.startsWith(joined));
    keepRecent(streamed, messageId, isOurs ? joined : null);
  }
  // Whether a beginning was followed by the rest of our text, only the whole shows.
  if (view !== 'whole' && typeof streamed.get(messageId) === 'string') return [{ path: ['delta'] }];
  const rest = texts.cut(delta);
  return rest === undefined ? [] : [createEcho(['delta'], rest)];
}
