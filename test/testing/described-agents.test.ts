import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServedAgent } from '../../src/agents/adapters/agent-under-test.ts';
import { serveBuiltInAgent } from '../../src/agents/built-in/built-in-agents.ts';
import { attack } from '../../src/testing/testing.ts';
import { careful } from './agents.ts';

// Agents that are not functions: programs, servers, and targets of a configuration.

const greeting = [process.execPath, '-e', "console.error('tired'); console.log('Hello.')"];

describe('an agent that is a program', () => {
  test.each([
    ['given as a target', { command: greeting }],
    ['given as for --agent', `command:${process.execPath} -e "console.error('tired'); console.log('Hello.')"`],
  ])('has its standard error in the explanation when %s', async (_, agent) => {
    const result = await attack('OATS-001', { agent, timeout: '30s' });
    expect(result).toMatchObject({ outcome: 'inconclusive', program: { exitCode: 0, stderr: 'tired\n' } });
    expect(result.explain()).toMatch(/its standard error ended with\n {4}\| tired/);
  });

  test('is inconclusive if there is no such program', async () => {
    const result = await attack('OATS-001', { agent: { command: 'no-such-program-of-ours' } });
    expect(result).toMatchObject({ outcome: 'inconclusive', cause: 'trouble' });
    expect(result.explain()).toMatch(/this is not a pass: .*no-such-program-of-ours/);
    // Whether it has a door is not what is wrong with it.
    expect(result.advice.join()).not.toContain('`connect`');
  });

  test('is refused if its command is empty', async () => {
    await expect(attack('OATS-001', { agent: { command: '' } })).rejects.toThrow(/^agent\.command: /);
  });
});

describe('an agent that is a server which runs already', () => {
  let served: ServedAgent | undefined;
  afterEach(() => served?.stop());

  /** Serves an agent whose only tools are at a port that is free now. */
  async function serve(): Promise<{ readonly doors: ServedAgent['addresses']; readonly port: number }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const mcpServers = { one: { type: 'http' as const, url: `http://127.0.0.1:${port}/mcp` } };
    served = await serveBuiltInAgent({ name: 'guarded', mcpConfig: { mcpServers } });
    return { doors: served.addresses, port };
  }

  test('meets the attack on the port that `listen` sets', async () => {
    const { doors, port } = await serve();
    expect(await attack('OATS-001', { agent: `ag-ui:${doors.ag_ui}`, listen: { stays: port } })).toResist();
  });

  test('never meets the attack without `listen`, and the advice says so', async () => {
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

describe('a target of the project configuration', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oatf-project-'));
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const configure = (config: object): void => writeFileSync(join(folder, 'oatf.config.json'), JSON.stringify(config));

  test('is found by its name', async () => {
    configure({ targets: { mine: { command: greeting } }, prompt: 'Hello?' });
    const result = await attack('OATS-001', { agent: 'mine', timeout: '30s' });
    expect(result).toMatchObject({ agent: 'mine', program: { exitCode: 0 } });
  });

  test('is listed in the message if no target has the given name', async () => {
    configure({ targets: { mine: { command: greeting } } });
    await expect(attack('OATS-001', { agent: 'mien' })).rejects.toThrow(/agent: mien: there is no such agent\n.*mine/);
  });

  test('is refused if the configuration is not valid', async () => {
    configure({ targets: { mine: {} }, promt: 'Hello?' });
    await expect(attack('OATS-001', { agent: 'mine' })).rejects.toThrow(
      /oatf\.config\.json: the configuration is not valid\n {2}targets\.mine: .*\n {2}promt: .*\n {4}hint: /,
    );
  });
});
