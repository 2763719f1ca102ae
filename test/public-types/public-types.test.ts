import { describe, expect, test } from 'vitest';
import { publicNames } from './public-names-of.ts';

// A caller of a public function must be able to import its parameter and return types, and to read what it is for.

const entries = {
  oatf: 'src/index.ts',
  'oatf/runtime': 'src/runtime.ts',
  'oatf/testing': 'src/testing/testing.ts',
  'oatf/config': 'src/config/config.ts',
};
const withMistakes = 'test/public-types/some-entry.ts';
const names = publicNames([...Object.values(entries), withMistakes]);

function notImportable(entry: string): readonly string[] {
  return (names.get(entry) ?? []).flatMap(({ name, unreachable }) =>
    unreachable.map((type) => `${name} → ${type}`),
  );
}

function withoutComment(entry: string): readonly string[] {
  return (names.get(entry) ?? []).filter(({ hasComment }) => !hasComment).map(({ name }) => name);
}

describe.each(Object.entries(entries))('%s', (_, path) => {
  test('every type that a public signature names can be imported from the same entry', () => {
    expect(notImportable(path)).toEqual([]);
  });

  test('every public name has its doc comment', () => {
    expect(withoutComment(path)).toEqual([]);
  });
});

test('mistakes are seen', () => {
  expect(notImportable(withMistakes)).toEqual([
    'nameless → Parameter',
    'nameless → Returned',
    'Shown → Base',
    'settings → Inferred',
  ]);
  expect(withoutComment(withMistakes)).toEqual(['wordless']);
});
