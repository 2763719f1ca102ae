import type { NormalizedActor, NormalizedDocument } from '../../format/model/normalized.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { userMode } from '../../format/registry/known-modes.ts';

export function replaceActors(document: NormalizedDocument, actors: readonly NormalizedActor[]): NormalizedDocument {
  const { attack } = document;
  return { ...document, attack: { ...attack, execution: { ...attack.execution, actors } } };
}

/**
 * Renames the messages of a conversation. An agent that remembers an earlier run knows its messages by their ids, and
 * would see nothing new. Equal ids of the document stay equal.
 */
export function renameConversationIds(document: NormalizedDocument, suffix: string): NormalizedDocument {
  const renamed = (id: Value | undefined): Value | undefined => (typeof id === 'string' ? id + suffix : id);
  const actors = document.attack.execution.actors.map((actor) =>
    actor.mode !== userMode
      ? actor
      : {
          ...actor,
          phases: actor.phases.map((phase) => ({ ...phase, ...renameStateIds(phase.state, renamed) })),
        },
  );
  return replaceActors(document, actors);
}

function renameStateIds(
  state: Value | undefined,
  renamed: (id: Value | undefined) => Value | undefined,
): { readonly state?: Value } {
  const input = isValueMap(state) ? state.run_agent_input : undefined;
  if (!isValueMap(state) || !isValueMap(input)) return {};
  const messages = Array.isArray(input.messages)
    ? input.messages.map((message: Value) =>
        isValueMap(message) && message.id !== undefined ? { ...message, id: renamed(message.id) as Value } : message,
      )
    : input.messages;
  const run_agent_input = {
    ...input,
    ...(messages !== undefined && { messages }),
    ...(input.threadId !== undefined && { threadId: renamed(input.threadId) as Value }),
  };
  return { state: { ...state, run_agent_input } };
}
