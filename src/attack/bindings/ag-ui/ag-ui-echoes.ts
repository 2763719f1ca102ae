import type { Echo, EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isBesideFailure } from '../../../format/model/trace-record.ts';
import { isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createEcho } from '../own-texts.ts';
import { rememberAnswers } from '../served-answers.ts';
import {
  findAtSamePlaces,
  findQuotedRequest,
  findRepeatedInPatch,
  findRepeatedMessages,
} from './find-repeated-input.ts';
import { createOwnConversations, type OwnConversation } from './own-conversations.ts';

// The parts of an agent's AG-UI events that repeat our words. The list of them is in docs/reference/outcomes.md; what an event
// says elsewhere is the agent's. Words decide, in the role in which we said them, not ids.

type View = Parameters<EchoFinder['echoesIn']>[1];
type Rule = (content: ValueMap, said: OwnConversation, view: View) => readonly Echo[];

const rules: { readonly [method: string]: Rule } = {
  run_started: ({ input }, said) => findOwnInput(input, ['input'], said),
  messages_snapshot: ({ messages }, said) => findOwnMessages(messages, said, ['messages']),
  state_snapshot: ({ snapshot }, said) => findOwnState(snapshot, said),
  state_delta: ({ delta }, said) => (delta === undefined ? [] : findRepeatedInPatch(delta, ['delta'], said)),
  tool_call_result: (content, said) => said.findInResult(content, ['content']),
  text_message_content: findInStream,
  text_message_chunk: findInStream,
  raw: ({ event }, said) => (event === undefined ? [] : findRepeatedMessages(event, ['event'], said)),
};

export function createAgUiEchoFinder(): EchoFinder {
  const served = rememberAnswers();
  const conversations = createOwnConversations(served);
  return {
    echoesIn(record, view) {
      if (view === undefined) served.add(record);
      const { content, protocol, origin, method } = record;
      if (protocol !== 'ag_ui' || !isValueMap(content)) return [];
      if (origin === 'attacker') {
        if (method === 'run_agent_input') conversations.addInput(record, content);
        return [];
      }
      const said = conversations.find(record);
      said.noteStart(method, content);
      // An agent that refuses a request often quotes it.
      if (isBesideFailure(record)) return findQuotedRequest(content, [], said);
      return findEchoes(record, content, said, view);
    },
  };
}

function findEchoes({ method }: MessageRecord, content: ValueMap, said: OwnConversation, view: View): readonly Echo[] {
  const rule = Object.hasOwn(rules, method) ? rules[method] : undefined;
  const { rawEvent } = content;
  return [
    ...(rule?.(content, said, view) ?? []),
    ...(rawEvent === undefined ? [] : findRepeatedMessages(rawEvent, ['rawEvent'], said)),
  ];
}

/** The echoes in a repeated run input. */
function findOwnInput(repeated: Value | undefined, at: Path, said: OwnConversation): readonly Echo[] {
  return repeated === undefined ? [] : findOwnParts(repeated, at, [said.input], said);
}

/** The parts of a state that equal ours. Some agents keep the messages and the rest of the run input in their state. */
function findOwnState(snapshot: Value | undefined, said: OwnConversation): readonly Echo[] {
  if (snapshot === undefined) return [];
  const { state } = said.input;
  const roots = [...(state === undefined ? [] : [state]), ...(isValueMap(snapshot) ? [said.input] : [])];
  return findOwnParts(snapshot, ['snapshot'], roots, said);
}

/** Compares a value with ours place by place. Messages are looked through one by one. */
function findOwnParts(value: Value, at: Path, ours: readonly Value[], said: OwnConversation): readonly Echo[] {
  const found = findAtSamePlaces(value, at, ours);
  const isWhole = found.some(({ path }) => path.length === at.length);
  if (isWhole || !isValueMap(value)) return found;
  const inMessages = findOwnMessages(value.messages, said, [...at, 'messages']);
  return inMessages.length > 0 ? [...found.filter(({ path }) => path[at.length] !== 'messages'), ...inMessages] : found;
}

function findOwnMessages(list: Value | undefined, said: OwnConversation, at: Path): readonly Echo[] {
  return toList(list).flatMap((message, index): readonly Echo[] => {
    if (!isValueMap(message)) return [];
    const place = [...at, index];
    // Without its role, the rest of a message could not be read.
    const found = (said.messagesOf(message.role)?.findIn(message, place) ?? []).filter(
      ({ path }) => path[place.length] !== 'role',
    );
    const isContentFound = found.some(({ path }) => (path[place.length] ?? 'content') === 'content');
    if (message.role !== 'tool' || isContentFound) return found;
    return [...found, ...said.findInResult(message, [...place, 'content'])];
  });
}

/** An agent may stream our words back in the role in which we said them. The parts are ours while they begin a text of ours. */
function findInStream({ messageId, delta }: ValueMap, said: OwnConversation, view: View): readonly Echo[] {
  if (typeof messageId !== 'string' || typeof delta !== 'string') return [];
  const texts = said.textsOfStream(messageId);
  if (texts === undefined) return [];
  const { streamed } = said;
  if (view === undefined) {
    const before = streamed.get(messageId);
    const joined = before === null ? null : `${before ?? ''}${delta}`;
    const isOurs = joined !== null && texts.some((own) => own.startsWith(joined));
    streamed.set(messageId, isOurs ? joined : null);
  }
  // Whether a beginning was followed by the rest of our text, only the whole shows.
  if (view !== 'whole' && typeof streamed.get(messageId) === 'string') return [{ path: ['delta'] }];
  const part = texts.split(delta);
  return part === undefined ? [] : [createEcho(['delta'], part)];
}
