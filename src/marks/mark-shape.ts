import type { WrittenMark } from '../model/marks.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, ownValue, type Value, type ValueMap } from '../model/value.ts';
import { types } from '../registry/fields.ts';
import { nearest } from '../registry/suggestions.ts';
import { at, type Finding, shown } from '../validate/rule.ts';

export interface Shape {
  /** The well-formed marks, each with its index in the list. */
  readonly written: readonly (readonly [index: number, mark: WrittenMark])[];
  readonly findings: readonly Finding[];
}

/** Checks marks against the field table. Decoding keeps extensions as they are, so nothing has checked them before. */
export function checkShape(payload: Value, path: Path): Shape {
  if (!Array.isArray(payload)) return { written: [], findings: [at(path, 'expected a list of marks')] };
  const items = payload as readonly Value[];
  const findings: Finding[] = [];
  const written: (readonly [number, WrittenMark])[] = [];
  for (const [index, item] of items.entries()) {
    const wrong = [...flawsOf(item, [...path, index])];
    findings.push(...wrong);
    if (wrong.length === 0) written.push([index, item as unknown as WrittenMark]);
  }
  // Without a needed mark, an agent could "resist" an attack that never reached it.
  if (findings.length === 0 && written.every(([, { needed }]) => needed === false))
    findings.push(
      items.length === 0
        ? at(path, 'there is no mark in the list', 'mark what is the attack, or leave the key out')
        : at(path, 'none of the marks is needed', 'leave `needed: false` out where the attack begins'),
    );
  return { written, findings };
}

const { fields } = types.Mark;
const names = Object.keys(fields);

function* flawsOf(item: Value, path: Path): Generator<Finding> {
  if (!isValueMap(item)) {
    yield at(path, 'expected a mapping', 'write a mark such as {at: /state/tools/0/description}');
    return;
  }
  for (const key of Object.keys(item)) if (!names.includes(key)) yield unknownKey(key, path);
  for (const name of names) {
    const flaw = flawOf(item, name);
    if (flaw !== undefined) yield at(Object.hasOwn(item, name) ? [...path, name] : path, ...flaw);
  }
}

function flawOf(item: ValueMap, name: string): [message: string, hint?: string] | undefined {
  const field = fields[name];
  const value = ownValue(item, name);
  if (value === undefined) return field?.required ? [`required field \`${name}\` is missing`] : undefined;
  if (field?.type.kind === 'string' && typeof value !== 'string')
    return [`expected a string, found ${shown(value)}`, 'put it in quotes'];
  if (field?.type.kind === 'boolean' && typeof value !== 'boolean')
    return [`expected true or false, found ${shown(value)}`];
  return undefined;
}

function unknownKey(key: string, path: Path): Finding {
  const meant = nearest(key, names);
  const hint = meant === undefined ? `a mark has ${names.join(', ')}` : `did you mean \`${meant}\`?`;
  return at([...path, key], `unknown field ${shown(key)}`, hint);
}
