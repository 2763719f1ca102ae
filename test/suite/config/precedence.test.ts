import { describe, expect, test } from 'vitest';
import type { Arguments } from '../../../src/cli/commands.ts';
import { readArguments } from '../../../src/cli/read-arguments.ts';
import { addFileAddresses } from '../../../src/cli/run/addresses/file-addresses.ts';
import { mergeLayers } from '../../../src/cli/run/settings/layers.ts';
import { settingRows } from '../../../src/cli/run/settings/setting-rows.ts';
import { load } from '../../../src/format/load.ts';
import type { Config } from '../../../src/suite/config/config.ts';
import type { LoadedConfig } from '../../../src/suite/config/load-config.ts';

// Flags win over stored values, those over the environment, and the environment over the file.

type Typed = Arguments<'run'>;

function typed(...words: string[]): Typed {
  const meant = readArguments(['run', ...words]);
  if (meant.kind !== 'command') throw new Error(JSON.stringify(meant));
  return meant.invocation.values as unknown as Typed;
}

function fileOf(config: Config): LoadedConfig {
  return { ok: true, path: '/project/oatf.config.yaml', folder: '/project', isCode: false, config };
}

interface GivenSources {
  readonly flags?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly file?: Config;
  readonly stored?: Partial<Typed>;
}

function settled({ flags = [], environment = {}, file, stored }: GivenSources) {
  const config = file && fileOf(file);
  return mergeLayers({ typed: typed(...flags), config, stored }, { cwd: '/project/sub', environment });
}

function found(said: GivenSources, name: keyof Typed): readonly [value: unknown, source: string | undefined] {
  const all = settled(said);
  if ('message' in all) throw new Error(all.message);
  return [(all.values as unknown as { readonly [name: string]: unknown })[name], all.sources[name]?.kind];
}

interface Row {
  readonly name: keyof Typed;
  readonly flag: readonly string[];
  readonly flagged: unknown;
  readonly variable: string;
  readonly text: string;
  readonly read: unknown;
  readonly file: Config;
  readonly filed: unknown;
  readonly usual: unknown;
}

// Without an agent, some of them have no meaning.
const agent: Config = { agent: 'guarded' };

