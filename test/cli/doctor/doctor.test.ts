import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRecorder } from '../../protocols/a2a/client-recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { frame } from '../../support/http-agent.ts';
import { callOatf, runCommand, startCli } from '../run-cli.ts';

interface DoctorReport {
  readonly exit: number | null;
  readonly findings: readonly { about: string; status: string; says: string; advice?: string }[];
}

async function doctor(folder: string, ...args: readonly string[]): Promise<DoctorReport> {
  const { stdout, exit } = await callOatf(['doctor', '--json', ...args], folder);
  return { exit, findings: JSON.parse(stdout).findings };
}

/** A folder with a configuration that names one document: loading the whole library takes longer than everything else. */
function configured(config = ''): string {
  const text = config.startsWith('documents:') ? config : `documents: [OATS-001]\n${config}`;
  return freshFolder([['oatf.config.yaml', text]]);
}

function about(name: string, { findings }: DoctorReport): readonly string[] {
  return findings.filter((each) => each.about === name).map(({ status, says }) => `${status}: ${says}`);
}

const refusing = createServer((_, response) => response.writeHead(503).end('come back later'));
beforeAll(() => new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => refusing.close(resolve)));

describe.concurrent('oatf doctor', () => {
  test('reports every step of an agent that works', async () => {
    const reported = await doctor(configured(), 'guarded');
    expect(reported.exit).toBe(0);
    expect(about('guarded', reported)).toEqual([
      expect.stringMatching(/^ok: built-in: it was asked at http:/),
      expect.stringMatching(
        /^ok: server\/discover: it is oatf-built-in-agent \S+ and speaks MCP 2026-07-28, without a session$/,
      ),
      'ok: tools/list: it was told of the tool "greet"',
      'ok: tools/call: it called greet',
      expect.stringMatching(/^ok: it answered: ./),
      expect.stringMatching(/^ok: surfaces: it has mcp, a2a, ag-ui, tools, /),
      expect.stringMatching(/^note: surfaces: nothing shows whether it has .*push$/),
    ]);
  });

  test('visits every target of the configuration and says what each lacks', async () => {
    const { port } = refusing.address() as AddressInfo;
    const config = `targets:
  deaf: { command: [node, -e, "console.log(1)"] }
  missing: { command: no-such-program-anywhere }
  refusing: { agUi: "http://127.0.0.1:${port}/" }
  failing: { command: [node, -e, "console.error('no key'); process.exit(3)"] }
`;
    const reported = await doctor(configured(config));
    expect(reported.exit).toBe(69);
    expect(about('deaf', reported)).toContain('wrong: it never asked the MCP server for its tools');
    expect(about('deaf', reported)).toContain('ok: it answered: 1');
    expect(about('missing', reported)).toEqual([expect.stringContaining('no-such-program-anywhere')]);
    expect(about('refusing', reported)).toContainEqual(expect.stringMatching(/^wrong: .*503.*come back later/));
    expect(about('failing', reported)).toContainEqual(expect.stringMatching(/^wrong: .*3.*no key/));
  });

  test.each([
    ['A2A 1.0', { supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }],
    ['A2A before 1.0', {}],
  ])('says that it spoke to the agent in %s', async (words, card) => {
    const peer = await openRecorder((url) => ({
      name: 'Recorder',
      url,
      ...card,
      ...('supportedInterfaces' in card && {
        supportedInterfaces: card.supportedInterfaces.map((each) => ({ ...each, url })),
      }),
    }));
    const config = `targets:\n  mine: { a2a: "${peer.url}" }\n`;
    const reported = await doctor(configured(config), 'mine');
    await peer.close();
    expect(about('mine', reported)[0]).toMatch(new RegExp(`^\\w+: a2a: it was asked at http:\\S+, in ${words}`));
  });

  test('reports a mistake in the configuration with its position and visits no agent', async () => {
    const reported = await doctor(configured('timeout: soon\n'));
    expect(reported.exit).toBe(69);
    expect(about('configuration', reported)).toEqual([
      expect.stringMatching(/^wrong: oatf\.config\.yaml:2:10: timeout: /),
    ]);
  });

  test('launches nothing with --no-talk', async () => {
    const config = 'targets: { one: { command: no-such-program-anywhere } }';
    const reported = await doctor(configured(config), '--no-talk');
    expect(reported.exit).toBe(0);
    expect(about('one', reported)).toEqual([]);
  });

  test('names an unset variable that a target needs, even with --no-talk', async () => {
    const config = `targets:
  one: { agUi: "http://127.0.0.1:9/", headers: { authorization: "Bearer {{env.OATF_TEST_UNSET}}" } }
  two: { command: [node, "{{env.PATH}}"] }
`;
    const reported = await doctor(configured(config), '--no-talk');
    expect(reported.exit).toBe(69);
    expect(about('configuration', reported)).toEqual([
      'ok: oatf.config.yaml: targets one, two',
      'wrong: target one needs the environment variable OATF_TEST_UNSET, which is not set',
    ]);
  });

  test('serves at the loopback address of --listen and refuses any other', async () => {
    const reported = await doctor(configured(), 'guarded', '--listen', '127.0.0.2:0');
    expect(reported.exit).toBe(0);
    const wrong = await runCommand('oatf doctor --listen 10.0.0.1:80', freshFolder());
    expect(wrong.stderr).toContain('"10.0.0.1" is not a loopback address');
    expect(wrong.exit).toBe(64);
  });

  test('suggests a known name for an unknown agent', async () => {
    const reported = await doctor(configured(), 'gulible');
    expect(reported.exit).toBe(69);
    expect(reported.findings.at(-1)).toMatchObject({ about: 'gulible', advice: 'did you mean gullible?' });
  });

  test('reports an agent that answers 503 in its first line and no step as ok', async () => {
    const { port } = refusing.address() as AddressInfo;
    const reported = await doctor(configured(), `ag-ui:http://127.0.0.1:${port}/`, '--timeout', '20s');
    const lines = about(`ag-ui:http://127.0.0.1:${port}/`, reported);
    expect(lines[0]).toMatch(/^wrong: \S+: it was asked at http:\S+: .*503/);
    expect(lines.filter((line) => line.startsWith('ok'))).toEqual([]);
    expect(reported.findings.map(({ advice }) => advice ?? '').join()).not.toContain('by hand');
  });

  test('reports a program that prints nothing as wrong', async () => {
    const reported = await doctor(configured(), 'command:node -e ""');
    expect(reported.exit).toBe(69);
    expect(about('command:node', reported)).toContainEqual(
      expect.stringMatching(/^wrong: .*(without a word|nothing|no text)/),
    );
  });

  test('reports a server that ends its run without a text as wrong', async () => {
    const mute = createServer(async (request, response) => {
      const { threadId, runId } = (await json(request)) as { threadId: string; runId: string };
      const events = ['RUN_STARTED', 'RUN_FINISHED'].map((type) => frame({ type, threadId, runId }));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
    });
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    try {
      const name = `ag-ui:http://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
      const reported = await doctor(configured(), name);
      expect(reported.exit).toBe(69);
      expect(about(name, reported)).toContain('wrong: it finished without an answer');
    } finally {
      mute.closeAllConnections();
      mute.close();
    }
  });

  test.each([
    ['an unknown agent', 'agent: mine', '', 'agent: mine: there is no such agent'],
    ['an unknown agent in OATF_AGENT', '', 'OATF_AGENT=nope', 'OATF_AGENT=nope: there is no such agent'],
    ['a timeout', '', 'OATF_TIMEOUT=abc', 'OATF_TIMEOUT'],
    ['a repeat count', 'agent: guarded', 'OATF_REPEAT=x', 'OATF_REPEAT=x'],
    ['a rate', 'rate: 0/s', '', '0/s'],
    ['a listen address beyond this machine', 'listen: { "*": "192.0.2.1:8080" }', '', '192.0.2.1'],
    ['a reporter', '', 'OATF_REPORTER=nope', 'OATF_REPORTER=nope'],
    ['a baseline', 'baseline: nope.yaml', '', 'nope.yaml'],
    ['documents', 'documents: [nope]', '', 'nope'],
  ])('reports a setting that run refuses as wrong: %s', async (_, config, environment, said) => {
    const folder = configured(`${config}\n`);
    const { stdout, exit } = await runCommand(`${environment} oatf doctor --no-talk --json`.trim(), folder);
    const ran = await runCommand(`${environment} oatf run --list`.trim(), folder);
    expect(ran.exit).toBeGreaterThan(60);
    expect(exit).toBe(69);
    const { findings } = JSON.parse(stdout) as DoctorReport;
    expect(findings.filter(({ status }) => status === 'wrong')).toEqual([
      expect.objectContaining({ about: 'configuration', says: expect.stringContaining(said) }),
    ]);
  });

  test('visits agents that the configuration names, not only its targets', async () => {
    const reported = await doctor(configured('agent: [gullible, "command:no-such-program-anywhere"]\n'));
    expect(about('gullible', reported)).toContain('ok: tools/list: it was told of the tool "greet"');
    expect(about('command:no-such-program-anywhere', reported)).toHaveLength(1);
  });

  test('checks the results folder of the configuration', async () => {
    const reported = await doctor(configured('out: kept/{{time}}\n'), '--no-talk');
    expect(about('this machine', reported)).toContainEqual(expect.stringMatching(/^\w+: \S+kept can be written/));
  });

  test('serves at the configured listen address, where a running agent server expects it', async () => {
    const port = await freePort();
    const mcp = JSON.stringify({
      mcpServers: { doctor: { type: 'http', url: `http://127.0.0.1:${port}/mcp` } },
    });
    const folder = freshFolder([['mcp.json', mcp]]);
    const served = startCli(['agent', 'guarded', '--mcp-config', 'mcp.json'], folder);
    try {
      const url = await new Promise<string>((resolve) =>
        served.stdout.once('data', (chunk) => resolve(`${chunk}`.trim())),
      );
      const config = `targets: { mine: { agUi: "${url}" } }\nlisten: { "*": "127.0.0.1:${port}" }\n`;
      const reported = await doctor(configured(config));
      expect(about('mine', reported)).toContain('ok: tools/call: it called greet');
    } finally {
      served.kill();
    }
  });

  test('refuses a timeout of zero', async () => {
    const { exit, stderr } = await runCommand('oatf doctor guarded --timeout 0s', freshFolder());
    expect(exit).toBe(64);
    expect(stderr).toContain('--timeout: must be longer than zero');
  });

  test('reports nothing about the agent when Ctrl-C ends it', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      const asked = new Promise((resolve) => silent.once('request', resolve));
      const child = startCli(['doctor', `ag-ui:http://127.0.0.1:${port}/`], configured());
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk;
        });
      const ended = new Promise((resolve) => child.on('close', resolve));
      await asked;
      child.kill('SIGINT');
      expect(await ended).toBe(130);
      expect(output).not.toContain(`ag-ui:http://127.0.0.1:${port}/`);
      expect(output).not.toContain('ending the run');
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  test('neither visits nor suggests the agent external', async () => {
    // The first folder has no configuration, so the whole library is loaded.
    for (const [name, folder] of [
      ['external', freshFolder()],
      ['externl', configured()],
    ] as const) {
      const reported = await doctor(folder, name);
      expect(reported.exit).toBe(69);
      expect(reported.findings.at(-1)?.advice).not.toContain('external');
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
