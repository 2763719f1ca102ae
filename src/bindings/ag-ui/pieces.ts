import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { Piece } from '../../model/views.ts';
import { eachOf, nameIn, oneOf } from '../state-pieces.ts';

const at = '/run_agent_input';

/** The pieces of an AG-UI actor's state. */
export function agUiPieces(_mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  return [
    ...inputPieces(state.run_agent_input),
    ...eachOf(
      state.interrupt_responses,
      '/interrupt_responses',
      'interrupt_response',
      (_, place) => `the answer to an interrupt at ${place}`,
    ),
    ...eachOf(
      state.tool_responses,
      '/tool_responses',
      'tool_result',
      (_, place) => `the answer of a frontend tool at ${place}`,
    ),
  ];
}

function inputPieces(input: Value | undefined): readonly Piece[] {
  if (!isValueMap(input)) return oneOf(input, at, 'message', 'the run input');
  return [
    ...messagesIn(input.messages),
    ...eachOf(input.context, `${at}/context`, 'context', (_, place) => `the context entry at ${place}`),
    ...eachOf(
      input.tools,
      `${at}/tools`,
      'frontend_tool',
      (tool, place) => `the frontend tool ${nameIn(tool, place)}`,
    ),
    ...oneOf(input.protocolVersion, `${at}/protocolVersion`, 'protocol_version', 'the protocol version'),
    ...eachOf(input.resume, `${at}/resume`, 'resume', (_, place) => `the resumption at ${place}`),
    ...(isEmpty(input.state) ? [] : oneOf(input.state, `${at}/state`, 'run_state', 'the state')),
    ...(isEmpty(input.forwardedProps)
      ? []
      : oneOf(input.forwardedProps, `${at}/forwardedProps`, 'forwarded_props', 'the forwarded props')),
  ];
}

function messagesIn(messages: Value | undefined): readonly Piece[] {
  if (!Array.isArray(messages)) return [];
  return (messages as readonly Value[]).map((message, index) => ({
    at: `${at}/messages/${index}`,
    kind: isValueMap(message) ? kindOf(message) : 'message',
    label: isValueMap(message) ? `the ${roleIn(message)} message at ${at}/messages/${index}` : 'a message',
  }));
}

function roleIn({ role }: ValueMap): string {
  return typeof role === 'string' ? role : 'unnamed';
}

/** Any agent can be given the user's words. An invented history, and files, only some agents accept. */
function kindOf(message: ValueMap): string {
  if (message.role !== 'user') return 'history';
  const { content } = message;
  const isText =
    typeof content === 'string' ||
    (Array.isArray(content) &&
      (content as readonly Value[]).every((part) => isValueMap(part) && typeof part.text === 'string'));
  return isText ? 'message' : 'attachment';
}

function isEmpty(value: Value | undefined): boolean {
  return isValueMap(value) && Object.keys(value).length === 0;
}

/** The pieces that a run input carries, as records name them: a whole list by a star. */
export function carriedBy(input: Value | undefined): readonly string[] {
  const lists = new Set(
    inputPieces(input).map((piece) => piece.at.replace(/\/(messages|context|tools|resume)\/\d+$/, '/$1/*')),
  );
  return [...lists];
}
