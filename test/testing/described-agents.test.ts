import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServedAgent } from '../../src/agent/agent.ts';
import { serveBuiltInAgent } from '../../src/built-in/built-in-agents.ts';
import { attack } from '../../src/testing/testing.ts';
import { careful } from './agents.ts';

// Agents that are not functions: programs, servers, and targets of a configuration.

const greeting = [process.execPath, '-e', "console.error('tired'); console.log('Hello.')"];

describe('a program', () => {
  test.each([
    ['as a target', { command: greeting }],
    ['as --agent takes it', `command:${process.execPath} -e "console.error('tired'); console.log('Hello.')"`],
  ])('%s', async (_, agent) => {
    const result = await attack('OATS-001', { agent, timeout: '30s' });
    expect(result).toMatchObject({ outcome: 'inconclusive', program: { exitCode: 0, stderr: 'tired\n' } });
    expect(result.explain()).toMatch(/its standard error ended with\n {4}\| tired/);
  });

  test('that is not there', async () => {
    const result = await attack('OATS-001', { agent: { command: 'no-such-program-of-ours' } });
    expect(result).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
    expect(result.explain()).toMatch(/this is not a pass: .*no-such-program-of-ours/);
    // Whether it has a door is not what is wrong with it.
    expect(result.advice.join()).not.toContain('`connect`');
  });

  test('of which too little is said', async () => {
    await expect(attack('OATS-001', { agent: { command: '' } })).rejects.toThrow(/^agent\.command: /);
  });
});

describe('a server that runs already', () => {
  let served: ServedAgent | undefined;
  afterEach(() => served?.stop());

  /** Serves an agent whose only tools are at a port that is free now. */
  async function serve(): Promise<{ readonly doors: ServedAgent['doors']; readonly port: number }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const mcpServers = { one: { type: 'http' as const, url: `http://127.0.0.1:${port}/mcp` } };
    served = await serveBuiltInAgent({ name: 'guarded', mcpConfig: { mcpServers } });
    return { doors: served.doors, port };
  }

  test('meets the attack where it is told to listen', async () => {
    const { doors, port } = await serve();
    expect(await attack('OATS-001', { agent: `ag-ui:${doors.ag_ui}`, listen: { stays: port } })).toResist();
  });

  test('does not meet it anywhere else, and says what to do', async () => {
    const { doors } = await serve();
    const result = await attack('OATS-001', { agent: `ag-ui:${doors.ag_ui}` });
    expect(result.outcome).toBe('inconclusive');
    expect(result.explain()).toContain('set their ports with `listen`');
  });

  test('can be the peer of a client actor', async () => {
    const { doors, port } = await serve();
    const options = { agent: careful, connect: { caller: doors.mcp ?? '' }, listen: { depot: port } };
    expect(await attack('OATS-040', options)).toResist();
  });
});

describe('a target of the project', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oatf-project-'));
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const configure = (config: object): void =>
    writeFileSync(join(folder, 'oatf.config.json'), JSON.stringify(config));

  test('goes by its name', async () => {
    configure({ targets: { mine: { command: greeting } }, prompt: 'Hello?' });
    const result = await attack('OATS-001', { agent: 'mine', timeout: '30s' });
    expect(result).toMatchObject({ agent: 'mine', program: { exitCode: 0 } });
  });

  test('that is not there', async () => {
    configure({ targets: { mine: { command: greeting } } });
    await expect(attack('OATS-001', { agent: 'mien' })).rejects.toThrow(
      /agent: mien: there is no such agent\n.*mine/,
    );
  });

  test('in a configuration that is not valid', async () => {
    configure({ targets: { mine: {} }, promt: 'Hello?' });
    await expect(attack('OATS-001', { agent: 'mine' })).rejects.toThrow(
      /oatf\.config\.json: the configuration is not valid\n {2}targets\.mine: .*\n {2}promt: .*\n {4}hint: /,
    );
  });
});
