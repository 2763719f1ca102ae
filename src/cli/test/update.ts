import { isDeepStrictEqual } from 'node:util';
import { isSeq } from 'yaml';
import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { readYaml } from '../../format/document/read-yaml.ts';
import { writeYaml } from '../../format/document/write-yaml.ts';
import { findMismatches } from './found-results.ts';
import type { CaseResult } from './run-cases.ts';
import type { ExpectedKey, TestCase, TestFile } from './test-file.ts';

/** The test file for a document that has none: the results of the built-in agents. */
export const newTestFileText = `# The expectations for the document of the same name; oatf test checks them.
tests:
${builtInAgentNames.map((agent) => `  - agent: ${agent}\n    expect:\n      outcome: error\n      task: unknown\n      twin: inconclusive\n`).join('')}`;

/** The keys that are written into a case without expectations. */
const usual: readonly ExpectedKey[] = ['verdict', 'outcome', 'tier', 'task', 'indicators'];

/** The same for a stored run that says how it ended. */
const usualOfTraces: readonly ExpectedKey[] = [...usual, 'coverage'];

/** Expectations that several documents can share: indicator ids and tiers belong to one document. */
const shared: readonly ExpectedKey[] = ['outcome', 'task'];

/**
 * The same file with the found values in place of the expected ones, comments kept. If several documents gave different
 * results, the expectation stays.
 */
export function updateExpectations(
  { yaml, cases }: TestFile,
  documents: readonly ReadonlyMap<TestCase, CaseResult>[],
): string {
  for (const test of cases) {
    const results = documents.flatMap((results) => results.get(test) ?? []);
    const founds = results.flatMap((result) => (result.ok ? [result.found] : []));
    if (founds.length === 0 || founds.length < results.length) continue;
    const written = Object.keys(test.expect) as ExpectedKey[];
    const wanted =
      written.length > 0 ? written : documents.length > 1 ? shared : test.kind === 'trace' ? usualOfTraces : usual;
    for (const key of wanted) {
      // Expectations that still hold stay as written: `"*"` also covers indicators that are added later.
      if (key === 'indicators' && test.expect.indicators !== undefined) {
        const { indicators } = test.expect;
        if (founds.every((each) => findMismatches({ indicators }, each).length === 0)) continue;
      }
      const [found, ...others] = founds.map((each) => each[key]);
      if (others.some((other) => !isDeepStrictEqual(other, found))) continue;
      const path = ['tests', test.index, 'expect', key];
      if (found === undefined) yaml.deleteIn(path);
      else yaml.setIn(path, yaml.createNode(found));
    }
  }
  return writeYaml(yaml);
}

/** The text of a test file with a new case for each of these traces that has none. */
export function addTraceCases(text: string, traces: readonly string[]): string {
  const { yaml } = readYaml(text);
  if (yaml === undefined || traces.length === 0) return text;
  const tests = yaml.getIn(['tests'], true);
  if (!isSeq(tests)) yaml.setIn(['tests'], yaml.createNode([]));
  const known: unknown = yaml.toJS().tests;
  const has = (trace: string): boolean => Array.isArray(known) && known.some((each) => each?.trace === trace);
  for (const trace of traces) if (!has(trace)) yaml.addIn(['tests'], yaml.createNode({ trace }));
  return writeYaml(yaml);
}
