import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import { patterns } from '../../format/registry/fields.ts';

const simplePath = new RegExp(patterns.simplePath);

/** The conditions for arguments, by dot-path as `when` uses them. Keys that a path cannot name are left out. */
export function createArgumentConditions(args: Value | undefined): ValueMap {
  const found: [string, Value][] = [];
  const visit = (value: Value, path: string): void => {
    if (!simplePath.test(path)) return;
    // A value that looks like an operator is split, so that it is not read as one.
    if (isValueMap(value) && (path === 'arguments' || isMatchCondition(value)))
      for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`);
    else found.push([path, value]);
  };
  if (isValueMap(args)) visit(args, 'arguments');
  return Object.fromEntries(found);
}
