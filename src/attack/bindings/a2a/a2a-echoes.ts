import type { EchoFinder } from '../../../format/model/binding-views.ts';
import type { Path } from '../../../format/model/path.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { createRecentTexts, type RecentTexts } from '../recent-texts.ts';
import { isA2aMessage, readMapText } from './a2a-shapes.ts';

// The parts of a message in which an agent that serves A2A repeats our words: the client's messages in a task's
// history, and the client's push configuration.

const clientRoles = new Set(['user', 'ROLE_USER']);

export function createA2aEchoFinder(): EchoFinder {
  const sent = createRecentTexts();
  const configured = createRecentTexts();
  return {
    echoesIn({ mode, origin, method, content }) {
      if (mode !== 'a2a_client') return [];
      if (origin === 'attacker') {
        const id = isValueMap(content) ? readMapText(content.message, 'messageId') : undefined;
        if (id !== undefined) sent.add(id);
        for (const { says } of listPushConfigValues(content)) configured.add(says);
        return [];
      }
      if (method.startsWith('tasks/pushNotificationConfig/'))
        return listPushConfigValues(content).flatMap(({ says, path }) => (configured.has(says) ? [path] : []));
      if (!isValueMap(content)) return [];
      const tasks: readonly [Value, Path][] = Array.isArray(content.tasks)
        ? content.tasks.map((task: Value, index): [Value, Path] => [task, ['tasks', index]])
        : [[content, []], ...unwrapAnswer(content)];
      return tasks.flatMap(([task, at]) => findTaskEchoes(task, at, sent));
    },
  };
}

/** Since 1.0 an answer is wrapped in a field that names its type. */
function unwrapAnswer(content: ValueMap): readonly [Value, Path][] {
  return ['task', 'message', 'statusUpdate'].flatMap((key): [Value, Path][] => {
    const inner = content[key];
    return isValueMap(inner) ? [[inner, [key]]] : [];
  });
}

function findTaskEchoes(task: Value, at: Path, sent: RecentTexts): readonly Path[] {
  if (!isValueMap(task)) return [];
  // An agent that answers with our own message says nothing of its own.
  const isReply: boolean = isA2aMessage(task);
  if (isReply) return isOurs(task, sent) ? [[...at, 'parts']] : [];
  const history = Array.isArray(task.history) ? (task.history as readonly Value[]) : [];
  const inHistory = history.flatMap((message, index): readonly Path[] =>
    isOurs(message, sent) ? [[...at, 'history', index]] : [],
  );
  const status = isValueMap(task.status) ? task.status.message : undefined;
  return status !== undefined && isOurs(status, sent) ? [...inHistory, [...at, 'status', 'message']] : inHistory;
}

/** The client is our side of the connection, so messages with the user's role are ours. */
function isOurs(message: Value, sent: RecentTexts): boolean {
  const [id, role] = [readMapText(message, 'messageId'), readMapText(message, 'role')];
  return (role !== undefined && clientRoles.has(role)) || (id !== undefined && sent.has(id));
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