const rows: readonly Row[] = [
  {
    name: 'agent',
    flag: ['--agent', 'a', '--agent', 'b'],
    flagged: ['a', 'b'],
    variable: 'OATF_AGENT',
    text: 'c, llm:d',
    read: ['c', 'llm:d'],
    file: { agent: ['e', 'f'] },
    filed: ['e', 'f'],
    usual: ['guarded'],
  },
  {
    name: 'timeout',
    flag: ['--timeout', '1s'],
    flagged: '1s',
    variable: 'OATF_TIMEOUT',
    text: '2s',
    read: '2s',
    file: { timeout: '3s' },
    filed: '3s',
    usual: undefined,
  },
  {
    name: 'terminalTimeout',
    flag: ['--terminal-timeout', '1s'],
    flagged: '1s',
    variable: 'OATF_TERMINAL_TIMEOUT',
    text: '2s',
    read: '2s',
    file: { terminalTimeout: '3s' },
    filed: '3s',
    usual: undefined,
  },
  {
    name: 'gracePeriod',
    flag: ['--grace-period', '1s'],
    flagged: '1s',
    variable: 'OATF_GRACE_PERIOD',
    text: '2s',
    read: '2s',
    file: { gracePeriod: '3s' },
    filed: '3s',
    usual: undefined,
  },
  {
    name: 'seed',
    flag: ['--seed', '1'],
    flagged: '1',
    variable: 'OATF_SEED',
    text: '2',
    read: '2',
    file: { seed: 3 },
    filed: '3',
    usual: undefined,
  },
  {
    name: 'repeat',
    flag: ['--repeat', '1'],
    flagged: '1',
    variable: 'OATF_REPEAT',
    text: '2',
    read: '2',
    file: { repeat: 3 },
    filed: '3',
    usual: undefined,
  },
  {
    name: 'maxRate',
    flag: ['--max-rate', '1%', '--max-rate', 'OATS-001=2%'],
    flagged: ['1%', 'OATS-001=2%'],
    variable: 'OATF_MAX_RATE',
    text: '2%,OATS-002=3%',
    read: ['2%', 'OATS-002=3%'],
    file: { maxRate: 0.03 },
    filed: ['0.03'],
    usual: [],
  },
  {
    name: 'concurrency',
    flag: ['-j', '1'],
    flagged: '1',
    variable: 'OATF_CONCURRENCY',
    text: '2',
    read: '2',
    file: { concurrency: 3 },
    filed: '3',
    usual: undefined,
  },
  {
    name: 'rate',
    flag: ['--rate', '1/s'],
    flagged: '1/s',
    variable: 'OATF_RATE',
    text: '2/s',
    read: '2/s',
    file: { rate: '3/s' },
    filed: '3/s',
    usual: undefined,
  },
  {
    name: 'retries',
    flag: ['--retries', '1'],
    flagged: '1',
    variable: 'OATF_RETRIES',
    text: '0',
    read: '0',
    file: { retries: 3 },
    filed: '3',
    usual: undefined,
  },
  {
    name: 'budget',
    flag: ['--budget', '1m'],
    flagged: '1m',
    variable: 'OATF_BUDGET',
    text: '2m',
    read: '2m',
    file: { budget: '3m' },
    filed: '3m',
    usual: undefined,
  },
  {
    name: 'judge',
    flag: ['--judge', 'llm:a'],
    flagged: 'llm:a',
    variable: 'OATF_JUDGE',
    text: 'llm:b',
    read: 'llm:b',
    file: { judge: 'llm:c' },
    filed: 'llm:c',
    usual: undefined,
  },
  {
    name: 'judgeBudget',
    flag: ['--judge-budget', '1'],
    flagged: '1',
    variable: 'OATF_JUDGE_BUDGET',
    text: '2',
    read: '2',
    file: { judgeBudget: 3 },
    filed: '3',
    usual: undefined,
  },
  {
    name: 'delivery',
    flag: ['--delivery', 'payload'],
    flagged: 'payload',
    variable: 'OATF_DELIVERY',
    text: 'strict',
    read: 'strict',
    file: { delivery: 'reached' },
    filed: 'reached',
    usual: 'payload',
  },
  {
    name: 'canaries',
    flag: ['--canaries', 'as_written'],
    flagged: 'as_written',
    variable: 'OATF_CANARIES',
    text: 'fresh',
    read: 'fresh',
    file: { canaries: 'fresh' },
    filed: 'fresh',
    usual: 'as_written',
  },
  {
    name: 'twins',
    flag: ['--no-twins'],
    flagged: false,
    variable: 'OATF_TWINS',
    text: 'yes',
    read: true,
    file: { twins: true },
    filed: true,
    usual: false,
  },
  {
    name: 'failTier',
    flag: ['--fail-tier', 'ingested'],
    flagged: 'ingested',
    variable: 'OATF_FAIL_TIER',
    text: 'local_action',
    read: 'local_action',
    file: { failTier: 'boundary_breach' },
    filed: 'boundary_breach',
    usual: 'any',
  },
  {
    name: 'minUtility',
    flag: ['--min-utility', '0.5'],
    flagged: '0.5',
    variable: 'OATF_MIN_UTILITY',
    text: '60%',
    read: '60%',
    file: { minUtility: 0.7 },
    filed: '0.7',
    usual: undefined,
  },
  {
    name: 'projections',
    flag: ['--projections'],
    flagged: true,
    variable: 'OATF_PROJECTIONS',
    text: 'no',
    read: false,
    file: { projections: false },
    filed: false,
    usual: true,
  },
  {
    name: 'redact',
    flag: ['--no-redact'],
    flagged: false,
    variable: 'OATF_REDACT',
    text: '1',
    read: true,
    file: { redact: ['x'] },
    filed: true,
    usual: false,
  },
  {
    name: 'reporter',
    flag: ['--reporter', 'json'],
    flagged: ['json'],
    variable: 'OATF_REPORTER',
    text: 'text,junit=a.xml',
    read: ['text', 'junit=a.xml'],
    file: { reporter: ['junit=a.xml', './mine.mjs'] },
    filed: ['junit=../a.xml', '/project/mine.mjs'],
    usual: [],
  },
  {
    name: 'baseline',
    flag: ['--baseline', 'a'],
    flagged: 'a',
    variable: 'OATF_BASELINE',
    text: 'b',
    read: 'b',
    file: { baseline: 'c' },
    filed: '../c',
    usual: undefined,
  },
  {
    name: 'out',
    flag: ['--out', 'a'],
    flagged: 'a',
    variable: 'OATF_OUT',
    text: 'b',
    read: 'b',
    file: { out: 'c/{{time}}' },
    filed: '../c/{{time}}',
    usual: undefined,
  },
];

describe.each(rows)('the setting $name', ({ name, flag, flagged, variable, text, read, file, filed, usual }) => {
  const environment = { [variable]: text };
  test('is taken from flags before anything else', () => {
    expect(found({ flags: flag, environment, file: { ...agent, ...file } }, name)).toEqual([flagged, 'flag']);
  });
  test('is taken from the environment if there is no flag', () => {
    expect(found({ environment, file: { ...agent, ...file } }, name)).toEqual([read, 'variable']);
  });
  test('is taken from the file if the variable is empty and there is no flag', () => {
    expect(found({ environment: { [variable]: '' }, file: { ...agent, ...file } }, name)).toEqual([filed, 'file']);
  });
  test('has its default if nothing sets it', () => {
    expect(found({ file: agent }, name)[0]).toEqual(usual);
  });
});

