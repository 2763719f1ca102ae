import { maximumDepth } from '../expression/evaluation-limits.ts';
import { isValueMap, type Value } from '../model/value.ts';

/** Paths cannot address keys that contain any other character, such as a dot or a bracket. */
const wellFormed = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** The value at a simple dot-path; undefined if there is none. A resolved null is a value (SDK spec §5.1.1). */
export function resolveSimplePath(path: string, value: Value): Value | undefined {
  if (path === '') return value;
  if (!wellFormed.test(path)) return undefined;
  const segments = path.split('.', maximumDepth + 1);
  if (segments.length > maximumDepth) return undefined;
  let current: Value = value;
  for (const segment of segments) {
    if (!isValueMap(current) || !Object.hasOwn(current, segment)) return undefined;
    current = current[segment] as Value;
  }
  return current;
}
