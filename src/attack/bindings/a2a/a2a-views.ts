import type { BindingViews, Piece } from '../../../format/model/binding-views.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { listEntryPieces, listPlacedEntries, listValuePiece } from '../state-pieces.ts';
import { readA2aActivity } from './a2a-activity.ts';
import { createA2aEchoFinder } from './a2a-echoes.ts';
import { createA2aProjector } from './a2a-projector.ts';
import { createA2aWordsReader } from './a2a-words.ts';

export const a2aViews: BindingViews = {
  protocol: 'a2a',
  projector: createA2aProjector,
  echoes: createA2aEchoFinder,
  pieces: listA2aPieces,
  activity: readA2aActivity,
  createWordsReader: createA2aWordsReader,
};

/** The pieces of an A2A actor's state. */
export function listA2aPieces(mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  if (isClientMode(mode))
    return listEntryPieces(
      state.actions,
      '/actions',
      'action',
      ({ method = 'without a method' }, at) => `the action ${String(method)} at ${at}`,
    );
  return [
    ...listValuePiece(state.agent_card ?? undefined, '/agent_card', 'card', 'the agent card'),
    ...listPlacedEntries(state.task_responses, '/task_responses').flatMap(({ at, entry }) => [
      // An entry with only a `stream` is never sent as a single answer.
      ...(entry.stream === undefined || entry.content !== undefined
        ? listValuePiece(entry, at, 'task_response', `the task answer at ${at}`)
        : []),
      ...listValuePiece(entry.stream ?? undefined, `${at}/stream`, 'task_response', `the stream at ${at}`),
    ]),
  ];
}