test('this file tests the precedence of every environment variable', () => {
  const variables = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  expect(variables.sort()).toEqual([...rows.map(({ variable }) => variable), 'OATF_DEFAULT_PROMPT'].sort());
});

describe('settings that a resumed suite has stored', () => {
  const stored: Partial<Typed> = { agent: ['then'], timeout: undefined, delivery: 'strict', repeat: '5' };
  const file: Config = {
    agent: 'now',
    timeout: '3s',
    delivery: 'reached',
    repeat: 3,
    concurrency: 2,
    out: 'x',
  };
  const environment = { OATF_TIMEOUT: '2s', OATF_REPEAT: '2' };
  test.each([
    ['win over the environment and the file', 'repeat', '5', 'resumed'],
    ['keep a setting unset that was unset', 'timeout', undefined, 'resumed'],
    ['decide which agents run', 'agent', ['then'], 'resumed'],
    ['do not decide settings that results do not depend on', 'concurrency', '2', 'file'],
    ['do not take the results folder from the file', 'out', undefined, 'usual'],
  ] as const)('%s (%s)', (_, name, value, source) => {
    expect(found({ flags: ['--resume', 'dir'], stored, file, environment }, name)).toEqual([value, source]);
  });
  test('yield to flags', () => {
    expect(found({ flags: ['--resume', 'dir', '--delivery', 'payload'], stored, file }, 'delivery')).toEqual([
      'payload',
      'flag',
    ]);
  });
});

describe('the prompt setting of layered', () => {
  const file: Config = { agent: 'guarded', prompt: 'of the file' };
  test('leaves the prompt of the file to agents, because a target may have its own', () => {
    expect(found({ file }, 'prompt')).toEqual([undefined, 'usual']);
  });
  test('takes the prompt of the file for a run without an agent', () => {
    expect(found({ flags: ['--agent', 'external'], file }, 'prompt')).toEqual(['of the file', 'file']);
  });
  test('does not take OATF_PROMPT, which is for launched agents', () => {
    expect(found({ environment: { OATF_PROMPT: 'to an agent' } }, 'prompt')).toEqual([undefined, 'usual']);
  });
  test('takes OATF_DEFAULT_PROMPT from the environment', () => {
    expect(found({ file, environment: { OATF_DEFAULT_PROMPT: 'of the environment' } }, 'prompt')).toEqual([
      'of the environment',
      'variable',
    ]);
  });
});

describe('a run without an agent', () => {
  test.each(['--stdio', '--agent=external'])('ignores settings that need an agent with %s', (flag) => {
    const said = {
      flags: [flag],
      file: { agent: 'mine', repeat: 3, timeout: '3s' },
      environment: { OATF_RETRIES: '2' },
    };
    expect(found(said, 'agent')[0]).toEqual([]);
    expect(found(said, 'repeat')[0]).toBeUndefined();
    expect(found(said, 'retries')[0]).toBeUndefined();
    expect(found(said, 'timeout')[0]).toBe('3s');
  });
  test('refuses the agent external beside another agent', () => {
    expect(settled({ flags: ['--agent', 'external', '--agent', 'guarded'] })).toHaveProperty('message');
  });
});

describe('layered, for an invalid environment variable', () => {
  test.each([
    ['OATF_REDACT', 'maybe'],
    ['OATF_PROJECTIONS', '2'],
    ['OATF_DELIVERY', 'strct'],
  ])('refuses %s=%s with a message', (name, text) => {
    expect(settled({ environment: { [name]: text } })).toMatchObject({
      message: `${name}=${text}: ${said(name)}`,
    });
  });
  const said = (name: string): string =>
    name === 'OATF_DELIVERY' ? 'this is not one of the choices' : 'this is neither true nor false';
});

describe('redaction patterns', () => {
  const file: Config = { redact: ['b', 'a'] };
  test('are those of flags and file together', () => {
    expect(found({ flags: ['--redact-pattern', 'a'], file }, 'redactPattern')[0]).toEqual(['a', 'b']);
  });
  test('turn redaction on', () => {
    expect(found({ flags: ['--redact-pattern', 'a'] }, 'redact')).toEqual([true, 'flag']);
  });
  test('are ignored if redaction is off', () => {
    expect(found({ flags: ['--no-redact'], file }, 'redactPattern')[0]).toEqual([]);
    expect(found({ environment: { OATF_REDACT: 'off' }, file }, 'redactPattern')[0]).toEqual([]);
  });
  test('are refused together with --no-redact', () => {
    expect(settled({ flags: ['--no-redact', '--redact-pattern', 'a'] })).toHaveProperty('message');
  });
});

