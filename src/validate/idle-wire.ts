import type { Path } from '../model/path.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { wireMs } from '../primitives/written-wire.ts';
import { at, type Finding } from './rule.ts';

// Finds parts of an `x-wire` rule that are valid but can have no effect, as far as that is known before a run.

export function idleIn(rule: ValueMap, path: Path): readonly Finding[] {
  return [
    ...idleDelay(rule.delay, [...path, 'delay']),
    ...idlePages(rule, path),
    ...idleBytes(rule.bytes, [...path, 'bytes']),
    ...emptyWithin(rule, path),
  ];
}

function idleDelay(delay: Value | undefined, path: Path): readonly Finding[] {
  const [from, to] = isValueMap(delay) ? [wireMs(delay.from), wireMs(delay.to)] : [wireMs(delay), undefined];
  if (from === undefined) return [];
  if (to !== undefined && to < from) return [at(path, '`from` is greater than `to`')];
  return (to ?? from) === 0 ? [at(path, 'a delay of zero has no effect')] : [];
}

function idlePages({ on, pages }: ValueMap, path: Path): readonly Finding[] {
  if (pages === undefined || typeof on !== 'string') return [];
  if (pages === 1) return [at([...path, 'pages'], 'every list has one page already')];
  return on === '*' || on.endsWith('/list') ? [] : [at([...path, 'pages'], `${on} is not a list with pages`)];
}

function idleBytes(bytes: Value | undefined, path: Path): readonly Finding[] {
  if (!isValueMap(bytes)) return [];
  const { cut, corrupt } = bytes;
  return [
    ...(cut === '100%' ? [at([...path, 'cut'], 'a cut at the end has no effect')] : []),
    ...(isValueMap(corrupt) && corrupt.with === ''
      ? [at([...path, 'corrupt', 'with'], 'an empty text has no effect')]
      : []),
  ];
}

/** Places within deeds where an empty list or mapping has no effect. */
const within = [
  ['http', 'headers'],
  ['grpc', 'trailers'],
  ['bytes', 'repeat_key'],
  ['sse', 'events'],
] as const;

function emptyWithin(rule: ValueMap, path: Path): readonly Finding[] {
  return within.flatMap(([deed, key]) => {
    const outer = rule[deed];
    const value = isValueMap(outer) ? outer[key] : undefined;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? [at([...path, deed, key], `an empty \`${key}\` has no effect`)] : [];
  });
}
