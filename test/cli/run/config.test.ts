import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../../src/format/model/results-file.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { root, runCommand } from '../run-cli.ts';

/** An agent in TypeScript that speaks MCP itself; a test decides what it does with the tools. */
const agent = (acts: string): string => `
import type { AgentFunction } from 'oatf/config';
import { defineConfig } from 'oatf/config';

enum Told { Nothing = 'I found nothing.' }

const mine: AgentFunction = async ({ prompt, mcpConfig, signal }) => {
  for (const { url } of Object.values(mcpConfig.mcpServers)) {
    let session: string | null = null;
    const send = async (message: object): Promise<string> => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-06-18',
          ...(session !== null && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
        signal,
      });
      session ??= answer.headers.get('mcp-session-id');
      return answer.text();
    };
    const clientInfo = { name: 'mine', version: '1' };
    await send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    await send({ method: 'notifications/initialized' });
    await send({ id: 2, method: 'tools/list' });
    ${acts}
  }
  return Told.Nothing;
};

// Resources that stay open must not keep the process alive.
setInterval(() => {}, 1_000);

export default defineConfig({ targets: { mine: { function: mine } }, timeout: '20s' });
`;

const reports =
  "await send({ id: 3, method: 'tools/call', params: { name: 'report_usage', arguments: { details: prompt } } });";

function resultsIn(folder: string): Results {
  return JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
}

/** Everything that a run has left behind. */
function allIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** The report on an agent that does nothing for its user. */
function idle(tasks: number): string {
  const unapplied = tasks === 1 ? 'its one task was not done' : `none of ${tasks} tasks was done`;
  return `oatf: error: mine: nothing shows that this agent works: ${unapplied}\n`;
}

describe('oatf run against a function of a TypeScript configuration', () => {
  test.each([
    ['does what the tool says', reports, 'exploited', 1],
    ['only lists the tools', '', 'resisted', 2],
  ])('judges a function that %s as $2', async (_, acts, outcome, code) => {
    const folder = freshFolder([
      ['oatf.config.mts', agent(acts)],
      ['below/x', ''],
    ]);
    const { exit, stderr } = await runCommand(
      'exec oatf run OATS-001 --agent mine --out ../out',
      join(folder, 'below'),
    );
    expect(stderr).toBe(idle(1));
    expect(exit).toBe(code);
    const { agents, runs } = resultsIn(join(folder, 'out'));
    expect(agents).toEqual([{ name: 'mine', kind: 'function' }]);
    expect(runs.map((run) => run.outcome)).toEqual([outcome]);
  });
});

const echo = `
import { argv, env, stdin } from 'node:process';
let said = '';
for await (const chunk of stdin) said += chunk;
console.log('You said: ' + said + ' ' + argv.slice(2).join(' ') + ' ' + (env.CODE ?? ''));
`;

describe('oatf run --resume', () => {
  const config =
    'agent: mine\nprompt: First.\nrepeat: 2\ndelivery: strict\ntargets: { mine: { command: node echo.mjs } }\n';
  const document = 'OATS-001';

  test('keeps the settings of the stored suite, whatever file and environment say now', async () => {
    const folder = freshFolder([
      ['oatf.config.yaml', config],
      ['echo.mjs', echo],
    ]);
    await runCommand(`oatf run ${document} --out out`, folder);
    writeFileSync(
      join(folder, 'oatf.config.yaml'),
      'agent: guarded\nprompt: Second.\nrepeat: 3\ndelivery: reached\nconcurrency: 2\ntargets: { mine: { command: node echo.mjs } }\n',
    );
    const { stdout, exit } = await runCommand(
      `OATF_DELIVERY=payload OATF_REPEAT=7 oatf run --resume out --list --verbose`,
      folder,
    );
    expect(exit).toBe(0);
    const lines = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    const of = (name: string) => lines.find(([first]) => first === name)?.slice(1);
    expect(of('agent')).toEqual(['mine', 'as it was begun']);
    expect(of('repeat')).toEqual(['2', 'as it was begun']);
    expect(of('delivery')).toEqual(['strict', 'as it was begun']);
    expect(of('prompt of mine')?.[0]).toBe('First.');
    expect(of('concurrency')).toEqual(['2', 'oatf.config.yaml']);
    expect((await runCommand('oatf run --resume out --quiet', folder)).stderr).toBe(idle(2));
  });

  test('needs the --agent flag again when its name does not say how to launch it', async () => {
    const folder = freshFolder([['echo.mjs', echo]]);
    const command = '--agent "command:CODE=cnry-code node echo.mjs cnry-word"';
    const { exit } = await runCommand(`oatf run ${document} ${command} --out out`, folder);
    expect(exit).not.toBe(64);
    expect(resultsIn(join(folder, 'out')).agents).toEqual([{ name: 'command:node', kind: 'command' }]);
    const again = await runCommand('oatf run --resume out', folder);
    expect(again.exit).toBe(64);
    expect(again.stderr).toMatch(/what command:node stands for is not stored/);
    expect((await runCommand(`oatf run --resume out ${command}`, folder)).exit).toBe(exit);
  });

  test('refuses a flag that differs from the stored suite', async () => {
    const folder = freshFolder([
      ['oatf.config.yaml', config],
      ['echo.mjs', echo],
    ]);
    await runCommand(`oatf run ${document} --out out`, folder);
    expect(await runCommand('oatf run --resume out --no-projections', folder)).toMatchObject({ exit: 64 });
    expect(await runCommand('oatf run --resume out --delivery payload', folder)).toMatchObject({ exit: 64 });
    expect(await runCommand('oatf run --resume out --delivery strict', folder)).not.toMatchObject({
      exit: 64,
    });
  });
});

