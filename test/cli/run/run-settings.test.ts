import { describe, expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/commands.ts';
import { readArguments } from '../../../src/cli/read-arguments.ts';
import { readConfigFlag } from '../../../src/cli/run/settings/config-flag.ts';
import { listGivenSettings } from '../../../src/cli/run/settings/given-settings.ts';
import {
  describeSource,
  formatSourcePrefix,
  type SettingSource,
} from '../../../src/cli/run/settings/setting-sources.ts';
import { type RunSetup, readRunSettings } from '../../../src/cli/run/settings/setup.ts';
import { readDuration, readNumberFlag, readRate, readShard } from '../../../src/cli/run/settings/suite-flags.ts';
import type { LoadedConfig } from '../../../src/suite/config/load-config.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { terminal } from '../../support/terminal.ts';

// How the words after `oatf run` become the settings of a run, in this process.

interface Given {
  readonly environment?: { readonly [name: string]: string };
  readonly files?: Parameters<typeof freshFolder>[0];
}

function typedWords(...words: readonly string[]): Arguments<'run'> {
  const meant = readArguments(['run', ...words]);
  if (meant.kind !== 'command') throw new Error(JSON.stringify(meant));
  return meant.invocation.values as unknown as Arguments<'run'>;
}

async function read(words: readonly string[], { environment = {}, files = [] }: Given = {}) {
  const { io: world, shown } = terminal(freshFolder(files), []);
  const io = { ...world, environment };
  const typed = typedWords(...words);
  const config = await readConfigFlag(typed.config, io);
  const setup =
    config !== undefined && 'exit' in config ? config : await readRunSettings(typed, config as LoadedConfig, io);
  return { setup, written: shown.join('') };
}

async function setupOf(words: readonly string[], given?: Given): Promise<RunSetup> {
  const { setup, written } = await read(words, given);
  if ('exit' in setup) throw new Error(written);
  return setup;
}

describe('readNumberFlag', () => {
  test.each<[typed: string | undefined, value: number | undefined]>([
    [undefined, undefined],
    ['1', 1],
    ['100000', 100_000],
  ])('reads %s as %s', (typed, value) => {
    expect(readNumberFlag('repeat', typed, 1)).toEqual({ value });
  });

  test.each(['0', '100001', '1.5', '-1', '1e3', '', ' 1', '12345678901'])('refuses "%s"', (typed) => {
    expect(readNumberFlag('repeat', typed, 1)).toMatchObject({
      about: { flag: 'repeat', typed, problem: 'this number is not allowed' },
      hint: 'a whole number from 1 to 100000',
    });
  });
});

describe('readRate', () => {
  test.each<[typed: string | undefined, value: number | undefined]>([
    [undefined, undefined],
    ['2/s', 500],
    ['30/m', 2_000],
    ['100/h', 36_000],
    ['0.5/s', 2_000],
  ])('reads %s as one run every %s ms', (typed, value) => {
    expect(readRate(typed)).toEqual({ value });
  });

  test.each(['0/s', '2', '2/d', '/s', 's', 'toString/s'])('refuses "%s"', (typed) => {
    expect(readRate(typed)).toMatchObject({ about: { flag: 'rate', problem: 'this is not a rate' } });
  });
});

test.each<[typed: string | undefined, value: number | undefined]>([
  [undefined, undefined],
  ['0s', 0],
  ['5m', 300_000],
  ['PT30S', 30_000],
])('readDuration reads %s as %s ms', (typed, value) => {
  expect(readDuration('timeout', typed)).toEqual({ value });
});

test('readDuration refuses a word with a hint', () => {
  expect(readDuration('budget', 'soon')).toMatchObject({ message: /^--budget: /, hint: /30s/ } as never);
});

describe('readShard', () => {
  test.each<[typed: string | undefined, environment: { readonly [name: string]: string }, value: unknown]>([
    [undefined, {}, undefined],
    [undefined, { OATF_SHARDS: '' }, undefined],
    ['2/5', {}, { index: 2, of: 5 }],
    ['5/5', { OATF_SHARDS: '9', JOB_COMPLETION_INDEX: '1' }, { index: 5, of: 5 }],
    [undefined, { OATF_SHARDS: '5', JOB_COMPLETION_INDEX: '0' }, { index: 1, of: 5 }],
    [undefined, { OATF_SHARDS: '5', JOB_COMPLETION_INDEX: '4' }, { index: 5, of: 5 }],
  ])('reads %s in the environment %j as %j', (typed, environment, value) => {
    expect(readShard(typed, { environment })).toEqual({ value });
  });

  test.each(['0/5', '6/5', '2', 'a/b', '1/123456'])('refuses "%s"', (typed) => {
    expect(readShard(typed, { environment: {} })).toMatchObject({
      about: { flag: 'shard', typed, problem: 'this is not I/N' },
      hint: 'the second of five is 2/5',
    });
  });

  test.each<[environment: { readonly [name: string]: string }, message: RegExp]>([
    [{ OATF_SHARDS: '5' }, /^OATF_SHARDS=5, JOB_COMPLETION_INDEX=: /],
    [{ OATF_SHARDS: '5', JOB_COMPLETION_INDEX: '' }, /^OATF_SHARDS=5, JOB_COMPLETION_INDEX=: /],
    [{ OATF_SHARDS: '5', JOB_COMPLETION_INDEX: '5' }, /^OATF_SHARDS=5, JOB_COMPLETION_INDEX=5: /],
  ])('refuses the environment %j', (environment, message) => {
    expect(readShard(undefined, { environment })).toHaveProperty('message', expect.stringMatching(message));
  });
});

describe('readRunSettings', () => {
  test('gives the usual values to a run with only an agent', async () => {
    const { meant, values, prompts, redactor, skipped, leftOut } = await setupOf(['OATS-001', '--agent', 'guarded']);
    expect(meant).toMatchObject({
      agents: [{ name: 'guarded' }],
      limits: {},
      seed: undefined,
      a2a: { cardUrls: 'keep', allowedHosts: [] },
      stdio: undefined,
      judge: undefined,
      suite: { repeat: 1, shard: undefined, pace: { retries: 0, intervalMs: undefined, budgetMs: undefined } },
    });
    expect(meant.suite.pace.concurrency).toBeGreaterThanOrEqual(1);
    expect({ prompts, skipped, leftOut, out: values.out }).toEqual({
      prompts: {},
      skipped: [],
      leftOut: [],
      out: undefined,
    });
    expect(redactor).toBeUndefined();
  });

  test('reads limits, the seed and the pace from flags', async () => {
    const flags =
      '--timeout 3s --terminal-timeout 4s --grace-period 0s --seed 7 --repeat 2 -j 3 --retries 1 --rate 2/s';
    const { meant } = await setupOf(['OATS-001', '--agent', 'guarded', ...flags.split(' '), '--budget', '1m']);
    expect(meant).toMatchObject({
      limits: { sessionMs: 3_000, terminalMs: 4_000, graceMs: 0 },
      seed: 7,
      suite: { repeat: 2, pace: { concurrency: 3, retries: 1, intervalMs: 500, budgetMs: 60_000 } },
    });
  });

  test('writes allowed hosts in lower case', async () => {
    const { meant } = await setupOf(['OATS-001', '--agent', 'guarded', '--allow-host', 'A.Test:81']);
    expect(meant.a2a.allowedHosts).toEqual(['a.test:81']);
  });

  test('has a redactor for what it stores with --redact', async () => {
    expect((await setupOf(['OATS-001', '--agent', 'guarded', '--redact'])).redactor).toBeDefined();
  });

  test('gives an agent the prompt of the configuration, and stores it', async () => {
    const files = [['oatf.config.yaml', 'prompt: Hello\n']] as const;
    const { meant, prompts } = await setupOf(['OATS-001', '--agent', 'guarded'], { files });
    expect([meant.agents[0]?.prompt, prompts]).toEqual(['Hello', { guarded: 'Hello' }]);
  });

  test('lets --prompt win over the prompt of the configuration', async () => {
    const files = [['oatf.config.yaml', 'prompt: Hello\n']] as const;
    const { meant, prompts, values } = await setupOf(['OATS-001', '--agent', 'guarded', '--prompt', 'Bye'], { files });
    expect([meant.agents[0]?.prompt, prompts, values.prompt]).toEqual([undefined, {}, 'Bye']);
  });

  test('plays one run at a time against an agent that is already running', async () => {
    const { meant } = await setupOf(['OATS-001', '--agent', 'ag-ui:http://127.0.0.1:1/', '--listen', '127.0.0.1:8080']);
    expect(meant.suite.pace.concurrency).toBe(1);
  });

  test('sets an accepted rate for all documents and another for one', async () => {
    const words = ['OATS-001', 'OATS-002', '--agent', 'guarded', '--max-rate', '5%', '--max-rate', 'oats-002=0.2'];
    const { meant, playables } = await setupOf(words);
    expect(playables.map(({ document }) => meant.suite.maxRates(document))).toEqual([0.05, 0.2]);
  });

  const guarded = ['OATS-001', '--agent', 'guarded'];
  const running = ['OATS-001', '--agent', 'ag-ui:http://127.0.0.1:1/'];
  test.each<[words: readonly string[], given: Given, message: string]>([
    [[...guarded, '--timeout', '0s'], {}, 'run: --timeout: must be longer than zero'],
    [[...guarded, '--terminal-timeout', '0s'], {}, 'run: --terminal-timeout: must be longer than zero'],
    [[...guarded, '--timeout', 'soon'], {}, 'run: --timeout: '],
    [[...guarded, '--seed', '-1'], {}, 'run: --seed -1: this number is not allowed'],
    [[...guarded, '--seed', '4294967296'], {}, 'a whole number from 0 to 4294967295'],
    [[...guarded, '--repeat', '0'], {}, 'run: --repeat 0: this number is not allowed'],
    [[...guarded, '-j', '0'], {}, 'run: --concurrency 0: this number is not allowed'],
    [[...guarded, '--rate', 'fast'], {}, 'run: --rate fast: this is not a rate'],
    [[...guarded, '--shard', '3/2'], {}, 'run: --shard 3/2: this is not I/N'],
    [[...guarded, '--max-rate', '2'], {}, 'run: --max-rate 2: this is not a rate from 0 to 1'],
    [[...guarded, '--max-rate', '0.1', '--max-rate', '0.2'], {}, 'run: --max-rate 0.2: was given already'],
    [[...guarded, '--max-rate', 'OATS-002=0.1'], {}, 'no document that is run has the id "OATS-002"'],
    [[...guarded, '--agent', 'guarded'], {}, 'run: --agent guarded: was given already'],
    [['OATS-001', '--agent', 'garded'], {}, 'did you mean guarded?'],
    [[...guarded, '--redact-pattern', '('], {}, 'run: --redact-pattern: this '],
    [['OATS-001', '--repeat', '2'], {}, 'run: --repeat: there is no agent to attack'],
    [['OATS-001', '--max-rate', '1'], {}, 'run: --max-rate: there is no agent to attack'],
    [running, {}, 'it is already running and cannot learn where the actor "stays" listens'],
    [[...running, '--listen', '127.0.0.1:0'], {}, '--listen stays=127.0.0.1:8080'],
    [
      [...guarded, '--listen', '127.0.0.1:81', '-j', '2'],
      {},
      'listens at a fixed port, which only one run at a time can use',
    ],
    [[...guarded, '--judge', 'nobody'], {}, 'run: --judge nobody: there is no such judge'],
    [[...guarded, '--judge-budget', 'x'], {}, 'run: --judge-budget x: this number is not allowed'],
    [['OATS-001'], { files: [['oatf.config.yaml', 'targets: { mine: { command: node } }\n']] }, 'none is named: mine'],
    [guarded, { environment: { OATF_TIMEOUT: 'soon' } }, 'run: OATF_TIMEOUT'],
    [
      guarded,
      { environment: { OATF_DELIVERY: 'strct' } },
      'hint: did you mean strict? it can be payload, strict, reached',
    ],
    [guarded, { environment: { OATF_DELIVERY: 'all' } }, 'hint: it can be payload, strict, reached'],
    [guarded, { files: [['oatf.config.yaml', 'timout: 3s\n']] }, '> 1 | timout: 3s'],
    [
      ['OATS-001', '--agent', 'mine', '-j', '2'],
      {
        files: [
          [
            'oatf.config.yaml',
            'targets: { mine: { agUi: "http://127.0.0.1:1/", configure: { url: "http://127.0.0.1:1/", body: "{{mcp_config}}" } } }\n',
          ],
        ],
      },
      'run: --concurrency 2: "mine" learns of each run from its `configure`, one run at a time',
    ],
    [guarded, { environment: { OATF_REPEAT: '0' } }, 'run: OATF_REPEAT=0: this number is not allowed'],
    [guarded, { environment: { OATF_CONFIG: 'gone.yaml' } }, 'OATF_CONFIG=gone.yaml: '],
    [[...guarded, '--config', 'gone.yaml'], {}, '--config gone.yaml: '],
    [guarded, { files: [['oatf.config.yaml', 'timout: 3s\n']] }, 'oatf.config.yaml: the configuration is not valid'],
    [guarded, { files: [['oatf.config.yaml', 'timout: 3s\n']] }, 'oatf.config.yaml:1:1: error: timout: '],
  ])('refuses %j with %j and says: %s', async (words, given, message) => {
    const { setup, written } = await read(words, given);
    expect(setup).toHaveProperty('exit');
    expect(written).toContain(message);
  });

  test('needs none of the targets of a configuration if it connects to an agent by itself', async () => {
    const files = [['oatf.config.yaml', 'targets: { mine: { command: node } }\n']] as const;
    const { written } = await read(['OATS-001', '--connect', 'http://127.0.0.1:1/'], { files });
    expect(written).not.toContain('none is named');
  });

  test('ignores a configuration with --no-config', async () => {
    const files = [['oatf.config.yaml', 'timout: 3s\n']] as const;
    expect((await setupOf([...guarded, '--no-config'], { files })).config).toBeUndefined();
  });

  test('does not show the line of a configuration that holds a secret', async () => {
    const files = [['oatf.config.yaml', 'targets: { mine: { comand: node, env: { A: cnry-key } } }\n']] as const;
    expect((await read(guarded, { files })).written).not.toContain('cnry-key');
  });
});

describe('listGivenSettings', () => {
  const list = async (words: readonly string[], given?: Given): Promise<readonly string[]> => {
    const setup = await setupOf(words, given);
    return listGivenSettings(setup, setup.config && 'oatf.config.yaml').map(
      ({ name, value, source }) => `${name}=${value} (${source})`,
    );
  };

  test('names the source of each setting', async () => {
    const files = [['oatf.config.yaml', 'timeout: 3s\nprompt: Hello\nlisten: { stays: "127.0.0.1:0" }\n']] as const;
    const environment = { OATF_RETRIES: '2' };
    const lines = await list(['OATS-001', '--agent', 'guarded', '--repeat', '4', '--no-redact'], {
      files,
      environment,
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        'config=oatf.config.yaml ()',
        'agent=guarded (--agent)',
        'timeout=3s (oatf.config.yaml)',
        'repeat=4 (--repeat)',
        'retries=2 (OATF_RETRIES)',
        'redact=false (--no-redact)',
        'prompt of guarded=Hello (oatf.config.yaml)',
        'listen stays=127.0.0.1:0 (oatf.config.yaml)',
      ]),
    );
  });

  test('shows no secret of an address or a program', async () => {
    const lines = await list(['OATS-046', '--agent', 'guarded', '--no-config']);
    expect(lines.join('\n')).not.toContain('undefined');
    const typed = await list(['OATS-001', '--agent', 'command:KEY=cnry-key node agent.js']);
    expect(typed).toContain('agent=command:node (--agent)');
    expect(typed.join('\n')).not.toContain('cnry-key');
  });
});

