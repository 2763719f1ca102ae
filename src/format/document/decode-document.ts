import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from 'yaml';
import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import { enumerations } from '../model/enumeration-types.ts';
import { createMap, failUnreachable, setOwn, type Value } from '../model/value.ts';
import { compareNumbers, WrittenNumber } from '../model/written-number.ts';
import type { EnumerationName, FieldType, TableField, TypeName } from '../registry/field-table.ts';
import { matchOperators, toDocumentKey, types } from '../registry/fields.ts';
import { findNearest } from '../registry/suggestions.ts';
import { type DocumentProblem, readYamlNumber, type YamlDocument } from './read-yaml.ts';

export interface DecodedDocument {
  readonly draft: Draft<Document>;
  readonly problems: readonly DocumentProblem[];
}

/** The rows of each type, by the key in the document. */
const rowsByKey: ReadonlyMap<TypeName, ReadonlyMap<string, readonly [name: string, field: TableField]>> = new Map(
  (Object.keys(types) as TypeName[]).map((type) => [
    type,
    new Map(
      Object.entries(types[type].fields).map(([name, field]) => [toDocumentKey(name, field), [name, field] as const]),
    ),
  ]),
);

/** Those of them that must be given. */
const requiredRows = new Map(
  [...rowsByKey].map(([type, rows]) => [type, [...rows].filter(([, [, { required }]]) => required)]),
);

/** Counted from where the content begins, so that the limit is the same in each of the three forms of a document. */
const maximumPassThroughDepth = 100;

const coreTags = new Set(
  ['map', 'seq', 'str', 'int', 'float', 'bool', 'null'].map((tag) => `tag:yaml.org,2002:${tag}`),
);

/**
 * Decodes the YAML tree into the model by the field table. It never stops at an error: for a value of the wrong type it
 * keeps what was probably meant, so that one mistake gives one message.
 */
