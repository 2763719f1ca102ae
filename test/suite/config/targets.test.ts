import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readAgents } from '../../../src/cli/run/settings/read-settings.ts';
import type { Config } from '../../../src/suite/config/config.ts';
import { findConfigProblems } from '../../../src/suite/config/config-shape.ts';
import type { LoadedConfig } from '../../../src/suite/config/load-config.ts';
import { isAgentValue, isWholeName } from '../../../src/suite/config/named-agent.ts';

const config: Config = parse(`
prompt: What is new?
targets:
  program: { command: "node agent.js {{prompt}}", prompt: What can you do? }
  assistant: { agUi: "http://127.0.0.1:8000/", headers: { authorization: "Bearer {{env.TOKEN}}" } }
  told: { agUi: "http://127.0.0.1:8000/", configure: { url: "http://127.0.0.1:8000/configure", body: { servers: "{{mcp_config}}" } } }
  service: { http: "http://127.0.0.1:8000/chat", body: { message: "{{prompt}}" }, answer: $.reply }
  colleague: { a2a: "http://127.0.0.1:9000/" }
  model: { llm: small, baseUrl: "http://127.0.0.1:1/v1", temperature: 0 }
`);

const loaded: LoadedConfig = {
  ok: true,
  path: '/project/oatf.config.mjs',
  folder: '/project',
  isCode: true,
  config: { ...config, targets: { ...config.targets, inside: { function: () => 'hello' } } },
};

const context = { cwd: '/elsewhere', environment: { TOKEN: 'cnry-token' }, config: loaded };

async function agentsOf(...typed: string[]) {
  const agents = await readAgents(typed, context);
  if ('message' in agents) throw new Error(agents.message);
  return agents;
}

async function wrongOf(...typed: string[]) {
  const agents = await readAgents(typed, { ...context, mayWait: true });
  if (!('message' in agents)) throw new Error('there are such agents');
  return agents;
}

describe('readAgents, for a target of every kind', () => {
  test('is tested with a valid configuration', () => {
    expect(findConfigProblems(loaded.config)).toEqual([]);
  });

  test.each([
    ['program', 'command', true, 'What can you do?'],
    ['assistant', 'ag-ui', false, 'What is new?'],
    ['told', 'ag-ui', true, 'What is new?'],
    ['service', 'http', false, 'What is new?'],
    ['colleague', 'a2a', false, 'What is new?'],
    ['model', 'llm', true, 'What is new?'],
    ['inside', 'function', true, 'What is new?'],
    ['gullible', 'built-in', true, 'What is new?'],
  ])('reads %s as an agent of kind %s', async (name, kind, isTold, prompt) => {
    expect(await agentsOf(name)).toMatchObject([{ name, kind, isTold, prompt }]);
  });
});

test('readAgents keeps the surfaces that a target is without', async () => {
  const targets = { mine: { ...loaded.config.targets?.colleague, without: ['push'] } } as Config['targets'];
  const agents = await readAgents(['mine', 'guarded'], {
    ...context,
    config: { ...loaded, config: { targets } as Config },
  });
  expect(agents).toMatchObject([{ without: ['push'] }, {}]);
  expect(agents).not.toMatchObject([{}, { without: [] }]);
});

describe('readAgents, for agents described on the command line', () => {
  test.each([
    ['ag-ui:http://127.0.0.1:8000/', 'ag-ui', 'ag-ui:http://127.0.0.1:8000/'],
    ['ag-ui:http://me:cnry-word@127.0.0.1:8000/a', 'ag-ui', 'ag-ui:http://127.0.0.1:8000/a…'],
    ['ag-ui:http://127.0.0.1:8000/?code=cnry-code', 'ag-ui', 'ag-ui:http://127.0.0.1:8000/…'],
    ['a2a:http://127.0.0.1:9000', 'a2a', 'a2a:http://127.0.0.1:9000/'],
    ['command:node agent.js --key cnry-key {{prompt}}', 'command', 'command:node'],
    ['command:KEY=cnry-key /opt/agents/mine', 'command', 'command:mine'],
    ['command:"/opt/my agents/mine" x', 'command', 'command:mine'],
    ['team-1=command:node agent.js --key cnry-key', 'command', 'team-1'],
    ['web=ag-ui:http://me:cnry-word@127.0.0.1:8000/a', 'ag-ui', 'web'],
  ])('reads %s as kind %s named "%s" without secrets', async (text, kind, name) => {
    const agents = await agentsOf(text);
    expect(agents).toMatchObject([{ kind, name }]);
    expect(JSON.stringify(agents)).not.toMatch(/cnry/);
  });

  test('numbers agents that share a name', async () => {
    const agents = await agentsOf('command:node a', 'command:node b', 'command:node c');
    expect(agents.map(({ name }) => name)).toEqual(['command:node', 'command:node-2', 'command:node-3']);
  });

  test.each([
    ['command:node', false],
    ['ag-ui:http://127.0.0.1:8000/…', false],
    ['ag-ui:http://127.0.0.1:8000/', true],
    ['mine', true],
    ['guarded', true],
  ])('tells whether %s can be found again by its name: %s', (name, isWhole) => {
    expect(isWholeName({ name })).toBe(isWhole);
  });
});

describe('readAgents, for values that are not agents', () => {
  test.each([
    ['gulible', 'did you mean gullible?'],
    ['colleage', 'did you mean colleague?'],
    ['externl', 'did you mean external?'],
    ['ag_ui:http://127.0.0.1/', 'did you mean ag-ui:…?'],
    ['comand:KEY=cnry-key node', 'did you mean command:…?'],
    ['toString', /^\S+ was read, and has the targets program, .*; it can be gullible, .*, command:PROGRAM, or NAME=/],
    ['guarded=command:node', 'choose a name that no agent has yet'],
    ['program=command:node cnry-key', 'choose a name that no agent has yet'],
    ['x=y', /it can be gullible/],
    ['mine=http://me:cnry-word@127.0.0.1/', /it can be gullible/],
    ['http://me:cnry-word@127.0.0.1/', /ag-ui: or a2a:/],
    ['ag-ui:localhost', /such as ag-ui:/],
    ['a2a:localhost', /such as a2a:/],
    ['llm:', /such as llm:/],
    ['command:', /such as "command:/],
    ['command:KEY=cnry-key', /such as "command:/],
    ['command:KEY=cnry-key node | tee', /let a shell do it/],
    ['command:node {{promt}} cnry-key', /such as "command:/],
  ])('refuses %s with the hint %s and without secrets', async (text, hint) => {
    const wrong = await wrongOf(text);
    expect(wrong.hint).toMatch(hint);
    expect(`${wrong.message}${wrong.hint}`).not.toMatch(/cnry/);
  });

  test.each([['guarded'], ['program'], ['command:node a']])('refuses %s given twice', async (text) => {
    expect((await wrongOf(text, text)).about).toMatchObject({ flag: 'agent', problem: 'was given already' });
  });

  test('hints at OPENAI_API_KEY for a model without a key', async () => {
    expect(await readAgents(['llm:small'], { cwd: '/', environment: {} })).toMatchObject({
      hint: expect.stringMatching(/OPENAI_API_KEY/),
    });
  });
});

test.each([
  ['guarded', true],
  ['colleague', true],
  ['llm:any', true],
  ['command:node-2', true],
  ['nobody', false],
  ['constructor', false],
])('isAgentValue tells whether a baseline may name the agent %s: %s', (name, is) => {
  expect(isAgentValue(name, loaded)).toBe(is);
});
