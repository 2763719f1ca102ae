import { stringifyJson, tryParseJson } from '../../format/model/json-text-values.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { KeptLine } from './kept-lines.ts';
import { type RowKind, rowKinds } from './page-data.ts';
import { readNumberField, readTextField } from './stored-fields.ts';

/** The fields of a record that a page shows, for our own traces and ThoughtJack's. */
export interface TraceRow {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor: string | undefined;
  readonly mode: string | undefined;
  readonly phase: string | undefined;
  readonly session: string | undefined;
  readonly id: Value | undefined;
  readonly kind: RowKind;
  readonly fromAgent: boolean;
  readonly method: string;
  readonly content: Value;
  readonly request: Value | undefined;
  readonly leftOut: number;
}

export function createTraceRow({ text, leftOut }: KeptLine, before: TraceRow | undefined): TraceRow {
  const record = tryParseJson(text);
  const map = isValueMap(record) ? record : { kind: 'malformed', raw: text.slice(0, longestRaw) };
  const kind = readRowKind(map);
  return {
    seq: readNumberField(map, 'seq') ?? (before?.seq ?? -1) + 1,
    timestamp: readTextField(map, 'timestamp') ?? '',
    actor: readTextField(map, 'actor'),
    mode: readTextField(map, 'mode'),
    phase: readTextField(map, 'phase'),
    session: readTextField(map, 'session'),
    id: Object.hasOwn(map, 'id') ? map.id : undefined,
    kind,
    fromAgent: map.origin === 'agent' || map.direction === 'incoming',
    method: readTextField(map, 'method') ?? kind,
    content: isMessageRow(kind) ? (map.content ?? null) : selectDetails(map),
    request: Object.hasOwn(map, 'request') ? map.request : undefined,
    leftOut,
  };
}

const longestRaw = 4_000;

function isMessageRow(kind: RowKind): boolean {
  return rowKinds.indexOf(kind) < rowKinds.indexOf('phase');
}

function readRowKind({ kind, direction }: ValueMap): RowKind {
  const own = rowKinds.find((each) => each === kind);
  return own ?? (direction === 'incoming' ? 'request' : direction === 'outgoing' ? 'response' : 'malformed');
}

const columns = new Set(['seq', 'timestamp', 'actor', 'phase', 'session', 'kind', 'protocol', 'mode']);

/** The fields of a marker beyond the columns that every record has. */
function selectDetails(map: ValueMap): Value {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !columns.has(key)));
}

const longest = 2_000;

/** A message in one line: its own text if it has some, else the beginning of its JSON. */
export function summarizeMessage(content: Value): string {
  if (content === null || (typeof content === 'object' && Object.keys(content).length === 0)) return '';
  const words = isValueMap(content) ? summarizeKnownContent(content) : undefined;
  return (words ?? previewJson(content)).slice(0, longest);
}

function summarizeKnownContent(content: ValueMap): string | undefined {
  const { code, message, name, delta, toolCallName, uri, event, reason } = content;
  if (typeof code === 'number' && typeof message === 'string') return `error ${code}: ${message}`;
  if (typeof delta === 'string') return delta;
  if (typeof name === 'string') return `${name}${previewArguments(content.arguments)}`;
  if (typeof toolCallName === 'string') return toolCallName;
  if (typeof uri === 'string') return uri;
  return (
    joinPartTexts(content.content) ??
    findLastMessage(content.messages) ??
    joinPartTexts(message) ??
    summarizeNamedItems(content) ??
    formatNameAndVersion(content.serverInfo ?? content.clientInfo) ??
    (typeof reason === 'string' ? reason : typeof event === 'string' ? event : undefined)
  );
}

function previewArguments(value: Value | undefined): string {
  return isValueMap(value) ? ` ${previewJson(value)}` : '';
}

/** The texts of parts, as MCP and A2A write them. */
function joinPartTexts(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (isValueMap(value)) return joinPartTexts(value.parts ?? value.text ?? value.content);
  if (!Array.isArray(value)) return undefined;
  const texts = value
    .slice(0, 20)
    .flatMap((part: Value) => (isValueMap(part) && typeof part.text === 'string' ? part.text : []));
  return texts.length === 0 ? undefined : texts.join(' ');
}

function findLastMessage(messages: Value | undefined): string | undefined {
  const last: Value | undefined = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isValueMap(last) ? joinPartTexts(last.content) : undefined;
}

function summarizeNamedItems(content: ValueMap): string | undefined {
  for (const [key, list] of Object.entries(content).slice(0, 20)) {
    if (!Array.isArray(list)) continue;
    const names = list
      .slice(0, 20)
      .flatMap((item: Value) => (isValueMap(item) && typeof item.name === 'string' ? item.name : []));
    if (names.length > 0) return `${key}: ${names.join(', ')}`;
    if (list.length === 0 && Object.keys(content).length === 1) return `no ${key}`;
  }
  return undefined;
}

function formatNameAndVersion(value: Value | undefined): string | undefined {
  if (!isValueMap(value) || typeof value.name !== 'string') return undefined;
  return typeof value.version === 'string' ? `${value.name} ${value.version}` : value.name;
}

/** The beginning of a value's JSON. Parts that would be cut are not written at all, to save time. */
function previewJson(value: Value, room = longest, depth = 0): string {
  if (typeof value === 'string') return depth === 0 ? value.slice(0, room) : JSON.stringify(value.slice(0, room));
  if (!isCollection(value)) return stringifyJson(value);
  if (depth > 8) return '…';
  const isMap = isValueMap(value);
  let text = isMap ? '{' : '[';
  for (const key of Object.keys(value)) {
    if (text.length > 1) text += ', ';
    if (text.length > room) break;
    const item = (value as ValueMap)[key] as Value;
    text += `${isMap ? `${key}: ` : ''}${previewJson(item, room - text.length, depth + 1)}`;
  }
  return `${text}${isMap ? '}' : ']'}`;
}
