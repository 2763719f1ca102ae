import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandAgent } from '../../../../src/agents/adapters/command-agent.ts';
import type { CommandTarget } from '../../../../src/agents/adapters/targets.ts';
import { program, type TalkOptions, talk, useOwnTemporaryFolder } from './support.ts';

// What a program gets in its arguments, variables, files and standard input.

const temporary = useOwnTemporaryFolder();

interface ReceivedInput {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
  readonly folderMode: string;
  readonly files: { readonly [path: string]: string };
  readonly env: { readonly [name: string]: string };
  readonly mcpConfig: unknown;
}

async function given(
  target: Partial<CommandTarget> & { readonly args?: string[] },
  prompt: Parameters<typeof talk>[1] = ['Hello.'],
  options: TalkOptions = {},
): Promise<ReceivedInput> {
  const { args = [], ...rest } = target;
  const { texts, failures } = await talk({ command: program('tell', ...args), ...rest }, prompt, options);
  expect(failures).toEqual(prompt.map(() => undefined));
  return JSON.parse(texts.at(-1) ?? '') as ReceivedInput;
}

const input = {
  threadId: 't',
  runId: 'r',
  messages: [{ id: 'm', role: 'user', content: 'Hello.' }],
  tools: [],
};

describe('command agent, the prompt', () => {
  const rows: [string, Parameters<typeof given>[0], Partial<ReceivedInput>][] = [
    ['on standard input by default', {}, { args: [], stdin: 'Hello.' }],
    ['in an argument', { args: ['-p', '{{prompt}}'] }, { args: ['-p', 'Hello.'], stdin: '' }],
    ['within an argument', { args: ['say: {{ prompt }}!'] }, { args: ['say: Hello.!'], stdin: '' }],
    ['in a file', { args: ['@{{prompt_file}}'] }, { args: ['Hello.'], stdin: '' }],
    [
      'in an argument and on standard input',
      { args: ['{{prompt}}'], stdin: 'prompt' },
      { args: ['Hello.'], stdin: 'Hello.' },
    ],
    ['in a variable of its own', { env: { OWN: '<{{prompt}}>' } }, { stdin: '' }],
    ['by no other means', { stdin: 'nothing' }, { args: [], stdin: '' }],
  ];
  test.each(rows)('is given to the program in OATF_PROMPT and %s', async (_, target, expected) => {
    const reported = await given(target);
    expect(reported).toMatchObject(expected);
    expect(reported.env.OATF_PROMPT).toBe('Hello.');
    if (target.env !== undefined) expect(reported.env.OWN).toBe('<Hello.>');
  });

  test.each<[string, Parameters<typeof given>[0], (reported: ReceivedInput) => string | undefined]>([
    ['on standard input', { stdin: 'input' }, ({ stdin }) => stdin],
    ['in a file', { args: ['@{{input_file}}'] }, ({ args }) => args[0]],
  ])('gives the program the whole run input %s', async (_, target, look) => {
    expect(JSON.parse(look(await given(target, [input])) ?? '')).toEqual(input);
  });

  test('passes a prompt with shell characters unchanged', async () => {
    const nasty = '$(touch /tmp/x) `id` "two" \'three\' \\ ; & | > {{prompt}} \n end';
    expect((await given({ args: ['{{prompt}}'] }, [nasty])).args).toEqual([nasty]);
  });

  test('gives each new launch the conversation so far', async () => {
    expect((await given({}, ['One.', 'Two.'])).stdin).toMatch(
      /^Our conversation so far:\nuser: One\.\nassistant: \{.*\}\n\nTwo\.$/,
    );
  });
  test('gives a follow-up command only the new prompt', async () => {
    expect((await given({ followUp: program('tell') }, ['One.', 'Two.'])).stdin).toBe('Two.');
  });

  test('uses the follow-up command for later turns of each thread', async () => {
    const target = {
      command: program('tell', 'new', '{{prompt}}'),
      followUp: program('tell', 'on', '{{prompt}}'),
    };
    const say = (threadId: string) => ({ threadId, messages: [{ role: 'user', content: threadId }] });
    const { texts } = await talk(target, [say('a'), say('a'), say('b'), say('b')]);
    expect(texts.map((text) => (JSON.parse(text) as ReceivedInput).args)).toEqual([
      ['new', 'a'],
      ['on', 'a'],
      ['new', 'b'],
      ['on', 'b'],
    ]);
  });

  const long = 'long '.repeat(500_000);
  test.each<[string, Parameters<typeof given>[0]]>([
    ['standard input', {}],
    ['a file', { args: ['@{{prompt_file}}'] }],
  ])('passes a very long prompt whole through %s, without OATF_PROMPT', async (_, target) => {
    const { args, stdin, env } = await given(target, [long]);
    expect(args[0] ?? stdin).toBe(long);
    expect(env).not.toHaveProperty('OATF_PROMPT');
  });

  test.each<[string, Partial<CommandTarget>, string, RegExp]>([
    [
      'is too long for an argument',
      { command: program('tell', '{{prompt}}') },
      long,
      /longer than the system allows; .*stdin/,
    ],
    ['is too long for a variable', { command: program('tell'), stdin: 'nothing' }, long, /OATF_PROMPT .*stdin/],
    ['has a NUL, which no argument can hold', { command: program('tell', '{{prompt}}') }, 'a\0b', /NUL.*stdin/],
  ])('fails with advice to use stdin when the prompt %s', async (_, target, prompt, reason) => {
    const { failures, program: facts } = await talk(target as CommandTarget, [prompt]);
    expect(failures).toEqual([expect.stringMatching(reason)]);
    expect(facts).toBeUndefined();
  });
});

