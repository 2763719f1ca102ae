import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limitDiagnostics } from '../../../src/cli/reports/diagnostics-text.ts';
import type { LocatedDiagnostic } from '../../../src/format/model/errors.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { root, runCommand } from '../run-cli.ts';

const files = [
  ['a b/bad.yaml', 'oatf: "0.1"\nattack:\n  severity: severe\n  execution:\n    mode: mcp_server\n    state: {}\n'],
  ['warns.yaml', 'attack:\n  execution:\n    mode: mcp_server\n    state: {}\noatf: "0.1"\n'],
] as const;
const folder = freshFolder(files);

describe('oatf validate --format sarif', async () => {
  const { stdout, exit } = await runCommand('oatf validate . nothing.yaml --format sarif', folder);
  const log = JSON.parse(stdout);
  const [run] = log.runs;

  test('prints a SARIF 2.1.0 log with one run and exits with 66', () => {
    expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('2.1.0') });
    expect(log.runs).toHaveLength(1);
    expect(exit).toBe(66);
  });

  test('prints every result with its region and the URI of its file', () => {
    const places = run.results.map((result: { ruleId: string; level: string; locations: unknown[] }) => [
      result.ruleId,
      result.level,
      result.locations,
    ]);
    expect(places).toMatchObject([
      [
        'V-005',
        'error',
        [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a%20b/bad.yaml' },
              region: {
                startLine: 3,
                startColumn: 13,
                endLine: 3,
                endColumn: 19,
                charOffset: 32,
                charLength: 6,
              },
            },
            logicalLocations: [{ fullyQualifiedName: 'attack.severity' }],
          },
        ],
      ],
      ['W-001', 'warning', [{ physicalLocation: { artifactLocation: { uri: 'warns.yaml' } } }]],
    ]);
  });

  test('describes each rule that has results', () => {
    const { rules } = run.tool.driver;
    for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex].id).toBe(ruleId);
    for (const rule of rules)
      expect(rule).toMatchObject({
        shortDescription: { text: expect.any(String) },
        fullDescription: { text: expect.any(String) },
        help: { text: expect.any(String), markdown: expect.any(String) },
        properties: { clause: expect.stringContaining('§') },
      });
  });

  test('lists what could not be read', () => {
    expect(run.invocations).toMatchObject([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: expect.stringContaining('nothing.yaml') } }],
      },
    ]);
  });
});

test('oatf validate --format json prints path, range, code and severity, and a summary', async () => {
  const { stdout, exit } = await runCommand('oatf validate . nothing.yaml --format json', folder);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    tool: { name: 'oatf' },
    files: [
      {
        file: 'a b/bad.yaml',
        valid: false,
        diagnostics: [
          {
            severity: 'error',
            code: 'V-005',
            path: 'attack.severity',
            message: expect.any(String),
            range: { start: { line: 3, column: 13, offset: 32 }, end: { line: 3, column: 19, offset: 38 } },
          },
        ],
      },
      { file: 'warns.yaml', valid: true, diagnostics: [{ severity: 'warning', code: 'W-001' }] },
      { file: 'nothing.yaml', valid: false, unreadable: expect.any(String), diagnostics: [] },
    ],
    summary: { files: 3, errors: 1, warnings: 1, unreadable: 1 },
  });
  expect(exit).toBe(66);
});

test('oatf evaluate --json prints the verdict in the spec’s words with secrets unmasked', async () => {
  const { stdout, exit } = await runCommand(
    'oatf evaluate examples/rug-pull.yaml --trace examples/rug-pull-exploited.jsonl --json',
    root,
  );
  const run = JSON.parse(stdout);
  expect(run).toMatchObject({
    document: { id: 'EXAMPLE-001', path: join('examples', 'rug-pull.yaml'), severity: 'high' },
    outcome: 'exploited',
    verdict: {
      attack_id: 'EXAMPLE-001',
      result: 'exploited',
      max_tier: 'boundary_breach',
      evaluation_summary: { matched: 3, not_matched: 0, error: 0, skipped: 0 },
      source: expect.stringMatching(/^oatf\/\d/),
    },
    delivery: { default: { delivered: true, phases_seen: ['honest', 'crooked'] } },
  });
  expect(run.verdict.indicator_verdicts[2]).toMatchObject({
    indicator_id: 'EXAMPLE-001-03',
    id: 'EXAMPLE-001-03',
    result: 'matched',
    evidence: expect.stringContaining('AKIAIOSFODNN7EXAMPLE'),
    match: { record: 15, path: 'arguments.audit_note', from: 10, to: 27 },
  });
  expect(exit).toBe(1);
});

test.each([
  ['node examples/library.mjs', 'rug-pull-exploited.jsonl: exploited'],
  ['oatf fmt --check "examples/*.yaml"', ''],
])('the documented command succeeds: %s', async (command, shown) => {
  const { stdout, exit } = await runCommand(command, root);
  expect(stdout).toContain(shown);
  expect(exit).toBe(0);
});

describe('oatf validate on a line with 60 000 warnings', () => {
  const text = `{"oatf":"0.1","attack":{"name":"x","execution":{"mode":"mcp_server","state":{"tools":[{"name":"n","description":"${'{{zzz}} '.repeat(60_000)}"}]}},"indicators":[{"target":"a","pattern":{"contains":"x"}}]}}`;
  const many = freshFolder([['many.json', text]]);
  const notice = '59000 more problems are not listed; a report lists 1000 for a document, errors first';

  test('prints the first 1 000 and says how many are left out', async () => {
    const { stdout, exit } = await runCommand('oatf validate many.json', many);
    expect(stdout.match(/W-004/g)).toHaveLength(1_000);
    expect(stdout).toContain(`many.json: ${notice}\n`);
    expect(stdout).toContain('1 file, 60000 warnings');
    expect(exit).toBe(0);
  });

  test.each([
    ['json', '"omitted": 59000'],
    ['sarif', notice],
    ['github', notice],
  ])('says so in the format %s', async (format, expected) => {
    const { stdout } = await runCommand(`oatf validate many.json --format ${format}`, many);
    expect(stdout).toContain(expected);
    expect(stdout.match(/W-004/g)?.length).toBeLessThan(1_010);
  });
});

test('a report that cannot list every problem lists the errors first, in the order of the text', () => {
  const diagnose = (severity: 'error' | 'warning', line: number): LocatedDiagnostic => ({
    severity,
    code: 'X',
    path: '',
    message: '',
    range: { start: { line, column: 1, offset: 0 }, end: { line, column: 1, offset: 0 } },
  });
  const all = Array.from({ length: 1_500 }, (_, line) => diagnose(line % 3 === 2 ? 'error' : 'warning', line));
  const { listed, omitted } = limitDiagnostics(all);
  expect([listed.length, omitted, listed.filter(({ severity }) => severity === 'error').length]).toEqual([
    1_000, 500, 500,
  ]);
  expect(listed.map(({ range }) => range.start.line)).toEqual(
    listed.map(({ range }) => range.start.line).sort((a, b) => a - b),
  );
});
