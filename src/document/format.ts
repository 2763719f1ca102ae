import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { ParseError } from '../model/errors.ts';
import { generateKey } from '../model/generate.ts';
import type { Value } from '../model/value.ts';
import { wireKey } from '../model/wire.ts';
import { compactJson } from '../primitives/compact-json.ts';
import type { FieldType, TypeName } from '../registry/field-table.ts';
import { keyOf, types } from '../registry/fields.ts';
import { wireDeeds, wireMatchers } from '../registry/wire.ts';
import { isOperatorPair } from './decode.ts';
import { parseErrors, read } from './parse.ts';
import { writeYaml } from './write-yaml.ts';

export type FormatResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly errors: readonly ParseError[] };

/** Comments between a dash and its item need a second round before the text is stable. */
const maximumRounds = 5;

/** Rewrites a document in canonical field order and style. Comments and the model stay the same. */
export function format(text: string): FormatResult {
  const original = rewrite(text);
  if ('errors' in original) return { ok: false, errors: original.errors };
  let before = text;
  let { written } = original;
  for (let round = 0; written !== before; round++) {
    if (round === maximumRounds) return { ok: true, text };
    const again = rewrite(written);
    // If the library writes a text wrongly, the text stays as it is: style is not worth a changed document.
    if ('errors' in again || again.model !== original.model) return { ok: true, text };
    before = written;
    written = again.written;
  }
  return { ok: true, text: written };
}

interface Rewritten {
  readonly model: string;
  readonly written: string;
}

function rewrite(text: string): Rewritten | { readonly errors: readonly ParseError[] } {
  const reading = read(text);
  const { yaml, draft, problems } = reading;
  if (problems.length > 0 || !yaml?.contents) return { errors: parseErrors(reading) };
  const model = compactJson(draft as Value, 'sorted');
  orderObject('Document', yaml.contents);
  return { model, written: writeYaml(yaml) };
}

/** The rows of each type, by the key in the document, and the place of every other key behind them. */
const ordersByType = new Map(
  (Object.keys(types) as TypeName[]).map((type) => {
    const { fields, ownExtensions = {} } = types[type];
    const rows = new Map(
      Object.entries(fields).map(([name, field], place) => [keyOf(name, field), { place, field }]),
    );
    const last = rows.size;
    for (const [key, field] of Object.entries(ownExtensions)) rows.set(key, { place: last, field });
    return [type, { rows, last }];
  }),
);

function orderObject(type: TypeName, node: Node): void {
  const order = ordersByType.get(type);
  if (!isMap(node) || order === undefined) return;
  const { rows, last } = order;
  const placeOf = (pair: Pair<unknown, unknown>): number => rows.get(keyOfPair(pair))?.place ?? last;
  const first = node.items[0];
  // The stable sort keeps extensions and binding keys in their order, after the other keys.
  node.items.sort((a, b) => placeOf(a) - placeOf(b));
  if (node.items[0] !== first) moveBlankLine(node);
  for (const pair of node.items) {
    const row = rows.get(keyOfPair(pair));
    if (row !== undefined && pair.value !== null) orderAs(row.field.type, pair.value as Node);
    else orderOwn(keyOfPair(pair), pair.value);
  }
}

/** The order of keys in the entries of extensions of ours; others stand behind these, as they are. */
const ownOrders: ReadonlyMap<string, readonly string[]> = new Map([
  [wireKey, [...Object.keys(wireMatchers), ...Object.keys(wireDeeds)]],
  [generateKey, ['at', 'kind', 'seed', 'as', 'before', 'after']],
]);

function orderOwn(key: string, entries: unknown): void {
  const order = ownOrders.get(key);
  if (order === undefined || !isSeq(entries)) return;
  const placeOf = (pair: Pair<unknown, unknown>): number => {
    const place = order.indexOf(keyOfPair(pair));
    return place < 0 ? order.length : place;
  };
  for (const entry of entries.items) {
    if (!isMap(entry)) continue;
    const first = entry.items[0];
    entry.items.sort((a, b) => placeOf(a) - placeOf(b));
    if (entry.items[0] !== first) moveBlankLine(entry);
  }
}

/** Removes the blank line above a key that became the first, since it would open the block. */
function moveBlankLine(node: YAMLMap): void {
  const key = node.items[0]?.key;
  if (isScalar(key)) key.spaceBefore = false;
}

function keyOfPair({ key }: Pair<unknown, unknown>): string {
  return isScalar(key) ? String(key.value) : '';
}

function orderAs(type: FieldType, node: Node): void {
  switch (type.kind) {
    case 'object':
      orderObject(type.of, node);
      return;
    case 'shorthand':
      orderObject(type.object, node);
      return;
    case 'list':
      if (isSeq(node)) for (const item of node.items) orderAs(type.of, item as Node);
      return;
    case 'map':
      if (isMap(node)) for (const pair of node.items) orderAs(type.of, pair.value as Node);
      return;
    case 'condition':
      if (isMap(node) && node.items.some(isOperatorPair)) orderObject('MatchCondition', node);
      return;
    default:
      return;
  }
}
