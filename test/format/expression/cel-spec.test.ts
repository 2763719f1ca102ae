import { type CelInput, celEnv, celUint, isCelError, isCelList, isCelMap, isCelUint, parse, plan } from '@bufbuild/cel';
import type { Value as SpecValue } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { getConformanceSuite, type IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { expect, test } from 'vitest';
import { createBoundedFunctions, createMeter } from '../../../src/format/expression/cel-functions.ts';

// The functions that replace those of the CEL library, checked with CEL's own conformance tests.

const registry = getTestRegistry();
const meter = createMeter(Number.POSITIVE_INFINITY);
const replacing = createBoundedFunctions(meter);
const replaced = new Set(replacing.map(({ name }) => name));

interface SpecCase {
  readonly id: string;
  readonly expression: string;
  readonly container: string;
  readonly variables: Record<string, CelInput>;
  /** The result in the form of `shown`; `error` for a failure. */
  readonly expected: string;
}

function casesIn({ name, suites, tests }: IncrementalTestSuite, parents: readonly string[]): SpecCase[] {
  const path = [...parents, name];
  const own = tests.flatMap(({ original }): SpecCase[] => {
    const { resultMatcher, bindings, checkOnly, disableMacros, expr, container } = original;
    if (checkOnly || disableMacros || calledIn(expr).length === 0) return [];
    const expected = expectedOf(resultMatcher);
    const variables = Object.entries(bindings).map(([variable, { kind }]) => [
      variable,
      kind.case === 'value' ? inputOf(kind.value) : undefined,
    ]);
    if (expected === undefined || variables.some(([, value]) => value === undefined)) return [];
    const id = [...path, original.name].join('/');
    return [{ id, expression: expr, container, variables: Object.fromEntries(variables), expected }];
  });
  return [...own, ...suites.flatMap((suite) => casesIn(suite, path))];
}

/** The replaced functions that an expression calls, according to the parser. */
function calledIn(expression: string): string[] {
  const names = new Set<string>();
  try {
    JSON.stringify(parse(expression), (key, value) => {
      if (key === 'function') names.add(value);
      return typeof value === 'bigint' ? String(value) : value;
    });
  } catch {
    return [];
  }
  return [...replaced].filter((name) => names.has(name));
}

type Matcher = IncrementalTestSuite['tests'][number]['original']['resultMatcher'];

/** Undefined for a result that cannot be shown here: messages, types, and results that only a type checker knows. */
function expectedOf(matcher: Matcher): string | undefined {
  switch (matcher.case) {
    case undefined:
      return shown(true);
    case 'value': {
      const value = inputOf(matcher.value);
      return value === undefined ? undefined : shown(value);
    }
    case 'evalError':
      return 'error';
    default:
      return undefined;
  }
}

function inputOf({ kind }: SpecValue): CelInput | undefined {
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'int64Value':
    case 'boolValue':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
    case 'uint64Value':
      return celUint(kind.value);
    case 'listValue': {
      const items = kind.value.values.map(inputOf);
      return items.includes(undefined) ? undefined : (items as CelInput[]);
    }
    case 'mapValue': {
      const entries = kind.value.entries.map(({ key, value }) => [key && inputOf(key), value && inputOf(value)]);
      return entries.flat().includes(undefined) ? undefined : new Map(entries as [string, CelInput][]);
    }
    default:
      return undefined;
  }
}

/** A value as text that tells 1, 1u and 1.0 apart. */
function shown(value: unknown): string {
  if (isCelError(value)) return 'error';
  if (isCelUint(value)) return `${value.value}u`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value) || isCelList(value)) return `[${[...value].map(shown).join(', ')}]`;
  if (value instanceof Map || isCelMap(value))
    return `{${[...value]
      .map(([key, item]) => `${shown(key)}: ${shown(item)}`)
      .sort()
      .join(', ')}}`;
  return String(value);
}

function resultOf({ expression, container, variables }: SpecCase): string {
  meter.restart();
  try {
    const env = celEnv({ funcs: replacing, registry, namespace: container });
    return shown(plan(env, parse(expression))(variables));
  } catch {
    return 'error';
  }
}

/** Functions outside the standard library, which no document can use. */
const extensions = /^(\w+_ext|macros2|optionals)$/;

const { suites } = getConformanceSuite();
for (const suite of suites.filter(({ name }) => !extensions.test(name))) {
  const cases = casesIn(suite, []);
  if (cases.length > 0)
    test.each(cases.map((found) => [found.id, found.expression, found] as const))(
      'the replaced CEL functions meet the conformance test %s: %s',
      (_, __, found) => {
        expect(resultOf(found)).toBe(found.expected);
      },
    );
}

test('the conformance tests of CEL call every function that is replaced', () => {
  const called = suites.flatMap((suite) => casesIn(suite, [])).flatMap(({ expression }) => calledIn(expression));
  expect([...replaced].filter((name) => !called.includes(name))).toEqual([]);
});
