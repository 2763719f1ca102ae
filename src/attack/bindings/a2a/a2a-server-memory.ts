import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { readMapText } from './a2a-shapes.ts';

// A server's memory of its run, so that ids stay valid: the tasks it has answered with, and the push configurations for
// them.

export interface A2aServerMemory {
  /** Oldest first. */
  readonly tasks: readonly ValueMap[];
  readonly configs: readonly PushConfig[];
}

/** The agent's push address for a task. */
export interface PushConfig {
  readonly taskId: string;
  readonly config: ValueMap;
  /** The era in which it was configured; not set for the first era. */
  readonly era?: string;
}

const mostTasks = 100;
const mostConfigs = 100;

export function readServerMemory(memory: Value | undefined): A2aServerMemory {
  return isValueMap(memory) ? (memory as unknown as A2aServerMemory) : { tasks: [], configs: [] };
}

export function memoryToValue(memory: A2aServerMemory): Value {
  return memory as unknown as Value;
}

export function findRememberedTask({ tasks }: A2aServerMemory, id: string | undefined): ValueMap | undefined {
  return id === undefined ? undefined : tasks.findLast((task) => task.id === id);
}

/** Remembers every task that has an id, so that the agent can ask for it. */
export function rememberTask(memory: A2aServerMemory, task: Value): A2aServerMemory {
  const id = readMapText(task, 'id');
  if (id === undefined || !isValueMap(task)) return memory;
  const { tasks, configs } = memory;
  const others = tasks.some((other) => other.id === id) ? tasks.filter((other) => other.id !== id) : tasks;
  const room = others.length < mostTasks ? others : others.slice(1 - mostTasks);
  return { tasks: [...room, task], configs };
}

export function findPushConfigs({ configs }: A2aServerMemory, taskId: string): readonly PushConfig[] {
  return configs.filter((config) => config.taskId === taskId);
}

export function addConfig(memory: A2aServerMemory, added: PushConfig): A2aServerMemory {
  const configs = [...removePushConfig(memory, added.taskId, added.config.id).configs, added];
  return { ...memory, configs: configs.slice(-mostConfigs) };
}

export function removePushConfig(memory: A2aServerMemory, taskId: string, id: Value | undefined): A2aServerMemory {
  const configs = memory.configs.filter(
    (other) => other.taskId !== taskId || (other.config.id ?? null) !== (id ?? null),
  );
  return { ...memory, configs };
}
