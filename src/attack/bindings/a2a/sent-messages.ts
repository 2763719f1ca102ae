import type { Echo } from '../../../format/model/binding-views.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import type { Path } from '../../../format/model/path.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isCollection, isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createOwnTexts, type OwnTexts } from '../own-texts.ts';

// The messages that one actor of ours sent, by conversation: a task repeats those of its own.

export interface SentMessages {
  /** Remembers the message in a request of ours. */
  add(request: MessageRecord): void;
  /** Learns from an answer which task and context the message of its request belongs to. */
  noteAnswer(answer: MessageRecord, task: Value): void;
  /** The messages that a task in an answer may repeat. */
  findRepeatable(answer: MessageRecord, task: Value): MessagesToRepeat;
}

/** Messages that may be repeated, each as often as we sent it. */
export interface MessagesToRepeat {
  /** Our words in a message of a history. It must have the role in which we said them. */
  findIn(message: Value, at: Path): readonly Echo[];
}

interface SentMessage {
  /** In the spelling of OATF and in that of its era, in which documents may look at it. */
  readonly spellings: readonly ValueMap[];
  readonly exchange: string;
  /** Ids of its task and context that we sent. */
  readonly named: ReadonlySet<Value>;
  /** Those that the agent answered with. */
  readonly learned: Set<Value>;
}

const mostKept = 1_000;

export function createSentMessages(): SentMessages {
  const messages: SentMessage[] = [];
  /** Ids of the task that requests without a message name, by exchange. */
  const asked = new Map<string, ReadonlySet<Value>>();

  return {
    add(request) {
      const spellings = [request.content, request.wire].flatMap((params): readonly ValueMap[] => {
        const message = isValueMap(params) ? params.message : undefined;
        return isValueMap(message) ? [message] : [];
      });
      const exchange = keyExchange(request);
      const named = new Set(spellings.flatMap(({ contextId, taskId }) => listIds([contextId, taskId])));
      if (spellings.length > 0) messages.push({ spellings, exchange, named, learned: new Set() });
      if (messages.length > mostKept) messages.shift();
      const { id, taskId } = isValueMap(request.content) ? request.content : {};
      asked.set(exchange, new Set([...named, ...listIds([id, taskId])]));
      const [oldest] = asked.keys();
      if (asked.size > mostKept && oldest !== undefined) asked.delete(oldest);
    },
    noteAnswer(answer, task) {
      const exchange = keyExchange(answer);
      for (const message of messages)
        if (message.exchange === exchange) for (const id of listTaskIds(task)) message.learned.add(id);
    },
    findRepeatable(answer, task) {
      const exchange = keyExchange(answer);
      const ids = answer.method === 'tasks/list' ? new Set(listTaskIds(task)) : (asked.get(exchange) ?? new Set());
      const isOfIds = ({ named, learned }: SentMessage, wanted: ReadonlySet<Value>): boolean =>
        [...named, ...learned].some((id) => wanted.has(id));
      const direct = messages.filter((message) => message.exchange === exchange || isOfIds(message, ids));
      // A message that we sent into a context belongs together with the others in it.
      const wider = new Set([...ids, ...direct.flatMap(({ named }) => [...named])]);
      return createRepeatable(messages.filter((message) => direct.includes(message) || isOfIds(message, wider)));
    },
  };
}

/** Over A2A, each request has a session of its own. */
function keyExchange({ session, id }: MessageRecord): string {
  return stringifyJson((session ?? id ?? null) as Value);
}

function listIds(ids: readonly (Value | undefined)[]): readonly Value[] {
  return ids.filter((id) => typeof id === 'string');
}

/** The ids of a task, or of an update of one. */
function listTaskIds(task: Value): readonly Value[] {
  if (!isValueMap(task)) return [];
  const { id, taskId, contextId } = task;
  return listIds([id, taskId, contextId]);
}

function createRepeatable(messages: readonly SentMessage[]): MessagesToRepeat {
  const byRole = new Map<string, { readonly own: OwnTexts; readonly counts: Map<string, number> }>();
  for (const { spellings } of messages) {
    const role = readRole(spellings[0]);
    const sent = byRole.get(role) ?? { own: createOwnTexts(), counts: new Map<string, number>() };
    byRole.set(role, sent);
    for (const message of spellings) sent.own.add(message);
    for (const text of listTexts(spellings[0]?.parts)) sent.counts.set(text, (sent.counts.get(text) ?? 0) + 1);
  }
  return {
    findIn(message, at) {
      const sent = isValueMap(message) ? byRole.get(readRole(message)) : undefined;
      if (sent === undefined) return [];
      const { own, counts } = sent;
      // What stands there more often than we said it has been said by the agent, too.
      let isSaidAgain = false;
      const take = (text: string): boolean => {
        const left = counts.get(text);
        if (left !== undefined) counts.set(text, left - 1);
        isSaidAgain ||= left !== undefined && left <= 0;
        return left === undefined || left > 0;
      };
      const found = own.findIn(message, at, (text) => own.split(text, { take }));
      return isSaidAgain ? [] : found;
    },
  };
}

/** The role in the spelling of OATF. */
function readRole(message: ValueMap | undefined): string {
  return String(message?.role ?? '')
    .replace(/^ROLE_/, '')
    .toLowerCase();
}

const mostTexts = 1_000;

function listTexts(parts: Value | undefined): readonly string[] {
  const texts: string[] = [];
  const pending: Value[] = [...toList(parts)];
  for (let next = pending.pop(); next !== undefined && texts.length < mostTexts; next = pending.pop())
    if (isCollection(next))
      for (const [key, item] of Object.entries(next)) {
        if (key !== 'kind') pending.push(item as Value);
      }
    else if (typeof next === 'string') texts.push(next);
  return texts;
}
