import type { ValueMap } from '../../format/model/value.ts';

/** A task, with the facts that the interface keeps about it. */
export interface A2aInterfaceTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: 'submitted' | 'working' | 'completed' | 'failed' | 'canceled';
  readonly answer: string;
}

export function toTask(task: A2aInterfaceTask): ValueMap {
  const { id, contextId, state } = task;
  return {
    kind: 'task',
    id,
    contextId,
    status: createTaskStatus(task),
    ...(state === 'completed' && { artifacts: [createTaskArtifact(task)] }),
  };
}

export function createStatusUpdate(task: A2aInterfaceTask, final: boolean): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'status-update', taskId, contextId, status: createTaskStatus(task), final };
}

export function createArtifactUpdate(task: A2aInterfaceTask): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'artifact-update', taskId, contextId, artifact: createTaskArtifact(task), lastChunk: true };
}

function createTaskStatus({ id, contextId, state, answer }: A2aInterfaceTask): ValueMap {
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

function createTaskArtifact({ id, answer }: A2aInterfaceTask): ValueMap {
  return { artifactId: `${id}-answer`, name: 'answer', parts: [{ kind: 'text', text: answer }] };
}
