import type { ValueMap } from '../model/value.ts';

/** A task, with the facts that the door keeps about it. */
export interface DoorTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: 'submitted' | 'working' | 'completed' | 'failed' | 'canceled';
  readonly answer: string;
}

export function toTask(task: DoorTask): ValueMap {
  const { id, contextId, state } = task;
  return {
    kind: 'task',
    id,
    contextId,
    status: statusOf(task),
    ...(state === 'completed' && { artifacts: [artifactOf(task)] }),
  };
}

export function statusUpdate(task: DoorTask, final: boolean): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'status-update', taskId, contextId, status: statusOf(task), final };
}

export function artifactUpdate(task: DoorTask): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'artifact-update', taskId, contextId, artifact: artifactOf(task), lastChunk: true };
}

function statusOf({ id, contextId, state, answer }: DoorTask): ValueMap {
  if (state !== 'failed') return { state };
  const message = {
    kind: 'message',
    messageId: `${id}-failure`,
    role: 'agent',
    taskId: id,
    contextId,
    parts: [{ kind: 'text', text: answer }],
  };
  return { state, message };
}

function artifactOf({ id, answer }: DoorTask): ValueMap {
  return { artifactId: `${id}-answer`, name: 'answer', parts: [{ kind: 'text', text: answer }] };
}