describe('redaction patterns of oatf run', () => {
  const config = `
targets: { mine: { command: node echo.mjs ACME-1234, prompt: Hello } }
redact: ["ACME-[0-9]+"]
`;
  test('mask everything that is stored and shown', async () => {
    const folder = freshFolder([
      ['oatf.config.yaml', config],
      ['echo.mjs', echo],
    ]);
    const ran = await runCommand(
      'oatf run OATS-001 --agent mine --redact-pattern "frequent guest [a-z]+" --out out --verbose',
      folder,
    );
    expect(ran.exit).not.toBe(64);
    const everything = allIn(join(folder, 'out')).replaceAll(
      readFileSync(join(folder, 'out/documents/OATS-001.yaml'), 'latin1'),
      '',
    );
    expect(everything).toMatch(/You said: /);
    expect(`${everything}${ran.stdout}${ran.stderr}`).not.toMatch(/ACME-/);
    // A pattern may be a secret itself.
    expect(readFileSync(join(folder, 'out/plan.json'), 'utf8')).toMatch(/"redactPatterns": 2/);
  });

  test('mask nothing with --no-redact', async () => {
    const folder = freshFolder([
      ['oatf.config.yaml', config],
      ['echo.mjs', echo],
    ]);
    await runCommand('oatf run OATS-001 --agent mine --no-redact --out out', folder);
    expect(allIn(join(folder, 'out'))).toMatch(/ACME-1234/);
  });
});

test('oatf run --list shows no secret of the configuration', async () => {
  const folder = freshFolder([
    [
      'oatf.config.yaml',
      `
agent: [mine, "command:CODE=cnry-1 node cnry-2", "ag-ui:http://me:cnry-3@127.0.0.1:1/?a=cnry-4"]
targets: { mine: { command: node cnry-5, env: { CODE: cnry-6 } } }
redact: [cnry-7]
listen: { "*": "127.0.0.1:8080" }
connect: { user: { url: "http://me:cnry-8@127.0.0.1:1/?b=cnry-9", headers: { a: cnry-10 } } }
`,
    ],
  ]);
  for (const flags of ['', '--json']) {
    const { stdout, stderr, exit } = await runCommand(`oatf run OATS-001 --list --verbose ${flags}`, folder);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(/connect user/);
    expect(stdout).not.toMatch(/cnry/);
  }
});

test('oatf run ends a server that it started after the last run', async () => {
  const port = await freePort();
  const cli = join(root, 'dist/cli.js');
  const folder = freshFolder([
    [
      'oatf.config.yaml',
      `
agent: mine
targets:
  mine:
    agUi: http://127.0.0.1:${port}/
    start: { command: ["${process.execPath}", started.mjs, "${cli}", "${port}"] }
listen: { "*": "127.0.0.1:0" }
`,
    ],
    ['user.yaml', user],
    [
      'started.mjs',
      `
import { writeFileSync } from 'node:fs';
writeFileSync('pid', String(process.pid));
process.argv.splice(1, 3, process.argv[2], 'agent', 'guarded', '--port', process.argv[3]);
await import(process.argv[1]);
`,
    ],
  ]);
  await runCommand('oatf run user.yaml --out out', folder);
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  expect(resultsIn(join(folder, 'out')).runs[0]?.delivery.user).toMatchObject({ delivered: true });
  expect(isAlive(pid)).toBe(false);
});

/** An attack with only a user. */
const user = `oatf: "0.1"
attack:
  name: A user
  execution:
    actors:
      - name: user
        mode: ag_ui_client
        phases:
          - state:
              run_agent_input: { threadId: a, runId: b, state: {}, messages: [{ id: m, role: user, content: Hello }], tools: [], context: [], forwardedProps: {} }
  indicators:
    - protocol: ag_ui
      target: response.content
      pattern: { contains: never }
`;

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
