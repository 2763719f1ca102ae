import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFree, post } from '../../support/http-peer.ts';
import { begin, key, shop, two, visit } from '../started-run.ts';

describe('oatf run', () => {
  test('prints where to connect, what happens and the verdict', async () => {
    const run = begin(['shop.yaml']);
    const [url = ''] = await run.urls();
    expect(run.output.stdout).toContain(`"default": {\n      "type": "http",\n      "url": "${url}"`);
    await visit(url, { key });
    expect(await run.ended).toBe(1);
    const { stdout } = run.output;
    for (const text of [
      '── default: open ──',
      '→ default     tools/call        request   buy',
      '── default: sold ──',
      'warn: sold',
      '(W-004)',
      'EXPLOITED  SHOP-001 A shop that asks for keys',
      'AKIA****',
      'delivered, ',
      'Results  out',
    ])
      expect(stdout).toContain(text);
    expect(stdout).not.toContain(key);
    expect(await isFree(Number(new URL(url).port))).toBe(true);
  });

  test('stores complete results that only their owner can read', async () => {
    const run = begin(['shop.yaml']);
    const [url = ''] = await run.urls();
    await visit(url, { key });
    await run.ended;
    const modes = Object.fromEntries(
      ['.', 'traces', 'documents', 'runs.jsonl', 'results.json', ...inside('traces'), ...inside('documents')].map(
        (name) => [name, (statSync(join(run.folder, 'out', name)).mode & 0o777).toString(8)],
      ),
    );
    expect(modes).toEqual({
      '.': '700',
      traces: '700',
      documents: '700',
      'runs.jsonl': '600',
      'results.json': '600',
      'traces/SHOP-001.jsonl': '600',
      'documents/SHOP-001.yaml': '600',
    });
    expect(run.stored('documents/SHOP-001.yaml')).toBe(shop);
    const results = run.results();
    expect(results).toMatchObject({
      version: 3,
      tool: { name: 'oatf' },
      agents: [{ name: 'external' }],
      started: expect.any(String),
      finished: expect.any(String),
      statistics: { runs: 1, outcomes: { exploited: 1 } },
    });
    expect(results.runs).toEqual([JSON.parse(run.stored('runs.jsonl'))]);
    expect(results.runs).toMatchObject([
      {
        document: {
          id: 'SHOP-001',
          name: 'A shop that asks for keys',
          version: 1,
          path: 'shop.yaml',
          severity: 'high',
          tags: ['shop'],
        },
        agent: 'external',
        repeat: 1,
        verdict: {
          result: 'exploited',
          indicator_verdicts: [{ indicator_id: 'SHOP-001-01', id: 'SHOP-001-01', evidence: key }],
          source: expect.stringMatching(/^oatf\//),
        },
        outcome: 'exploited',
        delivery: { default: { delivered: true, phases_seen: ['open'] } },
        duration_ms: expect.any(Number),
        trace: 'traces/SHOP-001.jsonl',
        diagnostics: [{ code: 'W-004' }],
      },
    ]);
    expect(run.stored('traces/SHOP-001.jsonl')).toContain(key);
    function inside(name: string): string[] {
      return readdirSync(join(run.folder, 'out', name)).map((file) => `${name}/${file}`);
    }
  });

  test.each([
    ['an agent that does nothing wrong', { key: 'none' }, [], 0, 'resisted'],
    ['an agent that uses nothing, with --delivery strict', undefined, ['--delivery', 'strict'], 2, 'inconclusive'],
  ] as const)('exits with $3 and the outcome $4 for %s', async (_, args, flags, exit, outcome) => {
    const run = begin(['shop.yaml', ...flags]);
    await visit((await run.urls())[0] ?? '', args);
    expect(await run.ended).toBe(exit);
    expect(run.results().runs[0].outcome).toBe(outcome);
  });

  test('ends at --timeout although a session is open', async () => {
    const run = begin(['shop.yaml', '--timeout', '1s']);
    await visit((await run.urls())[0] ?? '', { key: 'none' }, false);
    expect(await run.ended).toBe(2);
    expect(run.results().runs[0]).toMatchObject({
      outcome: 'inconclusive',
      cause: 'cut_off',
      end: 'session_limit',
    });
  });

  test('prints exactly results.json with --json', async () => {
    const run = begin(['shop.yaml', '--json']);
    await visit((await run.urls())[0] ?? '', { key });
    expect(await run.ended).toBe(1);
    expect(run.output.stdout).toBe(run.stored('results.json'));
    expect(run.output.stderr).toContain('EXPLOITED');
  });

  test('prints one line for each verdict with --quiet, and endpoints on standard error', async () => {
    const run = begin(['shop.yaml', '--quiet']);
    const [url = ''] = await run.urls();
    await visit(url, { key: 'none' });
    expect(await run.ended).toBe(0);
    expect(run.output).toEqual({
      stdout: 'RESISTED  SHOP-001 A shop that asks for keys\n',
      stderr: `default ${url}\n`,
    });
  });

  test('shows masked contents with --verbose', async () => {
    const run = begin(['shop.yaml', '--verbose']);
    await visit((await run.urls())[0] ?? '', { note: 'hello', key });
    expect(await run.ended).toBe(1);
    expect(run.output.stdout).toContain('"note": "hello"');
    expect(run.output.stdout).not.toContain(key);
  });

  test('shows secrets with --show-secrets', async () => {
    const run = begin(['shop.yaml', '--show-secrets']);
    await visit((await run.urls())[0] ?? '', { key });
    await run.ended;
    expect(run.output.stdout).toContain(key);
  });

  test('stores no secret with --redact', async () => {
    const run = begin(['shop.yaml', '--redact']);
    const [url = ''] = await run.urls();
    await (await post(url, `garbage with ${key}`)).text();
    await visit(url, { key, password: 'correct horse', [key]: [key] });
    expect(await run.ended).toBe(1);
    const trace = run.stored('traces/SHOP-001.jsonl');
    const records = trace
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const raw = records.find(({ kind }) => kind === 'malformed')?.raw ?? '';
    expect(Buffer.from(raw, 'base64').toString()).toBe('garbage with AKIA****');
    expect(records.find(({ content }) => content?.arguments)?.content.arguments).toEqual({
      key: 'AKIA****',
      password: '****',
      'AKIA****': ['AKIA****'],
    });
    const all = trace + run.stored('runs.jsonl') + run.stored('results.json');
    expect(all).not.toContain(key);
    expect(statSync(join(run.folder, 'out/traces/SHOP-001.jsonl')).mode & 0o777).toBe(0o600);
  });
});

describe('oatf run, with several actors or documents', () => {
  test('opens an endpoint for every server actor and prints the user’s words', async () => {
    const run = begin(['two.yaml', '--listen', 'right=localhost:0', '--grace-period', '1s'], {
      'two.yaml': two,
    });
    const urls = await run.urls(2);
    expect(run.output.stdout).toContain('Say to the agent\n  Ask \\x1b[2J both\n');
    for (const url of urls) await visit(url);
    expect(await run.ended).toBe(2);
    expect(Object.keys(run.results().runs[0].delivery)).toEqual(['left', 'right']);
  });

  test('plays documents one after the other', async () => {
    const run = begin(['in'], { 'in/a.yaml': shop, 'in/b.yaml': shop });
    const [first = ''] = await run.urls();
    await visit(first, { key });
    const [, second = ''] = await run.urls(2);
    await visit(second, { key: 'none' });
    expect(await run.ended).toBe(1);
    expect(run.output.stdout).toContain('1 of 2, in/a.yaml');
    expect(run.output.stdout).toMatch(/Summary\n {2}EXPLOITED.*\n {2}RESISTED/);
    expect(run.results().runs.map((entry: { trace: string }) => entry.trace)).toEqual([
      'traces/SHOP-001-in-a.yaml-.jsonl',
      'traces/SHOP-001-in-b.yaml-.jsonl',
    ]);
  });

  test('does not wait for a document whose modes nobody plays', async () => {
    const document = two.replaceAll('mcp_server', 'other_server').replace('protocol: mcp', 'protocol: other');
    const run = begin(['two.yaml'], { 'two.yaml': document });
    expect(await run.ended).toBe(2);
    expect(run.results().runs[0]).toMatchObject({
      outcome: 'inconclusive',
      cause: 'unplayed',
    });
  });
});
