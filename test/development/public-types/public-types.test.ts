import { describe, expect, test } from 'vitest';
import { publicNames } from './public-names-of.ts';

// A caller of a public function must be able to import its parameter and return types, and to read what it is for.

const entries = {
  oatf: 'src/index.ts',
  'oatf/runtime': 'src/runtime.ts',
  'oatf/protocol': 'src/protocol.ts',
  'oatf/testing': 'src/testing/testing.ts',
  'oatf/config': 'src/suite/config/config.ts',
};
/** Whose types a caller of each entry imports from another one, as the docs say. */
const builtOn: { readonly [entry in keyof typeof entries]: readonly (keyof typeof entries)[] } = {
  oatf: [],
  'oatf/runtime': ['oatf', 'oatf/protocol', 'oatf/config'],
  'oatf/protocol': ['oatf'],
  'oatf/testing': ['oatf', 'oatf/runtime', 'oatf/config'],
  'oatf/config': [],
};
const withMistakes = 'test/development/public-types/some-entry.ts';
const names = publicNames({
  ...Object.fromEntries(
    (Object.keys(entries) as (keyof typeof entries)[]).map((name) => [
      entries[name],
      builtOn[name].map((other) => entries[other]),
    ]),
  ),
  [withMistakes]: [],
});

function notImportable(entry: string): readonly string[] {
  return (names.get(entry) ?? []).flatMap(({ name, unreachable }) => unreachable.map((type) => `${name} → ${type}`));
}

function withoutComment(entry: string): readonly string[] {
  return (names.get(entry) ?? []).filter(({ hasComment }) => !hasComment).map(({ name }) => name);
}

describe.each(Object.entries(entries))('the public names of %s', (_, path) => {
  test('name only types that can be imported, or that a member of such a type names', () => {
    expect(notImportable(path)).toEqual([]);
  });

  test('each have a doc comment', () => {
    expect(withoutComment(path)).toEqual([]);
  });
});

test('publicNames finds the types that cannot be imported and the names without comments', () => {
  expect(notImportable(withMistakes)).toEqual([
    'nameless → Parameter',
    'nameless → Returned',
    'Shown → Base',
    'settings → Inferred',
  ]);
  expect(withoutComment(withMistakes)).toEqual(['wordless']);
});
