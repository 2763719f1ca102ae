import { builtInAgentNames } from '../../built-in/built-in-agents.ts';
import { writeYaml } from '../../document/write-yaml.ts';
import type { CaseResult } from './run-cases.ts';
import type { ExpectedKey, TestCase, TestFile } from './test-file.ts';

/** A test file of a document that has none: what the built-in agents make of it. */
export const beginning = `# What is expected of the document of the same name; oatf test holds it against these.
tests:
${builtInAgentNames.map((agent) => `  - agent: ${agent}\n    expect:\n      outcome: error\n      task: unknown\n      twin: inconclusive\n`).join('')}`;

/** What a case that expects nothing yet is given. */
const usual: readonly ExpectedKey[] = ['verdict', 'outcome', 'tier', 'task', 'indicators'];

/** The same file with what was found in the place of what was expected, comments kept. */
export function updated({ yaml, cases }: TestFile, results: ReadonlyMap<TestCase, CaseResult>): string {
  for (const test of cases) {
    const result = results.get(test);
    if (result?.ok !== true) continue;
    const written = Object.keys(test.expect) as ExpectedKey[];
    for (const key of written.length === 0 ? usual : written) {
      const found = result.found[key];
      const path = ['tests', test.index, 'expect', key];
      if (found === undefined) yaml.deleteIn(path);
      else yaml.setIn(path, yaml.createNode(found));
    }
  }
  return writeYaml(yaml);
}
