import type { Echo, EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import { isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { createSentMessages, type MessagesToRepeat, type SentMessages } from './sent-messages.ts';

// The parts of a message in which an agent that serves A2A repeats our words: the client's messages in a task's
// history, the message that a new task was made from, and the client's push configuration. What one actor of ours said is
// not shown to another by the protocol.

/** What one actor of ours sent. */
interface SentByActor {
  readonly messages: SentMessages;
  /** The fields of push configurations, and their values. */
  readonly configured: RecentTexts;
}

export function createA2aEchoFinder(): EchoFinder {
  const byActor = new Map<string, SentByActor>();
  return {
    echoesIn(record) {
      const { mode, origin, method, content, actor } = record;
      if (mode !== 'a2a_client') return [];
      const sent = byActor.get(actor) ?? { messages: createSentMessages(), configured: createRecentTexts() };
      byActor.set(actor, sent);
      if (origin === 'attacker') {
        sent.messages.add(record);
        for (const { says } of listPushConfigValues(content)) sent.configured.add(says);
        return [];
      }
      if (method.startsWith('tasks/pushNotificationConfig/'))
        return listPushConfigValues(content).flatMap(({ says, path }) => (sent.configured.has(says) ? [{ path }] : []));
      if (!isValueMap(content)) return [];
      const tasks: readonly [Value, Path][] = Array.isArray(content.tasks)
        ? content.tasks.map((task: Value, index): [Value, Path] => [task, ['tasks', index]])
        : [[content, []], ...unwrapAnswer(content)];
      for (const [task] of tasks) sent.messages.noteAnswer(record, task);
      return tasks.flatMap(([task, at]) => findTaskEchoes(task, at, () => sent.messages.findRepeatable(record, task)));
    },
  };
}

/** Since 1.0 an answer is wrapped in a field that names its type. */
function unwrapAnswer(content: ValueMap): readonly [Value, Path][] {
  return ['task', 'statusUpdate'].flatMap((key): [Value, Path][] => {
    const inner = content[key];
    return isValueMap(inner) ? [[inner, [key]]] : [];
  });
}

function findTaskEchoes(task: Value, at: Path, findRepeatable: () => MessagesToRepeat): readonly Echo[] {
  if (!isValueMap(task)) return [];
  const history = toList(task.history);
  const ours = history.length === 0 ? undefined : findRepeatable();
  const inHistory = history.flatMap((message, index) => ours?.findIn(message, [...at, 'history', index]) ?? []);
  // Some agents confirm a new task with the message that it was made from.
  const { state, message } = isValueMap(task.status) ? task.status : {};
  return isNew(state) && message !== undefined
    ? [...inHistory, ...findRepeatable().findIn(message, [...at, 'status', 'message'])]
    : inHistory;
}

function isNew(state: Value | undefined): boolean {
  return state === 'submitted' || state === 'TASK_STATE_SUBMITTED';
}

const mostWords = 1_000;

interface PushConfigValue {
  /** The field of the configuration and its value. */
  readonly says: string;
  readonly path: Path;
}

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
