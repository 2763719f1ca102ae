import type { Document } from '../model/document.ts';
import type { Draft } from '../model/draft.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, ownValue, unreachable, type Value, type ValueMap } from '../model/value.ts';
import { wireKey } from '../model/wire.ts';
import { isHttpHeader } from '../primitives/http-header.ts';
import { wireMs } from '../primitives/written-wire.ts';
import { nearest } from '../registry/suggestions.ts';
import { type WireShape, wireDeeds, wireMatchers } from '../registry/wire.ts';
import { behavioursIn, canDo } from '../registry/wire-carriers.ts';
import { idleIn } from './idle-wire.ts';
import { actorsOf } from './places.ts';
import { at, type Finding, shown } from './rule.ts';

/** `O-241`: the rule is not valid. `O-242`: no transport of this actor can do it. */
export interface WireFinding extends Finding {
  readonly rule: 'O-241' | 'O-242';
}

const rows = { ...wireMatchers, ...wireDeeds };
const names = Object.keys(rows);

/** Finds what is wrong with the `x-wire` of a document that is otherwise valid. The SDK’s `validate` leaves the key alone. */
export function* findWireViolations(document: Draft<Document>): Generator<WireFinding> {
  for (const { written, path, mode } of writtenIn(document)) {
    if (!Array.isArray(written)) {
      yield wrong(at(path, 'expected a list of rules', 'such as [{ on: tools/call, delay: 5s }]'));
      continue;
    }
    for (const [index, rule] of (written as readonly Value[]).entries())
      yield* flawsOf(rule, [...path, index], mode);
  }
}

/** The names that rules give to the ids of requests (`as`). Templates use them as they use extractors. */
export function namesGivenByWire(document: Draft<Document>): ReadonlySet<string> {
  const rules = writtenIn(document).flatMap(({ written }) => (Array.isArray(written) ? written : []));
  return new Set(rules.flatMap((rule) => (isValueMap(rule) && typeof rule.as === 'string' ? [rule.as] : [])));
}

interface WrittenRules {
  readonly written: Value;
  readonly path: Path;
  readonly mode: string | undefined;
}

function writtenIn(document: Draft<Document>): readonly WrittenRules[] {
  return actorsOf(document).flatMap(({ form, phases }) =>
    phases.flatMap(({ phase, path, mode }) => {
      const extensions = form === 'state' ? document.attack?.execution?.extensions : phase.extensions;
      const written = extensions?.[wireKey] as Value | undefined;
      return written === undefined ? [] : [{ written, path: [...path, wireKey], mode }];
    }),
  );
}

function wrong(finding: Finding): WireFinding {
  return { rule: 'O-241', ...finding };
}

function* flawsOf(rule: Value, path: Path, mode: string | undefined): Generator<WireFinding> {
  if (!isValueMap(rule)) {
    yield wrong(at(path, 'expected a mapping', 'a rule looks like { on: tools/call, delay: 5s }'));
    return;
  }
  for (const [key, value] of Object.entries(rule)) {
    const row = ownValue(rows, key);
    if (row === undefined) yield wrong(unknown([...path, key], key, names));
    else {
      const found = [...misfits(value as Value, row.shape, [...path, key])];
      for (const finding of found) yield wrong(finding);
      if (mode !== undefined && found.length === 0) yield* impossibleIn(key, value as Value, path, mode);
    }
  }
  if (rule.on === undefined) yield wrong(at(path, 'required field `on` is missing'));
  if (rule.nth !== undefined && rule.times !== undefined)
    yield wrong(at([...path, 'times'], '`nth` and `times` exclude each other'));
  if (!Object.keys(rule).some((key) => Object.hasOwn(wireDeeds, key)))
    yield wrong(
      at(
        path,
        'the rule does nothing',
        `add what is done: ${Object.keys(wireDeeds).slice(0, 6).join(', ')} …`,
      ),
    );
  yield* apart(rule, path).map(wrong);
  yield* idleIn(rule, path).map(wrong);
}

function* impossibleIn(key: string, value: Value, path: Path, mode: string): Generator<WireFinding> {
  for (const { behaviour, at: place } of behavioursIn(key, value))
    if (!canDo(mode, behaviour))
      yield { rule: 'O-242', ...at([...path, ...place], `no actor of mode ${mode} can do this`) };
}

