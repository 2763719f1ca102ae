import { isValueMap, type Value } from '../model/value.ts';
import { compareNumbers, isNumeric } from '../model/written-number.ts';

/**
 * Deep equality (format spec §5.4): numbers by mathematical value, objects without regard to key order, arrays by
 * position; null equals only null, and NaN equals nothing. It keeps its own stack, like `formatCompactJson`.
 */
export function isDeepEqual(left: Value, right: Value): boolean {
  if (typeof left !== 'object' || left === null) return isEqualScalar(left, right);
  const pairs: [Value, Value][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (const [index, item] of a.entries()) pairs.push([item, b[index]]);
    } else if (isValueMap(a)) {
      if (!isValueMap(b)) return false;
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push([a[key] as Value, b[key] as Value]);
      }
    } else if (!isEqualScalar(a, b)) return false;
  }
  return true;
}

function isEqualScalar(a: Value, b: Value): boolean {
  return a === b || (isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0);
}
