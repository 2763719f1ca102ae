import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { textIn } from './shapes.ts';

// A server's memory of its run, so that ids stay valid: the tasks it has answered with, and the push configurations for
// them.

export interface Memory {
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

export function readMemory(memory: Value | undefined): Memory {
  return isValueMap(memory) ? (memory as unknown as Memory) : { tasks: [], configs: [] };
}

export function toValue(memory: Memory): Value {
  return memory as unknown as Value;
}

export function taskOf({ tasks }: Memory, id: string | undefined): ValueMap | undefined {
  return id === undefined ? undefined : tasks.findLast((task) => task.id === id);
}

/** Remembers every task that has an id, so that the agent can ask for it. */
export function remember(memory: Memory, task: Value): Memory {
  const id = textIn(task, 'id');
  if (id === undefined || !isValueMap(task)) return memory;
  const { tasks, configs } = memory;
  const others = tasks.some((other) => other.id === id) ? tasks.filter((other) => other.id !== id) : tasks;
  const room = others.length < mostTasks ? others : others.slice(1 - mostTasks);
  return { tasks: [...room, task], configs };
}

export function configsOf({ configs }: Memory, taskId: string): readonly PushConfig[] {
  return configs.filter((config) => config.taskId === taskId);
}

export function addConfig(memory: Memory, added: PushConfig): Memory {
  const configs = [...withoutConfig(memory, added.taskId, added.config.id).configs, added];
  return { ...memory, configs: configs.slice(-mostConfigs) };
}

export function withoutConfig(memory: Memory, taskId: string, id: Value | undefined): Memory {
  const configs = memory.configs.filter(
    (other) => other.taskId !== taskId || (other.config.id ?? null) !== (id ?? null),
  );
  return { ...memory, configs };
}
