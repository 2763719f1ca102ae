import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCli } from '../cli/run-cli.ts';
import { freshFolder } from '../support/fresh-folder.ts';

// Secrets are planted in every place that can hold one, the other side repeats everything that it gets, and then
// everything that was written or printed is searched.

const planted = 'planted-9f8e7d6c5b4a39281706';
/** The secret itself, and its form as a user's password in a header. */
const forms = [planted, Buffer.from(`me:${planted}`).toString('base64')];

/** Whether the secret reached its receiver, so that it could be repeated there. */
let wasHeard = false;

/** Says back whatever it was sent, in the way that the path asks for. */
function parrot(request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1/').pathname;
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const heard = JSON.stringify([request.url, request.headers, body]);
    wasHeard ||= forms.some((form) => heard.includes(form));
    if (path.startsWith('/words'))
      // A server may choose the text of its HTTP status.
      response.writeHead(401, `bad key ${request.headers.authorization}`).end('no');
    else if (path.startsWith('/refuses'))
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `bad key in ${heard}` } }));
    else if (path.startsWith('/events'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(
        [
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: heard },
          { type: 'TEXT_MESSAGE_END', messageId: 'm' },
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        ]
          .map((event) => `data: ${JSON.stringify(event)}\n\n`)
          .join(''),
      );
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ heard }));
  });
}

const server = createServer(parrot);
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

interface Plant {
  readonly args: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly config?: unknown;
  readonly files?: readonly (readonly [string, string])[];
}

const chatter = `process.env.KEY ??= process.env.K;
console.error('my key is ' + process.env.KEY);
console.log('I was given ' + process.env.KEY + ' and ' + process.argv.slice(2));
process.exit(Number(process.env.CODE ?? 0));`;

const headers = { authorization: 'Bearer {{env.PLANTED}}' };
const target = (mine: unknown): Pick<Plant, 'config' | 'args'> => ({
  args: ['--agent', 'mine'],
  config: { targets: { mine } },
});
const client = `
oatf: "0.1"
attack:
  name: A client
  execution:
    mode: mcp_client
    state: { actions: [{ list_tools: null }] }
  indicators:
    - { id: one, protocol: mcp, target: "tools[*].name", pattern: { contains: nothing } }
`;

const user = `
oatf: "0.1"
attack:
  name: A user
  execution:
    mode: ag_ui_client
    state:
      run_agent_input:
        { threadId: t, runId: r, messages: [{ id: m, role: user, content: Hello }], tools: [], context: [], state: {}, forwardedProps: {} }
  indicators:
    - { id: one, protocol: ag_ui, target: response.content, pattern: { contains: nothing of the kind } }
`;

