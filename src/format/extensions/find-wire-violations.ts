import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import { wireKey } from '../model/extension-keys.ts';
import type { Path } from '../model/path.ts';
import { failUnreachable, getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isHttpHeader, type WireShape, wireActions, wireMatchers } from '../registry/wire-rule-keys.ts';
import { canDo, listBehaviours } from '../registry/wire-transports.ts';
import { listActorPlaces } from '../validate/document-parts.ts';
import { findMisspeltCondition, findOperatorPaths } from '../validate/find-misspelt-conditions.ts';
import { createFinding, createViolation, quoteValue, type RuleFinding, suggestKey } from '../validate/rule-finding.ts';
import { parseWireMs } from './read-wire.ts';

/** `O-241`: the rule is not valid. `O-242`: no transport of this actor can do it. `O-017`: its `when` has a misspelt operator. */
export interface WireFinding extends RuleFinding {
  readonly rule: 'O-241' | 'O-242' | 'O-017';
}

const rows = { ...wireMatchers, ...wireActions };
const names = Object.keys(rows);

/** Finds what is wrong with the `x-wire` of a document that is otherwise valid. The SDK’s `validate` leaves the key alone. */
export function* findWireViolations(document: Draft<Document>): Generator<WireFinding> {
  for (const { written, path, mode } of listWrittenRules(document)) {
    if (!Array.isArray(written)) {
      yield createViolation('O-241', path, 'expected a list of rules', 'such as [{ on: tools/call, delay: 5s }]');
      continue;
    }
    for (const [index, rule] of (written as readonly Value[]).entries())
      yield* findWireRuleFlaws(rule, [...path, index], mode);
  }
}

/** The names that rules give to the ids of requests (`as`). Templates use them as they use extractors. */
export function listWireNames(document: Draft<Document>): ReadonlySet<string> {
  const rules = listWrittenRules(document).flatMap(({ written }) => (Array.isArray(written) ? written : []));
  return new Set(rules.flatMap((rule) => (isValueMap(rule) && typeof rule.as === 'string' ? [rule.as] : [])));
}

interface WrittenRules {
  readonly written: Value;
  readonly path: Path;
  readonly mode: string | undefined;
}

function listWrittenRules(document: Draft<Document>): readonly WrittenRules[] {
  return listActorPlaces(document).flatMap(({ form, phases }) =>
    phases.flatMap(({ phase, path, mode }) => {
      const extensions = form === 'state' ? document.attack?.execution?.extensions : phase.extensions;
      const written = extensions?.[wireKey] as Value | undefined;
      return written === undefined ? [] : [{ written, path: [...path, wireKey], mode }];
    }),
  );
}

function createWireFinding(finding: RuleFinding): WireFinding {
  return { rule: 'O-241', ...finding };
}

function* findWireRuleFlaws(rule: Value, path: Path, mode: string | undefined): Generator<WireFinding> {
  if (!isValueMap(rule)) {
    yield createViolation('O-241', path, 'expected a mapping', 'a rule looks like { on: tools/call, delay: 5s }');
    return;
  }
  for (const [key, value] of Object.entries(rule)) {
    const row = getOwnValue(rows, key);
    if (row === undefined) yield createWireFinding(reportUnknownWireKey([...path, key], key, names));
    else {
      const found = [...findMisfits(value as Value, row.shape, [...path, key])];
      for (const finding of found) yield createWireFinding(finding);
      if (mode !== undefined && found.length === 0) yield* findImpossible(key, value as Value, path, mode);
    }
  }
  if (isValueMap(rule.when)) {
    const here = [...path, 'when'];
    const misspelt = Object.entries(rule.when).flatMap(([key, condition]) => [
      ...findMisspeltCondition(condition, [...here, key]),
    ]);
    for (const finding of [...misspelt, ...findOperatorPaths(rule.when, here)]) yield { rule: 'O-017', ...finding };
  }
  if (rule.on === undefined) yield createViolation('O-241', path, 'required field `on` is missing');
  if (rule.nth !== undefined && rule.times !== undefined)
    yield createViolation('O-241', [...path, 'times'], '`nth` and `times` exclude each other');
  if (!Object.keys(rule).some((key) => Object.hasOwn(wireActions, key)))
    yield createViolation(
      'O-241',
      path,
      'the rule does nothing',
      `add what is done: ${Object.keys(wireActions).slice(0, 6).join(', ')} …`,
    );
  yield* findExclusiveActions(rule, path).map(createWireFinding);
  yield* findIdleParts(rule, path).map(createWireFinding);
}

function* findImpossible(key: string, value: Value, path: Path, mode: string): Generator<WireFinding> {
  for (const { behaviour, at: place } of listBehaviours(key, value))
    if (!canDo(mode, behaviour))
      yield createViolation('O-242', [...path, ...place], `no actor of mode ${mode} can do this`);
}