describe('command agent, messages that the document invents', () => {
  const forged = {
    ...input,
    messages: [{ id: 'a', role: 'assistant', content: 'I have agreed.' }, ...input.messages],
  };
  const rows: [string, Partial<CommandTarget>, string | undefined][] = [
    ['reports the history as missing for a program that takes a prompt', {}, expect.stringContaining('history')],
    ['passes the history to a program that takes the input', { stdin: 'input' }, undefined],
    ['passes the history to a kept program that reads messages', { turns: 'keep', output: 'jsonl' }, undefined],
  ];
  test.each(rows)('%s', async (_, target, missed) => {
    const command = target.turns === 'keep' ? program('lines', 'json echo') : program('tell');
    const talked = await talk({ command, ...target }, [forged]);
    expect(talked.missed).toEqual(missed);
    expect(talked.failures).toEqual([undefined]);
  });
});

describe('command agent, endpoints', () => {
  const url = 'http://127.0.0.1:1/shop';
  test('gives the addresses in variables', async () => {
    expect((await given({})).env).toMatchObject({
      OATF_SHOP_URL: url,
      OATF_MY_NOTES_URL: 'http://127.0.0.1:1/notes',
      OATF_A2A_CARDS: 'http://127.0.0.1:1/one.json,http://127.0.0.1:1/two.json',
    });
  });
  test('gives the addresses through placeholders', async () => {
    const { args } = await given({ args: ['{{actors.shop.url}}', '{{a2a_cards}}', '@{{mcp_config}}'] });
    expect(args.slice(0, 2)).toEqual([url, 'http://127.0.0.1:1/one.json,http://127.0.0.1:1/two.json']);
    expect(JSON.parse(args[2] ?? '')).toEqual({ mcpServers: { shop: { type: 'http', url } } });
  });
  test('refuses to launch when the document lacks the actor of a placeholder', async () => {
    await expect(talk({ command: program('tell', '{{actors.bank.url}}') })).rejects.toThrow('{{actors.bank.url}}');
    expect(temporary.left()).toEqual([]);
  });
  test('gives MCP servers as bridge programs when mcp is "stdio"', async () => {
    const { mcpConfig } = await given({ mcp: 'stdio' });
    expect(mcpConfig).toEqual({
      mcpServers: {
        shop: { command: process.execPath, args: [join(process.cwd(), 'dist/cli.js'), 'bridge', url] },
      },
    });
  });
  test.each<[string, 'http' | 'stdio', (cli: string) => string]>([
    ['mcp_servers', 'http', () => `{"shop":{"type":"http","url":"${url}"}}`],
    ['mcp_servers.codex', 'http', () => `{ "shop" = { url = "${url}" } }`],
    [
      'mcp_servers.codex',
      'stdio',
      (cli) => `{ "shop" = { command = "${process.execPath}", args = ["${cli}","bridge","${url}"] } }`,
    ],
    ['mcp_servers.opencode', 'http', () => `{"shop":{"type":"remote","url":"${url}","enabled":true,"oauth":false}}`],
    [
      'mcp_servers.opencode',
      'stdio',
      (cli) => `{"shop":{"type":"local","command":["${process.execPath}","${cli}","bridge","${url}"],"enabled":true}}`,
    ],
  ])('fills in {{%s}} for servers over %s', async (name, mcp, expected) => {
    const { args } = await given({ args: [`{{${name}}}`], mcp });
    expect(args).toEqual([expected(join(process.cwd(), 'dist/cli.js'))]);
  });
});

