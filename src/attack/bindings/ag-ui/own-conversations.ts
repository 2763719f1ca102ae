import type { Echo } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createOwnTexts, type OwnTexts } from '../own-texts.ts';
import type { ServedAnswers } from '../served-answers.ts';
import { listAgUiMessages } from './ag-ui-messages.ts';

// What we said over AG-UI, by actor and conversation: what one actor said is not shown to another by the protocol.

/** What one actor of ours said in one conversation. */
export interface OwnConversation {
  /** The last run input. */
  readonly input: ValueMap;
  /** Our messages of a role: the words of the user in the mouth of the assistant are the agent's. */
  messagesOf(role: Value | undefined): OwnTexts | undefined;
  /** The texts of all our messages. */
  readonly texts: OwnTexts;
  /** The texts of our messages of a role. */
  textsOf(role: Value | undefined): OwnTexts | undefined;
  /** The texts of the role of a streamed message; undefined if that is the assistant's. */
  textsOfStream(messageId: string): OwnTexts | undefined;
  /** What has come of streamed messages, by id, while it is the beginning of a text of ours; null afterwards. */
  readonly streamed: RecentEntries<string | null>;
  /** Remembers the role of a streamed message, and the name of a called tool. */
  noteStart(method: string, content: ValueMap): void;
  /** The echoes in the result of a tool: of one that we answered as the user's application, or of one that we serve. */
  findInResult(message: ValueMap, at: Path): readonly Echo[];
}

export interface OwnConversations {
  addInput(record: MessageRecord, input: ValueMap): void;
  /** The conversation that an event of the agent belongs to. */
  find(record: MessageRecord): OwnConversation;
}

/** The most recent values by key. */
interface RecentEntries<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
}

const mostKept = 1_000;

function createRecentEntries<V>(): RecentEntries<V> {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > mostKept && oldest !== undefined) entries.delete(oldest);
    },
  };
}

export function createOwnConversations(served: ServedAnswers): OwnConversations {
  const byThread = createRecentEntries<ReturnType<typeof createConversation>>();
  /** The conversation of each run, and the last one of each actor. */
  const byRun = createRecentEntries<ReturnType<typeof createConversation>>();
  const byActor = createRecentEntries<ReturnType<typeof createConversation>>();
  return {
    addInput({ actor, session }, input) {
      const key = JSON.stringify([actor, input.threadId ?? null]);
      const conversation = byThread.get(key) ?? createConversation(served);
      conversation.add(input);
      byThread.set(key, conversation);
      if (session !== undefined) byRun.set(JSON.stringify([actor, session]), conversation);
      byActor.set(actor, conversation);
    },
    find({ actor, session }) {
      // A trace from elsewhere may not say which run an event belongs to.
      const [runs, key] = session === undefined ? [byActor, actor] : [byRun, JSON.stringify([actor, session])];
      const found = runs.get(key) ?? createConversation(served);
      runs.set(key, found);
      return found;
    },
  };
}

function createConversation(served: ServedAnswers): OwnConversation & { add(input: ValueMap): void } {
  let input: ValueMap = {};
  const messages = new Map<Value | undefined, OwnTexts>();
  const texts = createOwnTexts();
  const textsByRole = new Map<Value | undefined, OwnTexts>();
  /** Roles other than the assistant's, by message id. */
  const roles = createRecentEntries<string>();
  /** Names of the tools that the agent calls, by call id. */
  const calls = createRecentEntries<string>();

  function noteCall(id: Value | undefined, name: Value | undefined): void {
    if (typeof id === 'string' && typeof name === 'string') calls.set(id, name);
  }

  return {
    get input() {
      return input;
    },
    add(given) {
      input = given;
      for (const message of listAgUiMessages(given)) {
        const { role, content } = message;
        findOrAdd(messages, role)?.add(message);
        if (typeof content !== 'string') continue;
        texts.add(content);
        findOrAdd(textsByRole, role)?.add(content);
      }
    },
    messagesOf: (role) => messages.get(role),
    texts,
    textsOf: (role) => textsByRole.get(role),
    textsOfStream(messageId) {
      const role = roles.get(messageId);
      return role === undefined ? undefined : textsByRole.get(role);
    },
    streamed: createRecentEntries(),
    noteStart(method, content) {
      const { messageId, role, toolCallId, toolCallName } = content;
      if (typeof messageId === 'string' && typeof role === 'string' && role !== 'assistant') roles.set(messageId, role);
      if (method === 'messages_snapshot')
        for (const { toolCalls } of listAgUiMessages(content))
          for (const call of toMaps(toolCalls)) if (isValueMap(call.function)) noteCall(call.id, call.function.name);
      noteCall(toolCallId, toolCallName);
    },
    findInResult({ toolCallId, content }, at) {
      if (content === undefined) return [];
      const answered = messages.get('tool')?.findIn(content, at) ?? [];
      if (answered.length > 0) return answered;
      return served.findIn(content, at, typeof toolCallId === 'string' ? calls.get(toolCallId) : undefined);
    },
  };
}

function findOrAdd(byRole: Map<Value | undefined, OwnTexts>, role: Value | undefined): OwnTexts | undefined {
  const known = byRole.get(role);
  if (known !== undefined || byRole.size >= mostKept) return known;
  const own = createOwnTexts();
  byRole.set(role, own);
  return own;
}
