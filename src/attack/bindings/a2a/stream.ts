import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isTask, readMapText } from './a2a-shapes.ts';

/** The ids for updates of a task that has none of its own. */
export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/**
 * Format spec §7.2.4: a Task goes out as the first item; updates derived from it follow, and the last of them is final.
 * A Message, and any other content, is one item.
 */
export function listStreamItems(content: Value, ids: () => TaskIds): readonly [Value, ...Value[]] {
  if (!isTask(content)) return [content];
  const { id, contextId } = content;
  const made = typeof id === 'string' && typeof contextId === 'string' ? undefined : ids();
  const place = {
    taskId: readMapText(content, 'id') ?? made?.taskId ?? '',
    contextId: readMapText(content, 'contextId') ?? made?.contextId ?? '',
  };
  const artifacts = Array.isArray(content.artifacts) ? (content.artifacts as readonly Value[]) : [];
  return [
    content,
    // A client may stop reading at the final status, so artifacts go before it.
    ...artifacts.filter(isValueMap).map((artifact) => createArtifactUpdateEvent(place, artifact)),
    { kind: 'status-update', ...place, status: content.status ?? {}, final: true },
  ];
}

function createArtifactUpdateEvent(place: TaskIds, artifact: ValueMap): ValueMap {
  return { kind: 'artifact-update', ...place, artifact, append: false, lastChunk: true };
}
