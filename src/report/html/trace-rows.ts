import { tryParseJson } from '../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
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

export function isMessageRow(kind: RowKind): boolean {
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
