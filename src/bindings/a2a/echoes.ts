import type { Path } from '../../model/path.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { EchoFinder } from '../../model/views.ts';
import { type Remembered, remembered } from '../remembered.ts';
import { pushConfigWords } from './push-config-words.ts';
import { isMessage, textIn } from './shapes.ts';

// The parts of a message in which an agent that serves A2A repeats our words: the client's messages in a task's
// history, and the client's push configuration.

const clientRoles = new Set(['user', 'ROLE_USER']);

export function a2aEchoes(): EchoFinder {
  const sent = remembered();
  const configured = remembered();
  return {
    echoesIn({ mode, origin, method, content }) {
      if (mode !== 'a2a_client') return [];
      if (origin === 'attacker') {
        const id = isValueMap(content) ? textIn(content.message, 'messageId') : undefined;
        if (id !== undefined) sent.add(id);
        for (const { says } of pushConfigWords(content)) configured.add(says);
        return [];
      }
      if (method.startsWith('tasks/pushNotificationConfig/'))
        return pushConfigWords(content).flatMap(({ says, path }) => (configured.has(says) ? [path] : []));
      if (!isValueMap(content)) return [];
      const tasks: readonly [Value, Path][] = Array.isArray(content.tasks)
        ? content.tasks.map((task: Value, index): [Value, Path] => [task, ['tasks', index]])
        : [[content, []], ...wrapped(content)];
      return tasks.flatMap(([task, at]) => inTask(task, at, sent));
    },
  };
}

/** Since 1.0 an answer is wrapped in a field that names its type. */
function wrapped(content: ValueMap): readonly [Value, Path][] {
  return ['task', 'message', 'statusUpdate'].flatMap((key): [Value, Path][] => {
    const inner = content[key];
    return isValueMap(inner) ? [[inner, [key]]] : [];
  });
}

function inTask(task: Value, at: Path, sent: Remembered): readonly Path[] {
  if (!isValueMap(task)) return [];
  // An agent that answers with our own message says nothing of its own.
  const isReply: boolean = isMessage(task);
  if (isReply) return isOurs(task, sent) ? [[...at, 'parts']] : [];
  const history = Array.isArray(task.history) ? (task.history as readonly Value[]) : [];
  const inHistory = history.flatMap((message, index): readonly Path[] =>
    isOurs(message, sent) ? [[...at, 'history', index]] : [],
  );
  const status = isValueMap(task.status) ? task.status.message : undefined;
  return status !== undefined && isOurs(status, sent)
    ? [...inHistory, [...at, 'status', 'message']]
    : inHistory;
}

/** The client is our side of the connection, so messages with the user's role are ours. */
function isOurs(message: Value, sent: Remembered): boolean {
  const [id, role] = [textIn(message, 'messageId'), textIn(message, 'role')];
  return (role !== undefined && clientRoles.has(role)) || (id !== undefined && sent.has(id));
}
