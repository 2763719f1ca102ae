import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { ParseError } from '../model/errors.ts';
import { generateKey, wireKey } from '../model/extension-keys.ts';
import type { Value } from '../model/value.ts';
import { formatCompactJson } from '../primitives/compact-json.ts';
import type { FieldType, TypeName } from '../registry/field-table.ts';
import { toDocumentKey, types } from '../registry/fields.ts';
import { wireActions, wireMatchers } from '../registry/wire-rule-keys.ts';
import { isOperatorPair } from './decode-document.ts';
import { parseErrors, readDocumentText } from './parse.ts';
import { writeYaml } from './write-yaml.ts';

export type FormatResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly errors: readonly ParseError[] };

/** Comments between a dash and its item need a second round before the text is stable. */
const maximumRounds = 5;

/** Rewrites a document in canonical field order and style. Comments and the model stay the same. */
export function formatDocument(text: string): FormatResult {
  const original = rewriteModel(text);
  if ('errors' in original) return { ok: false, errors: original.errors };
  let before = text;
  let { written } = original;
  for (let round = 0; written !== before; round++) {
    if (round === maximumRounds) return { ok: true, text };
    const again = rewriteModel(written);
    // If the library writes a text wrongly, the text stays as it is: style is not worth a changed document.
    if ('errors' in again || again.model !== original.model) return { ok: true, text };
    before = written;
    written = again.written;
  }
  return { ok: true, text: written };
}

interface RewrittenModel {
  readonly model: string;
  readonly written: string;
}

function rewriteModel(text: string): RewrittenModel | { readonly errors: readonly ParseError[] } {
  const reading = readDocumentText(text);
  const { yaml, draft, problems } = reading;
  if (problems.length > 0 || !yaml?.contents) return { errors: parseErrors(reading) };
  const model = formatCompactJson(draft as Value, 'sorted');
  sortObject('Document', yaml.contents);
  return { model, written: writeYaml(yaml) };
}

/** The rows of each type, by the key in the document, and the place of every other key behind them. */
const keyOrderByType = new Map(
  (Object.keys(types) as TypeName[]).map((type) => {
    const { fields, ownExtensions = {} } = types[type];
    const rows = new Map(
      Object.entries(fields).map(([name, field], place) => [toDocumentKey(name, field), { place, field }]),
    );
    const last = rows.size;
    for (const [key, field] of Object.entries(ownExtensions)) rows.set(key, { place: last, field });
    return [type, { rows, last }];
  }),
);

function sortObject(type: TypeName, node: Node): void {
  const order = keyOrderByType.get(type);
  if (!isMap(node) || order === undefined) return;
  const { rows, last } = order;
  const findPlace = (pair: Pair<unknown, unknown>): number => rows.get(readPairKey(pair))?.place ?? last;
  const first = node.items[0];
  // The stable sort keeps extensions and binding keys in their order, after the other keys.
  node.items.sort((a, b) => findPlace(a) - findPlace(b));
  if (node.items[0] !== first) moveBlankLine(node);
  for (const pair of node.items) {
    const row = rows.get(readPairKey(pair));
    if (row !== undefined && pair.value !== null) sortByType(row.field.type, pair.value as Node);
    else sortExtension(readPairKey(pair), pair.value);
  }
}

/** The order of keys in the entries of extensions of ours; others stand behind these, as they are. */
const keyOrderByExtension: ReadonlyMap<string, readonly string[]> = new Map([
  [wireKey, [...Object.keys(wireMatchers), ...Object.keys(wireActions)]],
  [generateKey, ['at', 'kind', 'seed', 'as', 'before', 'after']],
]);

function sortExtension(key: string, entries: unknown): void {
  const order = keyOrderByExtension.get(key);
  if (order === undefined || !isSeq(entries)) return;
  const findPlace = (pair: Pair<unknown, unknown>): number => {
    const place = order.indexOf(readPairKey(pair));
    return place < 0 ? order.length : place;
  };
  for (const entry of entries.items) {
    if (!isMap(entry)) continue;
    const first = entry.items[0];
    entry.items.sort((a, b) => findPlace(a) - findPlace(b));
    if (entry.items[0] !== first) moveBlankLine(entry);
  }
}

/** Removes the blank line above a key that became the first, since it would open the block. */
function moveBlankLine(node: YAMLMap): void {
  const key = node.items[0]?.key;
  if (isScalar(key)) key.spaceBefore = false;
}

function readPairKey({ key }: Pair<unknown, unknown>): string {
  return isScalar(key) ? String(key.value) : '';
}

function sortByType(type: FieldType, node: Node): void {
  switch (type.kind) {
    case 'object':
      sortObject(type.of, node);
      return;
    case 'shorthand':
      sortObject(type.object, node);
      return;
    case 'list':
      if (isSeq(node)) for (const item of node.items) sortByType(type.of, item as Node);
      return;
    case 'map':
      if (isMap(node)) for (const pair of node.items) sortByType(type.of, pair.value as Node);
      return;
    case 'condition':
      if (isMap(node) && node.items.some(isOperatorPair)) sortObject('MatchCondition', node);
      return;
    default:
      return;
  }
}