test.each<[name: string, source: SettingSource, isOff: boolean, words: string]>([
  ['documents', { kind: 'flag' }, false, 'as typed'],
  ['gracePeriod', { kind: 'flag' }, false, '--grace-period'],
  ['redact', { kind: 'flag' }, true, '--no-redact'],
  ['redact', { kind: 'resumed' }, false, 'as it was begun'],
  ['agent', { kind: 'variable', name: 'OATF_AGENT' }, false, 'OATF_AGENT'],
  ['agent', { kind: 'file', file: 'a.yaml' }, false, 'a.yaml'],
  ['agent', { kind: 'usual' }, false, 'as usual'],
])('describeSource says for %s from %j (off: %s): %s', (name, source, isOff, words) => {
  expect(describeSource(name, source, isOff)).toBe(words);
});

test.each<[name: string, source: SettingSource | undefined, prefix: string]>([
  ['agent', { kind: 'variable', name: 'OATF_AGENT' }, 'OATF_AGENT='],
  ['maxRate', { kind: 'file', file: 'a.yaml' }, 'a.yaml: maxRate: '],
  ['maxRate', { kind: 'flag' }, '--max-rate '],
  ['maxRate', undefined, '--max-rate '],
])('formatSourcePrefix writes %s from %j as: %s', (name, source, prefix) => {
  expect(formatSourcePrefix(name, source)).toBe(prefix);
});
