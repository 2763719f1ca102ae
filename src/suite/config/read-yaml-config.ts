import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { createPositions, type Positions, readYaml } from '../../format/document/read-yaml.ts';
import type { SourceRange } from '../../format/model/errors.ts';
import type { Path } from '../../format/model/path.ts';
import { setOwn, type Value } from '../../format/model/value.ts';
import { type ConfigProblem, quoteSetting } from './setting-shape.ts';

/** A problem with its range in the text, if there is a text. */
export interface LocatedProblem extends ConfigProblem {
  readonly range?: SourceRange;
}

export interface ReadConfigText {
  readonly value: unknown;
  readonly problems: readonly LocatedProblem[];
  locate(problem: ConfigProblem): LocatedProblem;
}

interface Place {
  readonly key: Node | undefined;
  readonly value: Node;
}

/** Reads a configuration in YAML. JSON is read in the same way, because it is valid YAML. */
export function readYamlConfig(text: string): ReadConfigText {
  const { yaml, problems: broken } = readYaml(text);
  const positions = createPositions(text);
  const places = new Map<string, Place>();
  const problems: LocatedProblem[] = [];
  const isEmpty = text.replace(/^[ \t]*#.*$/gm, '').trim() === '';
  if (!isEmpty)
    // The hints of the YAML reader are left out, because they speak of attack documents.
    for (const { message, path, from, to } of broken) problems.push({ path, message, range: positions(from, to) });

  function forbid(node: Node, what: string, path: Path): void {
    const hint = what.startsWith('tag') ? 'write the plain value' : 'write the value out where it is used';
    problems.push({ path, message: `${what} is not allowed`, hint, range: toSourceRange(node, positions) });
  }

  function inspect(node: Node, path: Path): void {
    if (isAlias(node)) forbid(node, `alias *${node.source.slice(0, 60)}`, path);
    else {
      if (node.anchor !== undefined) forbid(node, `anchor &${node.anchor.slice(0, 60)}`, path);
      if (node.tag?.startsWith('!') && node.tag !== '!') forbid(node, `tag ${node.tag.slice(0, 60)}`, path);
    }
  }

  function readNode(node: Node | null | undefined, path: Path, key?: Node): Value {
    if (node === null || node === undefined) return null;
    inspect(node, path);
    places.set(toPathKey(path), { key, value: node });
    if (isSeq(node)) return node.items.map((item, index) => readNode(item as Node, [...path, index]));
    if (isMap(node)) return readMapping(node.items, path);
    return isScalar(node) ? toPlainValue(node.value) : null;
  }

  function readMapping(pairs: readonly Pair<unknown, unknown>[], path: Path): Value {
    const value: Record<string, Value> = {};
    for (const pair of pairs) {
      const key = pair.key as Node | null;
      if (!isScalar(key)) {
        problems.push({ path, message: 'a key must be a text', range: toSourceRange(key, positions) });
        continue;
      }
      const name = typeof key.value === 'string' ? key.value : String(key.source ?? key.value);
      const at = [...path, name];
      inspect(key, at);
      if (Object.hasOwn(value, name))
        problems.push({
          path: at,
          message: `${quoteSetting(name)} occurs twice`,
          range: toSourceRange(key, positions),
        });
      else {
        places.set(toPathKey(at), { key, value: key });
        setOwn(value, name, readNode(pair.value as Node | null, at, key));
      }
    }
    return value;
  }

  const value = isEmpty ? {} : readNode(yaml?.contents, []);
  return {
    value,
    problems,
    locate: (problem) => ({ ...problem, range: toSourceRange(findProblemNode(problem, places), positions) }),
  };
}

/** Turns a path into a key for a map. */
function toPathKey(path: Path): string {
  return JSON.stringify(path);
}

/**
 * The node that a problem points at: a scalar, or the key of a whole block. For a missing value it is the nearest node
 * around it.
 */
function findProblemNode({ path, isKey }: ConfigProblem, places: ReadonlyMap<string, Place>): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const place = places.get(toPathKey(path.slice(0, length)));
    if (place === undefined) continue;
    const { key, value } = place;
    return key !== undefined && (isKey || !isScalar(value)) ? key : value;
  }
  return undefined;
}

function toSourceRange(node: Node | null | undefined, positions: Positions): SourceRange {
  const [from, to] = node?.range ?? [0, 0];
  return positions(from, isMap(node) || isSeq(node) ? from : to);
}

function toPlainValue(value: unknown): Value {
  return value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string'
    ? value
    : String(value);
}
