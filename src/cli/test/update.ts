import { isDeepStrictEqual } from 'node:util';
import { isSeq } from 'yaml';
import { builtInAgentNames } from '../../built-in/built-in-agents.ts';
import { readYaml } from '../../document/read-yaml.ts';
import { writeYaml } from '../../document/write-yaml.ts';
import type { CaseResult } from './run-cases.ts';
import type { ExpectedKey, TestCase, TestFile } from './test-file.ts';

/** A test file of a document that has none: what the built-in agents make of it. */
export const beginning = `# What is expected of the document of the same name; oatf test holds it against these.
tests:
${builtInAgentNames.map((agent) => `  - agent: ${agent}\n    expect:\n      outcome: error\n      task: unknown\n      twin: inconclusive\n`).join('')}`;

/** What a case that expects nothing yet is given. */
const usual: readonly ExpectedKey[] = ['verdict', 'outcome', 'tier', 'task', 'indicators'];

/** And where a stored run says how it ended. */
const usualOfTraces: readonly ExpectedKey[] = [...usual, 'coverage'];

/** Ids of indicators and tiers are each document's own. */
const shared: readonly ExpectedKey[] = ['outcome', 'task'];

/**
 * The same file with what was found in the place of what was expected, comments kept. Where several documents came to
 * different things, what is expected of them stays.
 */
export function updated(
  { yaml, cases }: TestFile,
  documents: readonly ReadonlyMap<TestCase, CaseResult>[],
): string {
  for (const test of cases) {
    const results = documents.flatMap((results) => results.get(test) ?? []);
    const founds = results.flatMap((result) => (result.ok ? [result.found] : []));
    if (founds.length === 0 || founds.length < results.length) continue;
    const written = Object.keys(test.expect) as ExpectedKey[];
    const wanted =
      written.length > 0
        ? written
        : documents.length > 1
          ? shared
          : test.kind === 'trace'
            ? usualOfTraces
            : usual;
    for (const key of wanted) {
      const [found, ...others] = founds.map((each) => each[key]);
      if (others.some((other) => !isDeepStrictEqual(other, found))) continue;
      const path = ['tests', test.index, 'expect', key];
      if (found === undefined) yaml.deleteIn(path);
      else yaml.setIn(path, yaml.createNode(found));
    }
  }
  return writeYaml(yaml);
}

/** The text of a test file with a case for each of these traces that has none yet. */
export function withTraces(text: string, traces: readonly string[]): string {
  const { yaml } = readYaml(text);
  if (yaml === undefined || traces.length === 0) return text;
  const tests = yaml.getIn(['tests'], true);
  if (!isSeq(tests)) yaml.setIn(['tests'], yaml.createNode([]));
  const known: unknown = yaml.toJS().tests;
  const has = (trace: string): boolean => Array.isArray(known) && known.some((each) => each?.trace === trace);
  for (const trace of traces) if (!has(trace)) yaml.addIn(['tests'], yaml.createNode({ trace }));
  return writeYaml(yaml);
}
