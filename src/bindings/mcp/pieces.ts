import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { Piece } from '../../model/views.ts';
import { isClientMode } from '../../registry/modes.ts';
import { eachOf, entriesOf, nameIn, oneOf } from '../state-pieces.ts';

/** The pieces of an MCP actor's state. */
export function mcpPieces(mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  return isClientMode(mode) ? clientPieces(state) : serverPieces(state);
}

function serverPieces(state: ValueMap): readonly Piece[] {
  return [
    ...oneOf(state.protocol_version, '/protocol_version', 'protocol_version', 'the protocol version'),
    ...oneOf(state.server_info, '/server_info', 'server_info', 'the server info'),
    ...oneOf(state.capabilities, '/capabilities', 'capabilities', 'the capabilities'),
    ...oneOf(state.instructions, '/instructions', 'instructions', 'the instructions'),
    ...eachOf(state.tools, '/tools', 'tool', (tool, at) => `the tool ${nameIn(tool, at)}`),
    ...entriesOf(state.tools, '/tools').flatMap(({ at, entry }) =>
      eachOf(
        entry.responses,
        `${at}/responses`,
        'tool_response',
        () => `an answer of the tool ${nameIn(entry, at)}`,
      ),
    ),
    ...eachOf(state.resources, '/resources', 'resource', (resource, at) => resourceLabel(resource, at)),
    ...entriesOf(state.resources, '/resources').flatMap(({ at, entry }) =>
      oneOf(entry.content, `${at}/content`, 'resource_content', `the content of ${resourceLabel(entry, at)}`),
    ),
    ...eachOf(
      state.resource_templates,
      '/resource_templates',
      'resource_template',
      (template, at) => `the resource template ${nameIn(template, at)}`,
    ),
    ...eachOf(state.prompts, '/prompts', 'prompt', (prompt, at) => `the prompt ${nameIn(prompt, at)}`),
    ...entriesOf(state.prompts, '/prompts').flatMap(({ at, entry }) =>
      eachOf(
        entry.responses,
        `${at}/responses`,
        'prompt_response',
        () => `the text of the prompt ${nameIn(entry, at)}`,
      ),
    ),
    ...eachOf(state.elicitations, '/elicitations', 'elicitation', (_, at) => `the elicitation at ${at}`),
    ...eachOf(
      state.sampling_requests,
      '/sampling_requests',
      'sampling_request',
      (_, at) => `the sampling request at ${at}`,
    ),
    ...eachOf(state.logging, '/logging', 'log_message', (_, at) => `the log message at ${at}`),
    ...eachOf(state.progress, '/progress', 'progress', (_, at) => `the progress at ${at}`),
  ];
}

function resourceLabel({ uri, name }: ValueMap, at: string): string {
  return `the resource ${typeof uri === 'string' ? uri : nameIn(name === undefined ? {} : { name }, at)}`;
}

function clientPieces(state: ValueMap): readonly Piece[] {
  return [
    ...oneOf(state.protocol_version, '/protocol_version', 'protocol_version', 'the protocol version'),
    ...oneOf(state.client_info, '/client_info', 'client_info', 'the client info'),
    ...oneOf(state.capabilities, '/capabilities', 'capabilities', 'the capabilities'),
    ...eachOf(
      state.actions,
      '/actions',
      'action',
      ({ method = 'without a method' }, at) => `the action ${String(method)} at ${at}`,
    ),
    ...oneOf(state.roots, '/roots', 'roots', 'the roots'),
    ...eachOf(
      state.sampling_responses,
      '/sampling_responses',
      'sampling_response',
      (_, at) => `the sampling answer at ${at}`,
    ),
    ...eachOf(
      state.elicitation_responses,
      '/elicitation_responses',
      'elicitation_response',
      (_, at) => `the elicitation answer at ${at}`,
    ),
  ];
}