const plants: readonly (readonly [string, () => Plant])[] = [
  [
    'the key of a model whose server refuses and repeats it',
    () => ({
      args: ['--agent', 'llm:openai/some'],
      environment: { OPENAI_API_KEY: planted, OPENAI_BASE_URL: `${base}/refuses` },
    }),
  ],
  [
    'the key of a model, read from a file',
    () => ({
      ...target({ llm: 'anthropic/some', baseUrl: `${base}/refuses`, keyFile: 'key' }),
      files: [['key', planted]],
    }),
  ],
  ['a header of an AG-UI agent that repeats it', () => target({ agUi: `${base}/events`, headers })],
  ['a header of an AG-UI agent that refuses it', () => target({ agUi: `${base}/refuses`, headers })],
  [
    'a header that an AG-UI agent repeats in the text of its HTTP status',
    () => target({ agUi: `${base}/words`, headers }),
  ],
  [
    'a header that an HTTP agent repeats in the text of its HTTP status',
    () => target({ http: `${base}/words`, headers }),
  ],
  [
    'a token that an MCP server repeats in the text of its HTTP status',
    () => ({
      args: ['client.yaml', '--connect', `${base}/words`],
      environment: { OATF_BEARER: planted },
      files: [['client.yaml', client]],
    }),
  ],
  ['a header of an HTTP agent that repeats it', () => target({ http: `${base}/chat`, headers })],
  ['a header of an HTTP agent that refuses it', () => target({ http: `${base}/refuses`, headers })],
  [
    'a value in the body of a request to an HTTP agent',
    () => target({ http: `${base}/refuses`, body: { key: '{{env.PLANTED}}', prompt: '{{prompt}}' } }),
  ],
  ['a header of an A2A agent that refuses it', () => target({ a2a: `${base}/refuses/`, headers })],
  [
    'a header of the request that configures an agent',
    () =>
      target({
        agUi: `${base}/events`,
        configure: { url: `${base}/refuses`, headers, body: { mcp: '{{mcp_config}}' } },
      }),
  ],
  [
    'a password in an address',
    () => ({ args: ['--agent', `ag-ui:${base.replace('//', `//me:${planted}@`)}/refuses`] }),
  ],
  ['a token in an address', () => ({ args: ['--agent', `ag-ui:${base}/refuses?token=${planted}`] })],
  [
    'an environment variable that a program prints',
    () => ({
      ...target({ command: ['node', 'chatter.mjs'], env: { KEY: '{{env.PLANTED}}' } }),
      files: [['chatter.mjs', chatter]],
    }),
  ],
  [
    'an environment variable that a program prints before it fails',
    () => ({
      ...target({ command: ['node', 'chatter.mjs'], env: { KEY: '{{env.PLANTED}}', CODE: '1' } }),
      files: [['chatter.mjs', chatter]],
    }),
  ],
  [
    'an environment variable set on the command line',
    () => ({
      args: ['--agent', `command:K=${planted} node chatter.mjs`],
      files: [['chatter.mjs', chatter]],
    }),
  ],
  [
    'an argument of a program, taken from the environment',
    () => ({
      ...target({ command: ['node', 'chatter.mjs', '{{env.PLANTED}}'] }),
      files: [['chatter.mjs', chatter]],
    }),
  ],
  [
    'an environment variable of a server that is started and dies',
    () => ({
      ...target({
        agUi: 'http://127.0.0.1:9/',
        start: { command: ['node', 'chatter.mjs'], env: { KEY: '{{env.PLANTED}}', CODE: '1' } },
      }),
      files: [['chatter.mjs', chatter]],
    }),
  ],
  [
    'a --header that a server refuses and repeats',
    () => ({
      args: ['client.yaml', '--connect', `${base}/refuses`, '--header', `x-api-key: ${planted}`],
      files: [['client.yaml', client]],
    }),
  ],
  [
    'a bearer token that a server repeats',
    () => ({
      args: ['client.yaml', '--connect', `${base}/chat`],
      environment: { OATF_BEARER: planted },
      files: [['client.yaml', client]],
    }),
  ],
  [
    'a header that the configuration has for a server',
    () => ({
      args: ['client.yaml', '--agent', 'external'],
      config: { connect: { '*': { url: `${base}/refuses`, headers } } },
      files: [['client.yaml', client]],
    }),
  ],
];

interface Ran {
  readonly out: string;
  readonly printed: string;
}

async function play({ args, environment, config, files = [] }: Plant): Promise<Ran> {
  const folder = freshFolder([
    ...files,
    ['user.yaml', user] as const,
    ...(config === undefined ? [] : [['oatf.config.json', JSON.stringify(config)] as const]),
  ]);
  const documents = args[0]?.endsWith('.yaml') ? [] : ['user.yaml'];
  const flags = ['--out', 'out', '--verbose', '--timeout', '20s', '--reporter', 'text=report.txt'];
  const { stdout, stderr } = await callCli({
    args: ['run', ...documents, ...args, ...flags],
    folder,
    environment: { PATH: process.env.PATH, HOME: folder, PLANTED: planted, ...environment },
  });
  return { out: folder, printed: stdout + stderr };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a planted secret', () => {
  test.each(plants)('is neither printed nor stored: %s', async (_, make) => {
    const plant = make();
    wasHeard = false;
    const { out, printed } = await play(plant);
    expect(wasHeard).toBe(!JSON.stringify(plant).includes('chatter.mjs'));
    // The run got as far as to be stored, so that there is something to search.
    const stored = filesBelow(join(out, 'out'));
    expect(stored.map((path) => path.split('/').at(-1))).toContain('results.json');
    for (const form of forms) {
      expect(printed).not.toContain(form);
      for (const path of [...stored, join(out, 'report.txt')])
        expect(readFileSync(path, 'latin1'), path).not.toContain(form);
    }
  });
});