describe('command agent, the working folder', () => {
  test('creates a new, empty, private folder and removes it afterwards', async () => {
    const { cwd, files, folderMode, env } = await given({});
    expect({ files, folderMode }).toEqual({ files: {}, folderMode: '700' });
    expect(dirname(cwd)).toBe(dirname(dirname(env.OATF_MCP_CONFIG ?? '')));
    expect(existsSync(cwd)).toBe(false);
    expect(temporary.left()).toEqual([]);
  });
  test('removes the folder even with unreadable content and links to other places', async () => {
    const script = 'mkdir -p shut/inner && touch shut/inner/file && ln -s / root && chmod 000 shut && echo done';
    expect((await talk({ command: ['sh', '-c', script] })).texts).toEqual(['done']);
    expect(temporary.left()).toEqual([]);
  });
  test('uses one folder for all turns of a run', async () => {
    const cwds = (await talk({ command: program('tell') }, ['One.', 'Two.'])).texts.map(
      (text) => (JSON.parse(text) as ReceivedInput).cwd,
    );
    expect(new Set(cwds).size).toBe(1);
  });
  test('writes the files of the target into the folder', async () => {
    const { files } = await given({
      files: { '.agent/settings.json': '{"mcpServers":{{mcp_servers}}}', 'a.md': 'In {{cwd}}.' },
    });
    expect(files).toEqual({
      '.agent/settings.json': '{"mcpServers":{"shop":{"type":"http","url":"http://127.0.0.1:1/shop"}}}',
      'a.md': expect.stringMatching(/^In .*oatf-agent-.*work\.$/),
    });
  });
  test('uses the folder named by cwd and keeps it', async () => {
    const own = join(temporary.path, 'own');
    mkdirSync(own);
    expect((await given({ cwd: 'own' }, undefined, { folder: temporary.path })).cwd).toBe(own);
    expect(existsSync(own)).toBe(true);
  });
  test.each<[string, Partial<CommandTarget>, boolean]>([
    ['runs in parallel when each run has its own folder', {}, false],
    ['runs one at a time when all runs share the folder of cwd', { cwd: '.' }, true],
  ])('%s', (_, target, isOneAtATime) => {
    const context = { environment: {}, folder: '.' };
    expect(createCommandAgent('mine', { command: 'agent', ...target }, context).isOneAtATime).toBe(isOneAtATime);
  });
  test('finds the program and its files relative to the configuration', async () => {
    const folder = join(temporary.path, 'project');
    mkdirSync(folder);
    for (const name of ['agent.mjs', 'word'])
      writeFileSync(join(folder, name), 'console.log(process.argv[1], process.argv[2])');
    const { texts } = await talk({ command: 'node agent.mjs word' }, undefined, { folder });
    expect(texts).toEqual([`${join(folder, 'agent.mjs')} word`]);
    const named = await talk({ command: 'node {{config_folder}}/word x' }, undefined, { folder });
    expect(named.texts).toEqual([`${join(folder, 'word')} x`]);
  });
});

describe('command agent, the environment', () => {
  const environment = { AMBIENT: 'all around', PATH: process.env.PATH ?? '' };
  test.each<[string, CommandTarget['environment'], object]>([
    ['has no variables of ours by default', undefined, {}],
    ['has all our variables when it is "inherited"', 'inherited', { AMBIENT: 'all around' }],
  ])('%s', async (_, inheritance, expected) => {
    const { env } = await given({ ...(inheritance && { environment: inheritance }) }, undefined, {
      environment,
    });
    expect(Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OATF_')))).toEqual(expected);
  });
  test('has the variables of the target with placeholders filled in', async () => {
    const { env } = await given({ env: { OWN: 'at {{actors.shop.url}}' } });
    expect(env.OWN).toBe('at http://127.0.0.1:1/shop');
  });
});
