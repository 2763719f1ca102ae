import type { WrittenMark } from '../model/document-mark.ts';
import type { Path } from '../model/path.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { types } from '../registry/fields.ts';
import { findNearest } from '../registry/suggestions.ts';
import { createFinding, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';

export interface MarkShape {
  /** The well-formed marks, each with its index in the list. */
  readonly written: readonly (readonly [index: number, mark: WrittenMark])[];
  readonly findings: readonly RuleFinding[];
}

/** Checks marks against the field table. Decoding keeps extensions as they are, so nothing has checked them before. */
export function checkShape(payload: Value, path: Path): MarkShape {
  if (!Array.isArray(payload)) return { written: [], findings: [createFinding(path, 'expected a list of marks')] };
  const items = payload as readonly Value[];
  const findings: RuleFinding[] = [];
  const written: (readonly [number, WrittenMark])[] = [];
  for (const [index, item] of items.entries()) {
    const wrong = [...findMarkFlaws(item, [...path, index])];
    findings.push(...wrong);
    if (wrong.length === 0) written.push([index, item as unknown as WrittenMark]);
  }
  // Without a needed mark, an agent could "resist" an attack that never reached it.
  if (findings.length === 0 && written.every(([, { needed }]) => needed === false))
    findings.push(
      items.length === 0
        ? createFinding(path, 'there is no mark in the list', 'mark what is the attack, or leave the key out')
        : createFinding(path, 'none of the marks is needed', 'leave `needed: false` out where the attack begins'),
    );
  return { written, findings };
}

const { fields } = types.Mark;
const names = Object.keys(fields);

function* findMarkFlaws(item: Value, path: Path): Generator<RuleFinding> {
  if (!isValueMap(item)) {
    yield createFinding(path, 'expected a mapping', 'write a mark such as {at: /state/tools/0/description}');
    return;
  }
  for (const key of Object.keys(item)) if (!names.includes(key)) yield reportUnknownMarkKey(key, path);
  for (const name of names) {
    const flaw = findKeyFlaw(item, name);
    if (flaw !== undefined) yield createFinding(Object.hasOwn(item, name) ? [...path, name] : path, ...flaw);
  }
}

function findKeyFlaw(item: ValueMap, name: string): [message: string, hint?: string] | undefined {
  const field = fields[name];
  const value = getOwnValue(item, name);
  if (value === undefined) return field?.required ? [`required field \`${name}\` is missing`] : undefined;
  if (field?.type.kind === 'string' && typeof value !== 'string')
    return [`expected a string, found ${quoteValue(value)}`, 'put it in quotes'];
  if (field?.type.kind === 'boolean' && typeof value !== 'boolean')
    return [`expected true or false, found ${quoteValue(value)}`];
  return undefined;
}

function reportUnknownMarkKey(key: string, path: Path): RuleFinding {
  const meant = findNearest(key, names);
  const hint = meant === undefined ? `a mark has ${names.join(', ')}` : `did you mean \`${meant}\`?`;
  return createFinding([...path, key], `unknown field ${quoteValue(key)}`, hint);
}
