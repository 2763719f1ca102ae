import { parseJson } from '../../model/json.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import type { KeptLine } from './kept-lines.ts';
import { type RowKind, rowKinds } from './page-data.ts';
import { numberIn, textIn } from './stored.ts';

/** The fields of a record that a page shows, for our own traces and ThoughtJack's. */
export interface Row {
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

export function rowOf({ text, leftOut }: KeptLine, before: Row | undefined): Row {
  const record = jsonOf(text);
  const map = isValueMap(record) ? record : { kind: 'malformed', raw: text.slice(0, longestRaw) };
  const kind = kindOf(map);
  return {
    seq: numberIn(map, 'seq') ?? (before?.seq ?? -1) + 1,
    timestamp: textIn(map, 'timestamp') ?? '',
    actor: textIn(map, 'actor'),
    mode: textIn(map, 'mode'),
    phase: textIn(map, 'phase'),
    session: textIn(map, 'session'),
    id: Object.hasOwn(map, 'id') ? map.id : undefined,
    kind,
    fromAgent: map.origin === 'agent' || map.direction === 'incoming',
    method: textIn(map, 'method') ?? kind,
    content: isMessage(kind) ? (map.content ?? null) : detailsOf(map),
    request: Object.hasOwn(map, 'request') ? map.request : undefined,
    leftOut,
  };
}

const longestRaw = 4_000;

export function isMessage(kind: RowKind): boolean {
  return rowKinds.indexOf(kind) < rowKinds.indexOf('phase');
}

function kindOf({ kind, direction }: ValueMap): RowKind {
  const own = rowKinds.find((each) => each === kind);
  return own ?? (direction === 'incoming' ? 'request' : direction === 'outgoing' ? 'response' : 'malformed');
}

function jsonOf(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const columns = new Set(['seq', 'timestamp', 'actor', 'phase', 'session', 'kind', 'protocol', 'mode']);

/** The fields of a marker beyond the columns that every record has. */
function detailsOf(map: ValueMap): Value {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !columns.has(key)));
}
