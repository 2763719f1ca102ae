import { escapeXmlText, formatXmlAttributes } from './xml.ts';

// JUnit XML, which reports of runs and of tests are written in.

/** A case, and what it came to; a case without a result has passed. */
export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string | undefined;
  /** Absent if nothing was timed. */
  readonly milliseconds?: number;
  readonly result?: JunitResult | undefined;
  readonly output?: readonly string[];
}

export interface JunitResult {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly type?: string;
  readonly text?: string;
}

export interface JunitSuite {
  readonly name: string;
  /** When it began, in the form of ISO 8601. */
  readonly started?: string;
  readonly properties?: { readonly [name: string]: string };
  readonly cases: readonly JunitCase[];
}

export function formatJunit(name: string, suites: readonly JunitSuite[]): string {
  const head = formatXmlAttributes({ name, ...countCases(suites.flatMap(({ cases }) => cases)) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.map(formatSuite).join('')}</testsuites>\n`;
}

function formatSuite({ name, started, properties, cases }: JunitSuite): string {
  // The format has no time zone.
  const head = formatXmlAttributes({ name, ...countCases(cases), timestamp: started?.slice(0, 19) });
  const list = Object.entries(properties ?? {}).map(
    ([property, value]) => `      <property${formatXmlAttributes({ name: property, value })}/>\n`,
  );
  const facts = properties === undefined ? '' : `    <properties>\n${list.join('')}    </properties>\n`;
  return `  <testsuite${head}>\n${facts}${cases.map(formatCase).join('')}  </testsuite>\n`;
}

function countCases(cases: readonly JunitCase[]): { readonly [name: string]: string | number | undefined } {
  const countResults = (element: JunitResult['element']): number =>
    cases.filter(({ result }) => result?.element === element).length;
  const times = cases.flatMap(({ milliseconds = [] }) => milliseconds);
  return {
    tests: cases.length,
    failures: countResults('failure'),
    errors: countResults('error'),
    skipped: countResults('skipped'),
    time: times.length < cases.length ? undefined : formatSeconds(times.reduce((sum, each) => sum + each, 0)),
  };
}

function formatCase({ name, classname, file, milliseconds, result, output = [] }: JunitCase): string {
  const time = milliseconds === undefined ? undefined : formatSeconds(milliseconds);
  const head = formatXmlAttributes({ name, classname, file, time });
  const rest = output.length === 0 ? '' : `      <system-out>${escapeXmlText(output.join('\n'))}</system-out>\n`;
  const body = (result === undefined ? '' : formatResult(result)) + rest;
  return `    <testcase${head}${body === '' ? '/>\n' : `>\n${body}    </testcase>\n`}`;
}

function formatResult({ element, message, type, text }: JunitResult): string {
  const head = `      <${element}${formatXmlAttributes({ message, type })}`;
  return text === undefined ? `${head}/>\n` : `${head}>${escapeXmlText(text)}</${element}>\n`;
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}
