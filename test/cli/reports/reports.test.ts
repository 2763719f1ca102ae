import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
