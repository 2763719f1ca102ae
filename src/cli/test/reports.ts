import { visible } from '../../report/visible.ts';
import { count } from '../../report/words.ts';
import { workflowCommand } from '../../report/workflow-command.ts';
import { xmlAttributes, xmlText } from '../../report/xml.ts';
import type { Colours } from '../io.ts';
import type { Exit } from '../outcome.ts';
import type { Found, Mismatch } from './found.ts';

export interface ReportedCase {
  readonly name: string;
  readonly mismatches: readonly Mismatch[];
  /** The expectations that an update has changed. */
  readonly updated?: readonly Mismatch[];
  readonly found?: Found;
  /** The reason why the case could not be judged. */
  readonly problem?: string;
  /** The exit code of the command for that reason. */
  readonly exit?: Exit;
}

export interface ReportedFile {
  readonly file: string;
  readonly cases: readonly ReportedCase[];
}

export const testReporters = ['text', 'json', 'junit', 'github'] as const;
export type TestReporter = (typeof testReporters)[number];

export function reportTests(
  files: readonly ReportedFile[],
  reporter: TestReporter,
  colours: Colours,
): string {
  return reports[reporter](files, colours);
}

export function isPassed({ mismatches, problem }: ReportedCase): boolean {
  return mismatches.length === 0 && problem === undefined;
}

const reports: {
  readonly [R in TestReporter]: (files: readonly ReportedFile[], colours: Colours) => string;
} = {
  text(files, colours) {
    const lines = files.flatMap(({ file, cases }) => [
      visible(file),
      ...cases.flatMap((test) => [
        `  ${isPassed(test) ? colours.green('✓') : colours.red('✗')} ${visible(test.name)}`,
        ...wordsFor(test).map((words) => `      ${words}`),
      ]),
    ]);
    const all = files.flatMap(({ cases }) => cases);
    const failed = all.filter((test) => !isPassed(test)).length;
    const changed = all.filter(({ updated }) => updated !== undefined).length;
    const passed = changed === 0 ? 'all passed' : `all passed with ${changed} updated`;
    return `${[...lines, '', `${count(all.length, 'test', 'tests')}, ${failed === 0 ? passed : `${failed} failed`}`].join('\n')}\n`;
  },
  json: (files) =>
    `${JSON.stringify({ version: 1, files: files.map(({ file, cases }) => ({ file, tests: cases.map(({ exit: _, ...test }) => ({ ...test, passed: isPassed(test) })) })) }, null, 2)}\n`,
  junit(files) {
    const suites = files.map(({ file, cases }) => {
      const failures = cases.filter((test) => !isPassed(test)).length;
      const inner = cases.map((test) => {
        const words = wordsFor(test).join('\n');
        const body = isPassed(test)
          ? '/>'
          : `><failure${xmlAttributes({ message: words.split('\n')[0] })}>${xmlText(words)}</failure></testcase>`;
        return `    <testcase${xmlAttributes({ classname: file, name: test.name })}${body}`;
      });
      return `  <testsuite${xmlAttributes({ name: file, tests: cases.length, failures })}>\n${inner.join('\n')}\n  </testsuite>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
  },
  github: (files) =>
    files
      .flatMap(({ file, cases }) =>
        cases
          .filter((test) => !isPassed(test))
          .map((test) =>
            workflowCommand('error', { file, title: `oatf test: ${test.name}` }, wordsFor(test).join('\n')),
          ),
      )
      .join(''),
};

function wordsFor({ mismatches, problem, found, updated = [] }: ReportedCase): readonly string[] {
  const why =
    [...mismatches, ...updated].some(({ what }) => what === 'outcome') && found?.reason !== undefined
      ? [visible(found.reason)]
      : [];
  return [
    ...(problem === undefined ? [] : [visible(problem)]),
    ...mismatches.map(({ what, expected, found: seen }) =>
      visible(`${what}: expected ${expected}, found ${seen}`),
    ),
    ...updated.map(({ what, expected, found: seen }) =>
      visible(`${what}: was ${expected}, updated to ${seen}`),
    ),
    ...why,
  ];
}