export function decodeYamlDocument(yaml: YamlDocument): DecodedDocument {
  const problems: DocumentProblem[] = [];
  const path: (string | number)[] = [];

  function report(problem: Omit<DocumentProblem, 'path' | 'from' | 'to'>, node: Node | null | undefined): void {
    const [from, to] = node?.range ?? [0, 0];
    problems.push({ ...problem, path: [...path], from, to });
  }

  function within<T>(segment: string | number, run: () => T): T {
    path.push(segment);
    const result = run();
    path.pop();
    return result;
  }

  function mismatch(expected: string, node: Node, rule?: string): void {
    const found = describeType(node);
    const quotable = expected === 'a string' && isScalar(node) && node.value !== null;
    report(
      {
        kind: 'type_mismatch',
        message: `expected ${expected}, found ${found}`,
        ...(rule !== undefined && { rule }),
        ...(quotable && { hint: `put it in quotes: "${String(node.source ?? node.value)}"` }),
      },
      node,
    );
  }

  /** Anchors, aliases and tags are forbidden everywhere, so every node passes through here. */
  function inspect(node: Node): void {
    if (isAlias(node)) forbid('alias', `*${node.source}`, node);
    else {
      if (node.anchor !== undefined) forbid('anchor', `&${node.anchor}`, node);
      if (node.tag !== undefined && node.tag !== '!' && !coreTags.has(node.tag)) forbid('tag', node.tag, node);
    }
  }

  function forbid(what: string, text: string, node: Node): void {
    report(
      {
        kind: 'syntax',
        rule: 'V-020',
        message: `${what} ${text.slice(0, 60)} is not allowed`,
        hint: what === 'tag' ? 'write the plain value' : 'write the value out where it is used',
      },
      node,
    );
  }

  function keyText(pair: Pair<unknown, unknown>): string {
    const key = fillHole(pair.key);
    inspect(key);
    if (!isScalar(key)) {
      report({ kind: 'type_mismatch', message: `a key must be a scalar, found ${describeType(key)}` }, key);
      return `? at ${key.range?.[0] ?? 0}`;
    }
    if (key.type === 'PLAIN' && key.source === '<<')
      report({ kind: 'syntax', rule: 'V-020', message: 'merge key << is not allowed' }, key);
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  }

  /** The pairs of a mapping with their keys. Reports a key that occurs twice. */
  function listPairs(node: YAMLMap): readonly (readonly [key: string, keyNode: Node, value: Node])[] {
    const seen = new Set<string>();
    const pairs: [key: string, keyNode: Node, value: Node][] = [];
    for (const pair of node.items) {
      const key = keyText(pair);
      const keyNode = fillHole(pair.key);
      if (seen.has(key)) {
        const second = path.length === 0 && key === 'attack' ? { rule: 'V-003' } : {};
        within(key, () =>
          report({ kind: 'syntax', message: `key "${key.slice(0, 60)}" occurs twice`, ...second }, keyNode),
        );
        continue;
      }
      seen.add(key);
      pairs.push([key, keyNode, fillHole(pair.value)]);
    }
    return pairs;
  }

  /** Decodes pass-through content, of which everything is kept. */
  function decodeValue(node: Node, depth = 0): Value {
    inspect(node);
    if (isScalar(node)) return typeof node.value === 'number' ? decodeNumber(node) : toScalarValue(node.value);
    if (depth >= maximumPassThroughDepth) {
      const message = `content is nested more than ${maximumPassThroughDepth} levels deep`;
      report({ kind: 'syntax', message }, node);
      return null;
    }
    // Most of a document passes through here, so this avoids the closures of `within`.
    const inside = (segment: string | number, inner: Node): Value => {
      path.push(segment);
      const value = decodeValue(inner, depth + 1);
      path.pop();
      return value;
    };
    if (isSeq(node)) return node.items.map((item, index) => inside(index, fillHole(item)));
    if (!isMap(node)) return null;
    return createMap(listPairs(node).map(([key, , inner]) => [key, inside(key, inner)]));
  }

  function decodeNumber(node: Scalar): Value {
    const number = readYamlNumber(node);
    if (number !== undefined) return number;
    report(
      {
        kind: 'type_mismatch',
        rule: 'O-012',
        message: `${node.source} is not a number that JSON can write`,
        hint: 'write a number with digits, such as 1e400, or a string in quotes',
      },
      node,
    );
    return 0;
  }

  function decodeObject(type: TypeName, node: Node, rule?: string): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    if (!isMap(node)) {
      mismatch('a mapping', node, rule);
      decodeValue(node);
      return result;
    }
    inspect(node);
    const row = types[type];
    const rows = rowsByKey.get(type);
    const given = new Set<string>();
    const extensions: Record<string, Value> = {};
    const others: Record<string, Value> = {};
    for (const [key, keyNode, value] of listPairs(node)) {
      const known = rows?.get(key);
      within(key, () => {
        if (known !== undefined) {
          const [name, field] = known;
          if (!isPresent(field.type, value)) return inspect(value);
          given.add(name);
          const decoded = decodeAs(field.type, value, field.typeRule);
          if (decoded !== undefined) result[name] = decoded;
        } else if (key.startsWith('x-') && row.extensible) {
          setOwn(extensions, key, decodeValue(value));
          result.extensions = extensions;
        } else if (row.otherKeys !== undefined) {
          setOwn(others, key, decodeValue(value));
          result[row.otherKeys] = others;
        } else {
          unknownField(key, keyNode, rows?.keys() ?? [], row.extensible === true);
          decodeValue(value);
        }
      });
    }
    for (const [key, [name, field]] of requiredRows.get(type) ?? []) if (!given.has(name)) missing(key, field, node);
    return result;
  }

  function decodeAs(type: FieldType, node: Node, rule?: string): unknown {
    switch (type.kind) {
      case 'value':
      case 'state':
        return decodeValue(node);
      case 'string': {
        const value = decodeValue(node);
        if (typeof value === 'string') return value;
        mismatch('a string', node, rule);
        return isScalar(node) ? String(node.source ?? value) : '';
      }
      case 'integer':
      case 'number': {
        const value = toPlainNumber(decodeValue(node));
        if (typeof value === 'number' && (type.kind === 'number' || Number.isInteger(value))) return value;
        if (type.kind === 'number' && value instanceof WrittenNumber) return value;
        mismatch(type.kind === 'integer' ? 'an integer' : 'a number', node, rule);
        return undefined;
      }
      case 'boolean': {
        const value = decodeValue(node);
        if (typeof value === 'boolean') return value;
        mismatch('true or false', node, rule);
        return undefined;
      }
      case 'enumeration':
        return decodeMember(type.of, node);
      case 'shorthand':
        return isMap(node) ? decodeObject(type.object, node) : decodeMember(type.scalar, node);
      case 'object':
        return decodeObject(type.of, node, rule);
      case 'list':
        return decodeList(type.of, node);
      case 'map':
        return decodeMap(type.of, node);
      case 'condition':
        return isMap(node) && node.items.some(isOperatorPair) ? decodeCondition(node) : decodeValue(node);
      default:
        return failUnreachable(type);
    }
  }

  function decodeCondition(node: YAMLMap): Record<string, unknown> {
    const before = problems.length;
    const condition = decodeObject('MatchCondition', node);
    if (Object.keys(condition).length === 0 && problems.length === before)
      report({ kind: 'type_mismatch', message: 'none of the operators has a value' }, node);
    return condition;
  }

  function decodeMember(name: EnumerationName, node: Node): string | undefined {
    const value = decodeValue(node);
    const members: readonly string[] = enumerations[name];
    if (typeof value !== 'string') mismatch(`one of ${members.join(', ')}`, node, 'V-005');
    else if (members.includes(value)) return value;
    else {
      const meant = findNearest(value, members);
      report(
        {
          kind: 'unknown_variant',
          rule: 'V-005',
          message: `"${value.slice(0, 60)}" is not one of ${members.join(', ')}`,
          ...(meant !== undefined && { hint: `did you mean ${meant}?` }),
        },
        node,
      );
    }
    return undefined;
  }

  function decodeList(of: FieldType, node: Node): unknown[] {
    if (!isSeq(node)) {
      mismatch('a list', node);
      decodeValue(node);
      return [];
    }
    inspect(node);
    return node.items
      .map((item, index) => within(index, () => decodeAs(of, fillHole(item))))
      .filter((item) => item !== undefined);
  }

  function decodeMap(of: FieldType, node: Node): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    if (!isMap(node)) {
      mismatch('a mapping', node);
      decodeValue(node);
      return result;
    }
    inspect(node);
    for (const [key, , value] of listPairs(node))
      setOwn(
        result,
        key,
        within(key, () => decodeAs(of, value)),
      );
    return result;
  }

  function missing(key: string, field: TableField, node: Node): void {
    const from = node.range?.[0] ?? 0;
    const rule = field.absenceRule === undefined ? {} : { rule: field.absenceRule };
    problems.push({
      kind: 'type_mismatch',
      message: `required field \`${key}\` is missing`,
      path: [...path, key],
      from,
      to: from,
      ...rule,
    });
  }

  function unknownField(key: string, node: Node, known: Iterable<string>, extensible: boolean): void {
    const meant = findNearest(key, known);
    const hint =
      meant !== undefined
        ? `did you mean \`${meant}\`?`
        : extensible
          ? 'fields of your own begin with `x-`'
          : undefined;
    report(
      {
        kind: 'type_mismatch',
        message: `unknown field \`${key.slice(0, 60)}\``,
        ...(hint !== undefined && { hint }),
      },
      node,
    );
  }

  const root = yaml.contents;
  if (root === null) return { draft: {}, problems };
  const draft = decodeObject('Document', root) as Draft<Document>;
  return { draft, problems };
}

