import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { createReportContext } from '../../src/cli/run/results/report-context.ts';
import type { Results } from '../../src/format/model/results-file.ts';
import { listAttackRows } from '../../src/report/attack-rows.ts';
import { writeSarifReport } from '../../src/report/sarif-report.ts';
import { root, runCommand } from '../cli/run-cli.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { schemaErrorsIn } from './schema-errors.ts';

const scenario = readFileSync(join(root, 'scenarios/OATS-001_tool-description-usage-report.yaml'), 'utf8');

/** The reporter that the documentation shows. */
const ownReporter =
  /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/reference/reports.md'), 'utf8'))?.[1] ?? '';

describe('the results that oatf run writes', async () => {
  // A document of the library, and a file that has its id.
  const folder = freshFolder([
    ['my attacks/one.yaml', scenario],
    ['by-category.mjs', ownReporter],
  ]);
  await runCommand(
    `oatf run OATS-001 'my attacks' --agent gullible --agent guarded --repeat 2 --out out --reporter ./by-category.mjs=categories.json`,
    folder,
  );
  const results: Results = JSON.parse(readFileSync(join(folder, 'out/results.json'), 'utf8'));

  test('are accepted by their schema', () => {
    expect(schemaErrorsIn(results)).toEqual([]);
  });

  test('reach a reporter of your own', () => {
    expect(JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8'))).toEqual({
      capability_poisoning: 4,
    });
  });

  test('have every run under its attack', () => {
    const found = listAttackRows(results).map(({ agent, document, runs, statistics }) => [
      statistics.document,
      document?.path,
      agent,
      runs.map((run) => [run.agent, run.document.path, run.repeat]),
    ]);
    const mine = join('my attacks', 'one.yaml');
    expect(found).toEqual(
      [
        ['OATS-001', 'OATS-001'],
        [`OATS-001 (${mine})`, mine],
      ].flatMap(([key, path]) =>
        ['gullible', 'guarded'].map((agent) => [key, path, agent, [1, 2].map((repeat) => [agent, path, repeat])]),
      ),
    );
  });

  test('become SARIF results that point at the line of their indicator', () => {
    const log: Log = JSON.parse(writeSarifReport(results, createReportContext(join(folder, 'out'), false)));
    const places = log.runs.flatMap(({ results: found = [] }) =>
      found.map(({ locations }) => {
        const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
        return [artifactLocation?.uri, scenario.split('\n')[(region?.startLine ?? 0) - 1]?.trim()];
      }),
    );
    const indicators = ['- id: OATS-001-03', '- id: OATS-001-02'];
    expect(places).toEqual(
      ['documents/OATS-001.yaml', 'my%20attacks/one.yaml'].flatMap((uri) => indicators.map((line) => [uri, line])),
    );
  });
});
