import type { Echo, EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import { isCollection, isValueMap, toList, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createOwnTexts, type OwnTexts } from '../own-texts.ts';
import { createRecentTexts } from '../recent-texts.ts';

// The parts of a message in which an agent that serves A2A repeats our words: the client's messages in a task's
// history, the message that a new task was made from, and the client's push configuration.

/** The messages that we sent. */
interface SentMessages {
  readonly own: OwnTexts;
  /** How often messages with the same words were sent. */
  readonly counts: Map<string, number>;
}

const mostCounted = 10_000;

export function createA2aEchoFinder(): EchoFinder {
  const sent: SentMessages = { own: createOwnTexts(), counts: new Map() };
  const configured = createRecentTexts();
  return {
    echoesIn({ mode, origin, method, content, wire }) {
      if (mode !== 'a2a_client') return [];
      if (origin === 'attacker') {
        rememberMessage([content, wire], sent);
        for (const { says } of listPushConfigValues(content)) configured.add(says);
        return [];
      }
      if (method.startsWith('tasks/pushNotificationConfig/'))
        return listPushConfigValues(content).flatMap(({ says, path }) => (configured.has(says) ? [{ path }] : []));
      if (!isValueMap(content)) return [];
      const tasks: readonly [Value, Path][] = Array.isArray(content.tasks)
        ? content.tasks.map((task: Value, index): [Value, Path] => [task, ['tasks', index]])
        : [[content, []], ...unwrapAnswer(content)];
      return tasks.flatMap(([task, at]) => findTaskEchoes(task, at, sent));
    },
  };
}

/** A message is remembered in the spelling of OATF and in that of its era, in which documents may look at it. */
function rememberMessage(spellings: readonly (Value | undefined)[], { own, counts }: SentMessages): void {
  const messages = spellings.flatMap((params): readonly ValueMap[] =>
    isValueMap(params) ? toMaps([params.message ?? null]) : [],
  );
  for (const message of messages) own.add(message);
  for (const key of new Set(messages.map(keyWords))) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const oldest of counts.keys()) {
    if (counts.size <= mostCounted) break;
    counts.delete(oldest);
  }
}

/** The words of a message, without what says how they are packed. */
function keyWords({ parts }: ValueMap): string {
  const words: string[] = [];
  const pending: Value[] = [...toList(parts)];
  for (let next = pending.pop(); next !== undefined && words.length < mostWords; next = pending.pop())
    if (isCollection(next))
      for (const [key, item] of Object.entries(next)) {
        if (key !== 'kind') pending.push(item as Value);
      }
    else if (typeof next === 'string') words.push(next);
  return JSON.stringify(words);
}

/** Since 1.0 an answer is wrapped in a field that names its type. */
function unwrapAnswer(content: ValueMap): readonly [Value, Path][] {
  return ['task', 'statusUpdate'].flatMap((key): [Value, Path][] => {
    const inner = content[key];
    return isValueMap(inner) ? [[inner, [key]]] : [];
  });
}

function findTaskEchoes(task: Value, at: Path, sent: SentMessages): readonly Echo[] {
  if (!isValueMap(task)) return [];
  const left = new Map(sent.counts);
  const inHistory = toList(task.history).flatMap((message, index): readonly Echo[] => {
    if (!isValueMap(message)) return [];
    const key = keyWords(message);
    const count = left.get(key);
    if (count !== undefined) left.set(key, count - 1);
    // What stands there more often than we said it has been said by the agent, too.
    return count === 0 ? [] : sent.own.findIn(message, [...at, 'history', index]);
  });
  // Some agents confirm a new task with the message that it was made from.
  const { state, message } = isValueMap(task.status) ? task.status : {};
  return isNew(state) && isValueMap(message)
    ? [...inHistory, ...sent.own.findIn(message, [...at, 'status', 'message'])]
    : inHistory;
}

function isNew(state: Value | undefined): boolean {
  return state === 'submitted' || state === 'TASK_STATE_SUBMITTED';
}

interface PushConfigValue {
  /** The field of the configuration and its value. */
  readonly says: string;
  readonly path: Path;
}

const mostWords = 1_000;

/** Lists the values of push configurations, in messages that set one and in answers that contain one or several. */
function listPushConfigValues(content: Value): readonly PushConfigValue[] {
  return listPushConfigs(content).flatMap(([config, at]) => listConfigValues(config, at));
}

type Placed = readonly [value: Value | undefined, path: Path];

function listPushConfigs(content: Value): readonly (readonly [ValueMap, Path])[] {
  const holders: readonly Placed[] = isValueMap(content)
    ? [[content, []], [content.configuration, ['configuration']], ...listPlacedItems(content.configs, ['configs'])]
    : listPlacedItems(content, []);
  return holders.flatMap(([holder, at]): readonly (readonly [ValueMap, Path])[] => {
    if (!isValueMap(holder)) return [];
    for (const key of ['pushNotificationConfig', 'taskPushNotificationConfig']) {
      const config = holder[key];
      if (isValueMap(config)) return [[config, [...at, key]]];
    }
    // Since 1.0 the configuration has no wrapper.
    return typeof holder.url === 'string' ? [[holder, at]] : [];
  });
}

function listPlacedItems(list: Value | undefined, at: Path): readonly Placed[] {
  return Array.isArray(list)
    ? list.slice(0, mostWords).map((item: Value, index): Placed => [item, [...at, index]])
    : [];
}

function listConfigValues(config: ValueMap, at: Path): readonly PushConfigValue[] {
  const words: PushConfigValue[] = [];
  const pending: [Value, Path][] = [[config, []]];
  for (let next = pending.pop(); next !== undefined && words.length < mostWords; next = pending.pop()) {
    const [value, path] = next;
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) pending.push([item as Value, [...path, index]]);
    else if (isValueMap(value)) for (const [key, item] of Object.entries(value)) pending.push([item, [...path, key]]);
    else words.push({ says: JSON.stringify([path, value]), path: [...at, ...path] });
  }
  return words;
}
