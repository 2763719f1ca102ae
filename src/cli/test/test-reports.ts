import { resolve } from 'node:path';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { type Annotation, formatAnnotations } from '../../report/annotations.ts';
import { count } from '../../report/count-text.ts';
import { formatJunit, type JunitResult } from '../../report/junit-document.ts';
import type { Exit } from '../command-outcome.ts';
import type { Colours } from '../io.ts';
import { splitReporter } from '../run/results/reporter-flag.ts';
import { refuseFlag, type WrongUsage } from '../run/settings/wrong-usage.ts';
import type { FoundResult, Mismatch } from './found-results.ts';

export interface ReportedCase {
  readonly name: string;
  readonly mismatches: readonly Mismatch[];
  /** The expectations that an update has changed. */
  readonly updated?: readonly Mismatch[];
  readonly found?: FoundResult;
  /** The reason why the case could not be judged. */
  readonly problem?: string;
  /** The exit code of the command for that reason. */
  readonly exit?: Exit;
}

export interface ReportedFile {
  readonly file: string;
  readonly cases: readonly ReportedCase[];
}

const testReporters = ['text', 'json', 'junit', 'github'] as const;
type TestReporter = (typeof testReporters)[number];

export function reportTests(files: readonly ReportedFile[], reporter: TestReporter, colours: Colours): string {
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
      escapeInvisible(file),
      ...cases.flatMap((test) => [
        `  ${isPassed(test) ? colours.green('✓') : colours.red('✗')} ${escapeInvisible(test.name)}`,
        ...describeCase(test).map((words) => `      ${words}`),
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
  junit: (files) =>
    formatJunit(
      'oatf test',
      files.map(({ file, cases }) => ({
        name: file,
        cases: cases.map((test) => ({ name: test.name, classname: file, result: findFailure(test) })),
      })),
    ),
  github: (files) =>
    formatAnnotations(
      files.flatMap(({ file, cases }) =>
        cases
          .filter((test) => !isPassed(test))
          .map(
            (test): Annotation => ({
              level: 'error',
              file,
              title: `oatf test: ${test.name}`,
              message: describeCase(test).join('\n'),
            }),
          ),
      ),
    ),
};

function findFailure(test: ReportedCase): JunitResult | undefined {
  if (isPassed(test)) return undefined;
  const words = describeCase(test);
  return { element: 'failure', message: words[0] ?? '', text: words.join('\n') };
}

function describeCase({ mismatches, problem, found, updated = [] }: ReportedCase): readonly string[] {
  const why =
    [...mismatches, ...updated].some(({ what }) => what === 'outcome') && found?.reason !== undefined
      ? [escapeInvisible(found.reason)]
      : [];
  return [
    ...(problem === undefined ? [] : [escapeInvisible(problem)]),
    ...mismatches.map(({ what, expected, found: seen }) =>
      escapeInvisible(`${what}: expected ${expected}, found ${seen}`),
    ),
    ...updated.map(({ what, expected, found: seen }) =>
      escapeInvisible(`${what}: was ${expected}, updated to ${seen}`),
    ),
    ...why,
  ];
}

interface WantedTestReport {
  readonly name: TestReporter;
  /** The output file. Default: standard output. */
  readonly file?: string;
}

/**
 * Reads `--reporter`, in the form that `oatf run` takes. The text report goes to standard output unless another report
 * does.
 */
export function readTestReporters(typed: readonly string[], cwd: string): readonly WantedTestReport[] | WrongUsage {
  const wanted: WantedTestReport[] = [];
  for (const text of typed) {
    const split = splitReporter(text);
    if ('message' in split) return split;
    const { name, file } = split;
    if (!isTestReporter(name)) {
      const near = findNearest(name, testReporters);
      return refuseFlag(
        'reporter',
        text,
        'there is no such reporter',
        near === undefined ? `it can be ${testReporters.join(', ')}` : `did you mean ${near}?`,
      );
    }
    wanted.push({ name, ...(file !== undefined && { file: resolve(cwd, file) }) });
  }
  const [first, second] = wanted.filter(({ file }) => file === undefined);
  if (first === undefined) return [{ name: 'text' }, ...wanted];
  if (second !== undefined)
    return refuseFlag(
      'reporter',
      second.name,
      `standard output is taken by ${first.name}`,
      `give it a file, as in ${second.name}=FILE`,
    );
  return wanted;
}

function isTestReporter(name: string): name is TestReporter {
  return (testReporters as readonly string[]).includes(name);
}