/** Broken YAML leaves holes in the tree, which this fills with null. */
function fillHole(node: unknown): Node {
  return (node ?? new Scalar(null)) as Node;
}

/** Whether a node counts as present. Null means absent, except in fields in which null is a value. */
function isPresent(type: FieldType, node: Node): boolean {
  return type.kind === 'value' || type.kind === 'condition' || !isScalar(node) || node.value !== null;
}

export function isOperatorPair(pair: Pair<unknown, unknown>): boolean {
  return isScalar(pair.key) && (matchOperators as readonly unknown[]).includes(pair.key.value);
}

/** In fields of the format that take a number, `50.0` is 50. */
function toPlainNumber(value: Value): Value {
  return value instanceof WrittenNumber && compareNumbers(value, Number(value)) === 0 ? Number(value) : value;
}

/** Scalars of the core schema are already JSON values. Only an unknown tag leaves anything else. */
function toScalarValue(value: unknown): Value {
  return value === null || typeof value === 'boolean' || typeof value === 'string' ? value : String(value);
}

function describeType(node: Node): string {
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  if (isAlias(node)) return 'an alias';
  if (!isScalar(node) || node.value === null) return 'nothing';
  return typeof node.value === 'boolean' ? String(node.value) : `a ${typeof node.value}`;
}