test('document paths in the file are relative to it, and ids stay ids', () => {
  const file: Config = { documents: ['attacks', '../b/*.yaml', 'OATS-001', 'OATS-*', '/c.yaml'] };
  expect(found({ file }, 'documents')[0]).toEqual([
    '../attacks',
    '../../b/*.yaml',
    'OATS-001',
    'OATS-*',
    '../../c.yaml',
  ]);
});

describe('addFileAddresses', () => {
  const documents = [
    documentOf('one', ['shop', 'mcp_server'], ['user', 'ag_ui_client']),
    documentOf('two', ['left', 'mcp_server'], ['right', 'a2a_server'], ['caller', 'mcp_client']),
  ];
  const none = { listen: [], connect: [], header: [] };
  const file = { file: 'oatf.config.yaml', environment: { TOKEN: 'cnry-token' }, isResumed: false };

  test('takes addresses from the file for actors that exist in the documents', () => {
    const config: Config = {
      listen: { shop: '127.0.0.1:1', nobody: '127.0.0.1:2', user: '127.0.0.1:3' },
      connect: {
        caller: 'command:npx x',
        user: { url: 'http://a.test/', headers: { 'X-Key': '{{env.TOKEN}}' } },
      },
    };
    expect(addFileAddresses(none, documents, { ...file, config })).toEqual({
      listen: ['shop=127.0.0.1:1'],
      connect: ['user=http://a.test/', 'caller=command:npx x'],
      header: ['user=X-Key: cnry-token'],
    });
  });

  test('prefers flags to the file for each actor', () => {
    const config: Config = { listen: { shop: '127.0.0.1:1', '*': '127.0.0.1:0' } };
    const typed = { ...none, listen: ['shop=127.0.0.1:9'] };
    expect(addFileAddresses(typed, documents, { ...file, config })).toMatchObject({
      listen: ['shop=127.0.0.1:9', 'left=127.0.0.1:0', 'right=127.0.0.1:0'],
    });
  });

  test('lets a flag without an actor name replace all addresses of the file', () => {
    const config: Config = { listen: { shop: '127.0.0.1:1' }, connect: { user: 'http://a.test/' } };
    const typed = { ...none, listen: ['127.0.0.1:9'], connect: ['http://b.test/'] };
    expect(addFileAddresses(typed, documents, { ...file, config })).toEqual(typed);
  });

  test('gives command: only to actors that can speak to a program', () => {
    expect(addFileAddresses(none, documents, { ...file, config: { connect: { '*': 'command:npx x' } } })).toMatchObject(
      {
        connect: ['caller=command:npx x'],
      },
    );
  });

  test('refuses one listen address for two actors of a document', () => {
    const config: Config = { listen: { '*': '127.0.0.1:8080' } };
    expect(addFileAddresses(none, documents, { ...file, config })).toMatchObject({
      message: expect.stringMatching(/left, right/),
    });
    expect(addFileAddresses(none, documents.slice(0, 1), { ...file, config })).toMatchObject({
      listen: ['shop=127.0.0.1:8080'],
    });
  });

  test('reports an unset variable in a header instead of sending the header', () => {
    const config: Config = {
      connect: { user: { url: 'http://a.test/', headers: { a: '{{env.NOTHING}}' } } },
    };
    expect(addFileAddresses(none, documents, { ...file, config })).toMatchObject({
      message: expect.stringMatching(/connect\.user\.headers\.a/),
    });
  });

  test('keeps the addresses of a resumed suite and adds headers only for those', () => {
    const config: Config = {
      listen: { shop: '127.0.0.1:1' },
      connect: {
        user: { url: 'http://a.test/', headers: { a: 'b' } },
        caller: { url: 'http://c.test/', headers: { d: 'e' } },
      },
    };
    const then = { ...none, connect: ['user=http://a.test/', 'caller=http://then.test/'] };
    expect(addFileAddresses(then, documents, { ...file, config, isResumed: true })).toEqual({
      ...then,
      header: ['user=a: b'],
    });
  });
});

function documentOf(name: string, ...actors: readonly (readonly [name: string, mode: string])[]) {
  const loaded = load(
    JSON.stringify({
      oatf: '0.1',
      attack: {
        name,
        execution: {
          actors: actors.map(([actor, mode]) => ({ name: actor, mode, phases: [{ state: {} }] })),
        },
      },
    }),
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded));
  return loaded.document;
}
