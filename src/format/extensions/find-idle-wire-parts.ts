import type { Path } from '../model/path.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { parseWireMs } from '../primitives/read-wire-rules.ts';
import { createFinding, type RuleFinding } from '../validate/rule-finding.ts';

// Finds parts of an `x-wire` rule that are valid but can have no effect, as far as that is known before a run.

export function findIdleParts(rule: ValueMap, path: Path): readonly RuleFinding[] {
  return [
    ...findIdleDelay(rule.delay, [...path, 'delay']),
    ...findIdlePages(rule, path),
    ...findIdleBytes(rule.bytes, [...path, 'bytes']),
    ...findEmptyParts(rule, path),
  ];
}

function findIdleDelay(delay: Value | undefined, path: Path): readonly RuleFinding[] {
  const [from, to] = isValueMap(delay)
    ? [parseWireMs(delay.from), parseWireMs(delay.to)]
    : [parseWireMs(delay), undefined];
  if (from === undefined) return [];
  if (to !== undefined && to < from) return [createFinding(path, '`from` is greater than `to`')];
  return (to ?? from) === 0 ? [createFinding(path, 'a delay of zero has no effect')] : [];
}

function findIdlePages({ on, pages }: ValueMap, path: Path): readonly RuleFinding[] {
  if (pages === undefined || typeof on !== 'string') return [];
  if (pages === 1) return [createFinding([...path, 'pages'], 'every list has one page already')];
  return on === '*' || on.endsWith('/list')
    ? []
    : [createFinding([...path, 'pages'], `${on} is not a list with pages`)];
}

function findIdleBytes(bytes: Value | undefined, path: Path): readonly RuleFinding[] {
  if (!isValueMap(bytes)) return [];
  const { cut, corrupt } = bytes;
  return [
    ...(cut === '100%' ? [createFinding([...path, 'cut'], 'a cut at the end has no effect')] : []),
    ...(isValueMap(corrupt) && corrupt.with === ''
      ? [createFinding([...path, 'corrupt', 'with'], 'an empty text has no effect')]
      : []),
  ];
}

/** Places within actions where an empty list or mapping has no effect. */
const within = [
  ['http', 'headers'],
  ['grpc', 'trailers'],
  ['bytes', 'repeat_key'],
  ['sse', 'events'],
] as const;

function findEmptyParts(rule: ValueMap, path: Path): readonly RuleFinding[] {
  return within.flatMap(([action, key]) => {
    const outer = rule[action];
    const value = isValueMap(outer) ? outer[key] : undefined;
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? [createFinding([...path, action, key], `an empty \`${key}\` has no effect`)] : [];
  });
}
