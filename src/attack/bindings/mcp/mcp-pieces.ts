import type { Piece } from '../../../format/model/binding-views.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { formatEntryName, listEntryPieces, listPlacedEntries, listValuePiece } from '../state-pieces.ts';

/** The pieces of an MCP actor's state. */
export function listMcpPieces(mode: string, state: Value): readonly Piece[] {
  if (!isValueMap(state)) return [];
  return (isClientMode(mode) ? clientKeys : serverKeys).flatMap((row) => {
    if (typeof row === 'string') return listValuePiece(state[row], `/${row}`, row, `the ${row.replaceAll('_', ' ')}`);
    const [key, kind, label, inner] = row;
    const within = inner === undefined ? [] : listPlacedEntries(state[key], `/${key}`);
    return [
      ...listEntryPieces(state[key], `/${key}`, kind, label),
      ...within.flatMap(({ at, entry }) => inner?.(entry, at) ?? []),
    ];
  });
}

type Label = (entry: ValueMap, at: string) => string;

type InnerPieces = (entry: ValueMap, at: string) => readonly Piece[];

/** A key whose value is one piece, or a list with a piece for each entry and perhaps further pieces within it. */
type StateKey = string | readonly [key: string, kind: string, label: Label, inner?: InnerPieces];

const labelAt =
  (what: string): Label =>
  (_, at) =>
    `the ${what} at ${at}`;

const labelName =
  (what: string): Label =>
  (entry, at) =>
    `the ${what} ${formatEntryName(entry, at)}`;

const labelResource: Label = ({ uri, name }, at) =>
  `the resource ${typeof uri === 'string' ? uri : formatEntryName(name === undefined ? {} : { name }, at)}`;

const listResponses =
  (kind: string, what: string): InnerPieces =>
  (entry, at) =>
    listEntryPieces(entry.responses, `${at}/responses`, kind, () => `${what} ${formatEntryName(entry, at)}`);

const serverKeys: readonly StateKey[] = [
  'protocol_version',
  'server_info',
  'capabilities',
  'instructions',
  ['tools', 'tool', labelName('tool'), listResponses('tool_response', 'an answer of the tool')],
  [
    'resources',
    'resource',
    labelResource,
    (entry, at) =>
      listValuePiece(entry.content, `${at}/content`, 'resource_content', `the content of ${labelResource(entry, at)}`),
  ],
  ['resource_templates', 'resource_template', labelName('resource template')],
  ['prompts', 'prompt', labelName('prompt'), listResponses('prompt_response', 'the text of the prompt')],
  ['elicitations', 'elicitation', labelAt('elicitation')],
  ['sampling_requests', 'sampling_request', labelAt('sampling request')],
  ['logging', 'log_message', labelAt('log message')],
  ['progress', 'progress', labelAt('progress')],
];

const clientKeys: readonly StateKey[] = [
  'protocol_version',
  'client_info',
  'capabilities',
  ['actions', 'action', ({ method = 'without a method' }, at) => `the action ${String(method)} at ${at}`],
  'roots',
  ['sampling_responses', 'sampling_response', labelAt('sampling answer')],
  ['elicitation_responses', 'elicitation_response', labelAt('elicitation answer')],
];