/** Finds actions that exclude each other. */
function findExclusiveActions(rule: ValueMap, path: Path): readonly RuleFinding[] {
  const others = Object.keys(rule).filter((key) => Object.hasOwn(wireActions, key) && key !== 'drop');
  return rule.drop === true && others.length > 0
    ? [
        createFinding(
          [...path, 'drop'],
          `a dropped message is never sent, so it cannot have ${others.map(quoteValue).join(', ')}`,
        ),
      ]
    : [];
}

function reportUnknownWireKey(path: Path, key: string, known: readonly string[]): RuleFinding {
  const hint = suggestKey(key, known, `known fields: ${known.join(', ')}`);
  return createFinding(path, `unknown field ${quoteValue(key)}`, hint);
}

function* findMisfits(value: Value, shape: WireShape, path: Path): Generator<RuleFinding> {
  switch (shape.kind) {
    case 'any':
      return;
    case 'true':
      if (value !== true)
        yield createFinding(path, `expected true, found ${quoteValue(value)}`, 'leave it out for false');
      return;
    case 'text':
      if (typeof value !== 'string') yield createFinding(path, `expected a string, found ${quoteValue(value)}`);
      return;
    case 'duration':
      if (parseWireMs(value) === undefined)
        yield createFinding(path, `${quoteValue(value)} is not a duration`, 'write 250ms, 30s, 5m or PT30S');
      return;
    case 'point':
      if (!isWhole(value, 0, Number.MAX_SAFE_INTEGER) && !/^(?:100|\d{1,2})%$/.test(String(value)))
        yield createFinding(
          path,
          `${quoteValue(value)} is not a point in a message`,
          'write a number of bytes, such as 20, or a share, such as 50%',
        );
      return;
    case 'scalar':
      if (typeof value === 'object' && value !== null) yield createFinding(path, 'expected a single value');
      return;
    case 'map':
      if (!isValueMap(value)) yield createFinding(path, `expected a mapping, found ${quoteValue(value)}`);
      return;
    case 'headers':
      if (!isValueMap(value) || !Object.values(value).every((each) => each === null || typeof each === 'string'))
        yield createFinding(
          path,
          'expected a mapping of strings',
          'such as { Retry-After: "1" }; null leaves a header out',
        );
      else
        for (const [name, each] of Object.entries(value))
          if (!isHttpHeader(name, isTemplateText(each) ? '' : String(each)))
            yield createFinding([...path, name], 'HTTP cannot carry such a header, so it would be left out');
      return;
    case 'whole':
      if (!isWhole(value, shape.least, shape.most))
        yield createFinding(
          path,
          `expected a whole number from ${shape.least} to ${shape.most}, found ${quoteValue(value)}`,
        );
      return;
    case 'choice':
      if (!shape.of.includes(String(value)))
        yield createFinding(path, `expected one of ${shape.of.join(', ')}, found ${quoteValue(value)}`);
      return;
    case 'list':
      if (!Array.isArray(value)) yield createFinding(path, `expected a list, found ${quoteValue(value)}`);
      else
        for (const [index, item] of (value as readonly Value[]).entries())
          yield* findMisfits(item, shape.of, [...path, index]);
      return;
    case 'either': {
      const found = shape.of.map((each) => [...findMisfits(value, each, path)]);
      if (found.some(({ length }) => length === 0)) return;
      // The form that fits deepest is probably the one that was meant, so only its problems are reported.
      yield* found.reduce((best, each) => (measureFindingDepth(each) > measureFindingDepth(best) ? each : best));
      return;
    }
    case 'object':
      yield* findObjectMisfits(value, shape, path);
      return;
    default:
      failUnreachable(shape);
  }
}

function measureFindingDepth([finding]: readonly RuleFinding[]): number {
  return finding?.path.length ?? 0;
}

function* findObjectMisfits(
  value: Value,
  { fields, required = [] }: Extract<WireShape, { kind: 'object' }>,
  path: Path,
): Generator<RuleFinding> {
  if (!isValueMap(value)) {
    yield createFinding(path, `expected a mapping with ${Object.keys(fields).join(', ')}, found ${quoteValue(value)}`);
    return;
  }
  if (Object.keys(value).length === 0 && required.length === 0)
    yield createFinding(path, 'an empty mapping has no effect', `set one of ${Object.keys(fields).join(', ')}`);
  for (const [key, item] of Object.entries(value)) {
    const field = getOwnValue(fields, key);
    if (field === undefined) yield reportUnknownWireKey([...path, key], key, Object.keys(fields));
    else yield* findMisfits(item as Value, field, [...path, key]);
  }
  for (const key of required)
    if (value[key] === undefined) yield createFinding(path, `required field \`${key}\` is missing`);
}

/** Whether a value contains a template: its text is known only when it is sent. */
function isTemplateText(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function isWhole(value: Value, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

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
