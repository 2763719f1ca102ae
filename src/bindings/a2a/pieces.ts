import { isValueMap, type Value } from '../../model/value.ts';
import type { Piece } from '../../model/views.ts';
import { isClientMode } from '../../registry/modes.ts';
import { eachOf, entriesOf, oneOf } from '../state-pieces.ts';

/** The pieces of an A2A actor's state. */
export function a2aPieces(mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  if (isClientMode(mode))
    return eachOf(
      state.actions,
      '/actions',
      'action',
      ({ method = 'without a method' }, at) => `the action ${String(method)} at ${at}`,
    );
  return [
    ...oneOf(state.agent_card, '/agent_card', 'card', 'the agent card'),
    ...entriesOf(state.task_responses, '/task_responses').flatMap(({ at, entry }) => [
      // An entry with only a `stream` is never sent as a single answer.
      ...(entry.stream === undefined || entry.content !== undefined
        ? oneOf(entry, at, 'task_response', `the task answer at ${at}`)
        : []),
      ...oneOf(entry.stream, `${at}/stream`, 'task_response', `the stream at ${at}`),
    ]),
  ];
}
