import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CheckOptions, Fixture } from '../support/conformance/fixture.ts';
import { casesIn, observe } from '../support/conformance/run-tree.ts';

// Tests the runner itself: every expectation of every fixture is changed, and the case must then fail.

const cases = casesIn(fileURLToPath(new URL('../conformance/', import.meta.url))).map((found) => ({
  ...found,
  judge: observe(found),
}));

/** Changes one expectation of a case; undefined if the case has none of that kind. */
type Flip = (fixture: Fixture) => Fixture | undefined;

interface Flips {
  /** Noticed in every tree. */
  readonly always: { readonly [what: string]: Flip };
  /** Noticed only if fixtures name everything that is reported. */
  readonly exact?: { readonly [what: string]: Flip };
}

const expecting =
  (change: (expected: Fixture) => Fixture | undefined): Flip =>
  (fixture) => {
    const expected = change(fixture.expected);
    return expected === undefined ? undefined : { ...fixture, expected };
  };
const without = (map: Fixture, key: string): Fixture =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
const leftOut = (key: string): Flip =>
  expecting((expected) => (expected[key] === undefined ? undefined : without(expected, key)));
const another = (value: unknown, ...others: unknown[]): unknown => others.find((other) => other !== value);

/** The first error or warning of a list, changed. */
const firstOf = (list: 'errors' | 'warnings', change: (first: Fixture) => Fixture): Flip =>
  expecting((expected) => {
    const [first, ...rest] = expected[list] ?? [];
    return first === undefined ? undefined : { ...expected, [list]: [change(first), ...rest] };
  });
const firstLeftOut = (list: 'errors' | 'warnings'): Flip =>
  expecting((expected) =>
    (expected[list]?.length ?? 0) === 0 ? undefined : { ...expected, [list]: expected[list].slice(1) },
  );
const oneMore = (list: 'errors' | 'warnings'): Flip =>
  expecting((expected) => ({
    ...expected,
    [list]: [...(expected[list] ?? []), { rule: 'V-999', path: 'attack' }],
  }));
const summaryOf = (change: (count: number) => number): Flip =>
  expecting((expected) => ({
    ...expected,
    evaluation_summary: {
      ...expected.evaluation_summary,
      matched: change(expected.evaluation_summary.matched),
    },
  }));

const unsaid: { readonly [what: string]: Flip } = {
  '`expected` left out': (fixture) => without(fixture, 'expected'),
  '`expected: {}`': expecting((expected) => (JSON.stringify(expected) === '{}' ? undefined : {})),
  '`expected: null`': expecting((expected) => (expected === null ? undefined : null)),
};
const reason =
  (change: (first: Fixture) => Fixture): Flip =>
  ({ text, meta }) => ({
    text,
    meta: { ...meta, errors: [change(meta.errors[0]), ...meta.errors.slice(1)] },
  });
const valid = 'oatf: "0.1"\nattack:\n  execution:\n    mode: mcp_server\n    state: {}\n';

const flips: { readonly [folder: string]: Flips } = {
  'parse/invalid': {
    always: {
      'no reason at all': ({ text }) => ({ text, meta: undefined }),
      'a reason that says nothing': ({ text }) => ({ text, meta: {} }),
      'another kind': reason((first) => ({ ...first, kind: another(first.kind, 'syntax', 'type_mismatch') })),
      'another path': reason((first) => ({ ...first, path: 'attack.elsewhere' })),
      'another line': reason((first) => ({ ...first, line: 99 })),
      'another rule': reason((first) => ({ ...first, rule: 'V-999' })),
      'an error left out': ({ text, meta }) => ({ text, meta: { ...meta, errors: meta.errors.slice(1) } }),
      'an error too many': ({ text, meta }) => ({
        text,
        meta: { ...meta, errors: [...meta.errors, { kind: 'syntax', line: 99 }] },
      }),
    },
    exact: { 'words alone': ({ text, meta }) => ({ text, meta: without(meta, 'errors') }) },
  },
  validate: {
    always: {
      ...unsaid,
      'a key that means nothing': expecting((expected) => ({ ...expected, error: [] })),
      'valid where there are errors': expecting(({ errors }) => (errors?.length > 0 ? { valid: true } : undefined)),
      'not valid where there are none': expecting((expected) =>
        expected.valid === true ? { valid: false } : undefined,
      ),
      'no errors where there are some': expecting(({ errors }) => (errors?.length > 0 ? { errors: [] } : undefined)),
      'another rule': firstOf('errors', (first) => ({ ...first, rule: 'V-999' })),
      'another path': firstOf('errors', (first) => ({ ...first, path: 'attack.elsewhere' })),
      'an error too many': oneMore('errors'),
      'another warning': firstOf('warnings', (first) => ({ ...first, rule: 'W-999' })),
      'a warning elsewhere': firstOf('warnings', (first) => ({ ...first, path: 'attack.elsewhere' })),
      'a warning too many': oneMore('warnings'),
    },
    exact: {
      'an error left out': firstLeftOut('errors'),
      'a path left out': firstOf('errors', (first) => without(first, 'path')),
      'a warning left out': firstLeftOut('warnings'),
      'the warnings left out': (fixture) =>
        fixture.expected.warnings?.length > 0 ? leftOut('warnings')(fixture) : undefined,
    },
  },
  normalize: {
    always: {
      ...unsaid,
      'another document': expecting((expected) => expected.replace(/^oatf: .*$/m, 'oatf: "9.9"')),
    },
  },
  roundtrip: {
    always: {
      ...unsaid,
      'identical: false': expecting(() => ({ identical: false })),
      'a key that means nothing': expecting((expected) => ({ ...expected, same: true })),
    },
  },
  evaluate: {
    always: {
      ...unsaid,
      'another result': expecting((expected) => another(expected, 'matched', 'not_matched')),
      'another kind of error': (fixture) => ({
        ...fixture,
        expected_error_kind: another(fixture.expected_error_kind, 'cel_error', 'type_error'),
      }),
    },
    exact: {
      'the kind of an error left out': (fixture) =>
        fixture.expected_error_kind === undefined ? undefined : without(fixture, 'expected_error_kind'),
    },
  },
  verdict: {
    always: {
      ...unsaid,
      'another result': expecting((expected) => ({
        ...expected,
        result: another(expected.result, 'exploited', 'partial'),
      })),
      'another tier': expecting((expected) => ({
        ...expected,
        max_tier: another(expected.max_tier, 'ingested', 'local_action'),
      })),
      'the tier left out': leftOut('max_tier'),
      'another summary': summaryOf((count) => count + 1),
      'the summary left out': leftOut('evaluation_summary'),
    },
  },
  primitives: {
    always: {
      ...unsaid,
      'something else': expecting(() => ({ something: 'else' })),
      'a value inside': expecting((expected) =>
        typeof expected === 'object' && expected !== null && !Array.isArray(expected)
          ? { ...expected, more: 1 }
          : undefined,
      ),
    },
  },
};

