import type { Piece } from '../../../format/model/binding-views.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { formatEntryName, listEntryPieces, listPlacedEntries, listValuePiece } from '../state-pieces.ts';

/** The pieces of an MCP actor's state. */
export function listMcpPieces(mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  return isClientMode(mode) ? listClientPieces(state) : listServerPieces(state);
}

function listServerPieces(state: ValueMap): readonly Piece[] {
  return [
    ...listValuePiece(state.protocol_version, '/protocol_version', 'protocol_version', 'the protocol version'),
    ...listValuePiece(state.server_info, '/server_info', 'server_info', 'the server info'),
    ...listValuePiece(state.capabilities, '/capabilities', 'capabilities', 'the capabilities'),
    ...listValuePiece(state.instructions, '/instructions', 'instructions', 'the instructions'),
    ...listEntryPieces(state.tools, '/tools', 'tool', (tool, at) => `the tool ${formatEntryName(tool, at)}`),
    ...listPlacedEntries(state.tools, '/tools').flatMap(({ at, entry }) =>
      listEntryPieces(
        entry.responses,
        `${at}/responses`,
        'tool_response',
        () => `an answer of the tool ${formatEntryName(entry, at)}`,
      ),
    ),
    ...listEntryPieces(state.resources, '/resources', 'resource', (resource, at) => formatResourceLabel(resource, at)),
    ...listPlacedEntries(state.resources, '/resources').flatMap(({ at, entry }) =>
      listValuePiece(
        entry.content,
        `${at}/content`,
        'resource_content',
        `the content of ${formatResourceLabel(entry, at)}`,
      ),
    ),
    ...listEntryPieces(
      state.resource_templates,
      '/resource_templates',
      'resource_template',
      (template, at) => `the resource template ${formatEntryName(template, at)}`,
    ),
    ...listEntryPieces(
      state.prompts,
      '/prompts',
      'prompt',
      (prompt, at) => `the prompt ${formatEntryName(prompt, at)}`,
    ),
    ...listPlacedEntries(state.prompts, '/prompts').flatMap(({ at, entry }) =>
      listEntryPieces(
        entry.responses,
        `${at}/responses`,
        'prompt_response',
        () => `the text of the prompt ${formatEntryName(entry, at)}`,
      ),
    ),
    ...listEntryPieces(state.elicitations, '/elicitations', 'elicitation', (_, at) => `the elicitation at ${at}`),
    ...listEntryPieces(
      state.sampling_requests,
      '/sampling_requests',
      'sampling_request',
      (_, at) => `the sampling request at ${at}`,
    ),
    ...listEntryPieces(state.logging, '/logging', 'log_message', (_, at) => `the log message at ${at}`),
    ...listEntryPieces(state.progress, '/progress', 'progress', (_, at) => `the progress at ${at}`),
  ];
}

function formatResourceLabel({ uri, name }: ValueMap, at: string): string {
  return `the resource ${typeof uri === 'string' ? uri : formatEntryName(name === undefined ? {} : { name }, at)}`;
}

function listClientPieces(state: ValueMap): readonly Piece[] {
  return [
    ...listValuePiece(state.protocol_version, '/protocol_version', 'protocol_version', 'the protocol version'),
    ...listValuePiece(state.client_info, '/client_info', 'client_info', 'the client info'),
    ...listValuePiece(state.capabilities, '/capabilities', 'capabilities', 'the capabilities'),
    ...listEntryPieces(
      state.actions,
      '/actions',
      'action',
      ({ method = 'without a method' }, at) => `the action ${String(method)} at ${at}`,
    ),
    ...listValuePiece(state.roots, '/roots', 'roots', 'the roots'),
    ...listEntryPieces(
      state.sampling_responses,
      '/sampling_responses',
      'sampling_response',
      (_, at) => `the sampling answer at ${at}`,
    ),
    ...listEntryPieces(
      state.elicitation_responses,
      '/elicitation_responses',
      'elicitation_response',
      (_, at) => `the elicitation answer at ${at}`,
    ),
  ];
}
