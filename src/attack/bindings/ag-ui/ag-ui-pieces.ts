import type { Piece } from '../../../format/model/binding-views.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { formatEntryName, listEntryPieces, listValuePiece } from '../state-pieces.ts';

const at = '/run_agent_input';

/** The pieces of an AG-UI actor's state. */
export function listAgUiPieces(_mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  return [
    ...listInputPieces(state.run_agent_input),
    ...listEntryPieces(
      state.interrupt_responses,
      '/interrupt_responses',
      'interrupt_response',
      (_, place) => `the answer to an interrupt at ${place}`,
    ),
    ...listEntryPieces(
      state.tool_responses,
      '/tool_responses',
      'tool_result',
      (_, place) => `the answer of a frontend tool at ${place}`,
    ),
  ];
}

function listInputPieces(input: Value | undefined): readonly Piece[] {
  if (!isValueMap(input)) return listValuePiece(input ?? undefined, at, 'message', 'the run input');
  return [
    ...listMessagePieces(input.messages),
    ...listEntryPieces(input.context, `${at}/context`, 'context', (_, place) => `the context entry at ${place}`),
    ...listEntryPieces(
      input.tools,
      `${at}/tools`,
      'frontend_tool',
      (tool, place) => `the frontend tool ${formatEntryName(tool, place)}`,
    ),
    ...listValuePiece(
      input.protocolVersion ?? undefined,
      `${at}/protocolVersion`,
      'protocol_version',
      'the protocol version',
    ),
    ...listEntryPieces(input.resume, `${at}/resume`, 'resume', (_, place) => `the resumption at ${place}`),
    ...(isEmpty(input.state) ? [] : listValuePiece(input.state, `${at}/state`, 'run_state', 'the state')),
    ...(isEmpty(input.forwardedProps)
      ? []
      : listValuePiece(input.forwardedProps, `${at}/forwardedProps`, 'forwarded_props', 'the forwarded props')),
  ];
}

function listMessagePieces(messages: Value | undefined): readonly Piece[] {
  if (!Array.isArray(messages)) return [];
  return (messages as readonly Value[]).map((message, index) => ({
    at: `${at}/messages/${index}`,
    kind: isValueMap(message) ? classifyMessagePiece(message) : 'message',
    label: isValueMap(message) ? `the ${readRole(message)} message at ${at}/messages/${index}` : 'a message',
  }));
}

function readRole({ role }: ValueMap): string {
  return typeof role === 'string' ? role : 'unnamed';
}

/** Every agent accepts the user's words. Only some agents accept an invented history or files. */
function classifyMessagePiece(message: ValueMap): string {
  if (message.role !== 'user') return 'history';
  const { content } = message;
  const isText =
    typeof content === 'string' ||
    (Array.isArray(content) &&
      (content as readonly Value[]).every((part) => isValueMap(part) && typeof part.text === 'string'));
  return isText ? 'message' : 'attachment';
}

function isEmpty(value: Value | undefined): boolean {
  return value === null || (isValueMap(value) && Object.keys(value).length === 0);
}

/** The pieces that a run input carries, as records name them: a whole list by a star. */
export function listCarriedPieces(input: Value | undefined): readonly string[] {
  const lists = new Set(
    listInputPieces(input).map((piece) => piece.at.replace(/\/(messages|context|tools|resume)\/\d+$/, '/$1/*')),
  );
  return [...lists];
}