function unnoticed(some: typeof cases, flip: Flip, options: CheckOptions): string[] {
  const flipped = some.flatMap((found) => {
    const fixture = flip(found.fixture);
    return fixture === undefined ? [] : [{ ...found, fixture }];
  });
  if (flipped.length === 0) return ['no case has such an expectation'];
  return flipped.filter((found) => found.judge(found.fixture, options) === undefined).map(({ id }) => id);
}

for (const [folder, { always, exact = {} }] of Object.entries(flips)) {
  const some = cases.filter(({ file }) => file.startsWith(`${folder}/`));
  describe(`a changed expectation in a fixture of ${folder}`, () => {
    test.each(Object.entries(always))('is noticed: %s', (_, flip) => {
      expect(unnoticed(some, flip, {})).toEqual([]);
    });
    test.each(Object.entries({ ...always, ...exact }))('is noticed where fixtures name everything: %s', (_, flip) => {
      expect(unnoticed(some, flip, { exact: true })).toEqual([]);
    });
  });
}

describe('another text in a conformance fixture', () => {
  const flipped = (folder: string, text: string): string[] =>
    cases
      .filter(({ file }) => file.startsWith(folder))
      .filter(({ file, fixture }) => {
        const other = { ...fixture, text };
        return observe({ file, fixture: other })(other, { exact: true }) === undefined;
      })
      .map(({ id }) => id);
  const rows: [string, string, string][] = [
    ['parse/valid/', 'a text that does not parse', 'oatf: ['],
    ['parse/invalid/', 'a text that parses', valid],
    ['parse/invalid/', 'a text that fails for another reason', `${'\n'.repeat(20)}oatf: [`],
  ];
  test.each(rows)('is noticed in %s: %s', (folder, _, text) => {
    expect(flipped(folder, text)).toEqual([]);
  });
});

test('the conformance runner is tested on every kind of fixture', () => {
  const folders = [...Object.keys(flips), 'parse/valid'];
  const unflipped = cases.filter(({ file }) => !folders.some((folder) => file.startsWith(`${folder}/`)));
  expect(unflipped.map(({ id }) => id)).toEqual([]);
});

describe('an expected reason in words', () => {
  const judged = (fixture: Fixture) => observe({ file: 'parse/invalid/x.yaml', fixture })(fixture, {});
  const invalid = (text: string, words: string): string | undefined =>
    judged({ text, meta: { expected_error: words } });
  const wrongType = valid.replace('attack:\n', 'attack:\n  severity:\n    level: low\n    confidence: "x"\n');
  const unknown = `${valid}more: 1\n`;
  const texts = {
    'Empty document': '',
    'Input is not valid YAML': 'oatf: [',
    'severity.confidence must be an integer, got string': wrongType,
    'Unknown field (at the root)': unknown,
  };
  const rows = Object.entries(texts).flatMap(([words, right]) =>
    Object.values(texts).map((text) => [words, text, text === right] as const),
  );
  // An empty text is not a valid YAML document either.
  const both = rows.map(
    ([words, text, isRight]) => [words, text, isRight || (/not valid/.test(words) && text === '')] as const,
  );
  test.each(both)('"%s" accepts the text %j: %s', (words, text, isRight) => {
    expect(invalid(text, words) === undefined).toBe(isRight);
  });
  test('accepts a failure of any kind if its words are unknown', () => {
    expect([invalid('', 'Something else'), invalid(valid, 'Something else')]).toEqual([undefined, expect.any(String)]);
  });
});
