import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, startCli } from '../cli/run-cli.ts';

interface Told {
  readonly exit: number | null;
  readonly findings: readonly { about: string; status: string; says: string; advice?: string }[];
}

async function doctor(folder: string, ...args: readonly string[]): Promise<Told> {
  const child = startCli(['doctor', '--json', ...args], folder);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exit, findings: JSON.parse(stdout).findings };
}

function about(name: string, { findings }: Told): readonly string[] {
  return findings.filter((each) => each.about === name).map(({ status, says }) => `${status}: ${says}`);
}

const refusing = createServer((_, response) => response.writeHead(503).end('come back later'));
beforeAll(() => new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => refusing.close(resolve)));

describe('doctor', () => {
  test('an agent that works: every step of it', async () => {
    const told = await doctor(freshFolder(), 'guarded');
    expect(told.exit).toBe(0);
    expect(about('guarded', told)).toEqual([
      expect.stringMatching(/^ok: built-in: it was asked at http:/),
      expect.stringMatching(/^ok: initialize: it is oatf-built-in-agent \S+ and speaks MCP 20/),
      'ok: tools/list: it was told of the tool "greet"',
      'ok: tools/call: it called greet',
      expect.stringMatching(/^ok: it answered: ./),
    ]);
  });

  test('every target of the configuration, and what each lacks', async () => {
    const { port } = refusing.address() as AddressInfo;
    const config = `targets:
  deaf: { command: [node, -e, "console.log(1)"] }
  missing: { command: no-such-program-anywhere }
  refusing: { agUi: "http://127.0.0.1:${port}/" }
  failing: { command: [node, -e, "console.error('no key'); process.exit(3)"] }
`;
    const told = await doctor(freshFolder([['oatf.config.yaml', config]]));
    expect(told.exit).toBe(69);
    expect(about('deaf', told)).toContain('wrong: it never asked the MCP server for its tools');
    expect(about('deaf', told)).toContain('ok: it answered: 1');
    expect(about('missing', told)).toEqual([expect.stringContaining('no-such-program-anywhere')]);
    expect(about('refusing', told)).toContainEqual(expect.stringMatching(/^wrong: .*503.*come back later/));
    expect(about('failing', told)).toContainEqual(expect.stringMatching(/^wrong: .*3.*no key/));
  });

  test('a configuration with a mistake is told with its place, and nobody is spoken to', async () => {
    const folder = freshFolder([['oatf.config.yaml', 'timeout: soon\n']]);
    const told = await doctor(folder);
    expect(told.exit).toBe(69);
    expect(about('configuration', told)).toEqual([
      expect.stringMatching(/^wrong: oatf\.config\.yaml:1:10: timeout: /),
    ]);
  });

  test('--no-talk launches nothing', async () => {
    const config = 'targets: { one: { command: no-such-program-anywhere } }';
    const told = await doctor(freshFolder([['oatf.config.yaml', config]]), '--no-talk');
    expect(told.exit).toBe(0);
    expect(about('one', told)).toEqual([]);
  });

  test('an agent that nobody knows', async () => {
    const told = await doctor(freshFolder(), 'gulible');
    expect(told.exit).toBe(69);
    expect(told.findings.at(-1)).toMatchObject({ about: 'gulible', advice: 'did you mean gullible?' });
  });
});
