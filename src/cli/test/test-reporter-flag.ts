import { resolve } from 'node:path';
import { findNearest } from '../../format/registry/suggestions.ts';
import { splitReporter } from '../run/results/reporter-flag.ts';
import { refuseFlag, type WrongUsage } from '../run/settings/wrong-usage.ts';
import { type TestReporter, testReporters } from './test-reports.ts';

/** A report on tests that was asked for. */
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