/** Finds deeds that exclude each other. */
function apart(rule: ValueMap, path: Path): readonly Finding[] {
  const others = Object.keys(rule).filter((key) => Object.hasOwn(wireDeeds, key) && key !== 'drop');
  return rule.drop === true && others.length > 0
    ? [
        at(
          [...path, 'drop'],
          `a dropped message is never sent, so it cannot have ${others.map(shown).join(', ')}`,
        ),
      ]
    : [];
}

function unknown(path: Path, key: string, known: readonly string[]): Finding {
  const near = nearest(key, known);
  return at(
    path,
    `unknown field ${shown(key)}`,
    near === undefined ? `known fields: ${known.join(', ')}` : `did you mean \`${near}\`?`,
  );
}

function* misfits(value: Value, shape: WireShape, path: Path): Generator<Finding> {
  switch (shape.kind) {
    case 'any':
      return;
    case 'true':
      if (value !== true) yield at(path, `expected true, found ${shown(value)}`, 'leave it out for false');
      return;
    case 'text':
      if (typeof value !== 'string') yield at(path, `expected a string, found ${shown(value)}`);
      return;
    case 'duration':
      if (wireMs(value) === undefined)
        yield at(path, `${shown(value)} is not a duration`, 'write 250ms, 30s, 5m or PT30S');
      return;
    case 'point':
      if (!isWhole(value, 0, Number.MAX_SAFE_INTEGER) && !/^(?:100|\d{1,2})%$/.test(String(value)))
        yield at(
          path,
          `${shown(value)} is not a point in a message`,
          'write a number of bytes, such as 20, or a share, such as 50%',
        );
      return;
    case 'scalar':
      if (typeof value === 'object' && value !== null) yield at(path, 'expected a single value');
      return;
    case 'map':
      if (!isValueMap(value)) yield at(path, `expected a mapping, found ${shown(value)}`);
      return;
    case 'headers':
      if (
        !isValueMap(value) ||
        !Object.values(value).every((each) => each === null || typeof each === 'string')
      )
        yield at(
          path,
          'expected a mapping of strings',
          'such as { Retry-After: "1" }; null leaves a header out',
        );
      else
        for (const [name, each] of Object.entries(value))
          if (!isHttpHeader(name, isFilledIn(each) ? '' : String(each)))
            yield at([...path, name], 'HTTP cannot carry such a header, so it would be left out');
      return;
    case 'whole':
      if (!isWhole(value, shape.least, shape.most))
        yield at(path, `expected a whole number from ${shape.least} to ${shape.most}, found ${shown(value)}`);
      return;
    case 'choice':
      if (!shape.of.includes(String(value)))
        yield at(path, `expected one of ${shape.of.join(', ')}, found ${shown(value)}`);
      return;
    case 'list':
      if (!Array.isArray(value)) yield at(path, `expected a list, found ${shown(value)}`);
      else
        for (const [index, item] of (value as readonly Value[]).entries())
          yield* misfits(item, shape.of, [...path, index]);
      return;
    case 'either': {
      const found = shape.of.map((each) => [...misfits(value, each, path)]);
      if (found.some(({ length }) => length === 0)) return;
      // The form that fits deepest is probably the one that was meant, so only its problems are reported.
      yield* found.reduce((best, each) => (depthOf(each) > depthOf(best) ? each : best));
      return;
    }
    case 'object':
      yield* objectMisfits(value, shape, path);
      return;
    default:
      unreachable(shape);
  }
}

function depthOf([finding]: readonly Finding[]): number {
  return finding?.path.length ?? 0;
}

function* objectMisfits(
  value: Value,
  { fields, required = [] }: Extract<WireShape, { kind: 'object' }>,
  path: Path,
): Generator<Finding> {
  if (!isValueMap(value)) {
    yield at(path, `expected a mapping with ${Object.keys(fields).join(', ')}, found ${shown(value)}`);
    return;
  }
  if (Object.keys(value).length === 0 && required.length === 0)
    yield at(path, 'an empty mapping has no effect', `set one of ${Object.keys(fields).join(', ')}`);
  for (const [key, item] of Object.entries(value)) {
    const field = ownValue(fields, key);
    if (field === undefined) yield unknown([...path, key], key, Object.keys(fields));
    else yield* misfits(item as Value, field, [...path, key]);
  }
  for (const key of required)
    if (value[key] === undefined) yield at(path, `required field \`${key}\` is missing`);
}

/** Whether a value contains a template: its text is known only when it is sent. */
function isFilledIn(value: Value | undefined): boolean {
  return typeof value === 'string' && value.includes('{{');
}

function isWhole(value: Value, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
