import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type {
  CommandPeer,
  JsonRpcClientLimits,
} from '../../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { Value } from '../../../src/index.ts';
import { bundle } from '../../support/bundle.ts';
import { type OpenedClient, openClient, rawOf } from '../../support/json-rpc-peer.ts';

// Real programs over real pipes: each is a few lines that misbehave in one way.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oatf-stdio-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let open: OpenedClient | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** A program that does this with each line it reads; `out` writes bytes, `id` is that of the request. */
const program = (onLine: string, before = ''): CommandPeer => ({
  command: process.execPath,
  args: [
    '-e',
    `const out = (text) => process.stdout.write(typeof text === 'string' ? text : Buffer.from(text));
     const onLine = (line) => { let id, method; try { ({ id, method } = JSON.parse(line)); } catch {} ${onLine} };
     ${before};
     // Node's readline also ends a line at U+2028 since Node 24.
     let rest = '';
     process.stdin.setEncoding('utf8').on('data', (text) => {
       const lines = (rest + text).split('\\n');
       rest = lines.pop();
       for (const line of lines) onLine(line);
     });`,
  ],
});

async function ask(target: CommandPeer, limits?: Partial<JsonRpcClientLimits>): Promise<OpenedClient> {
  open = await openClient(target, limits);
  open.ask('a-1', 'tools/list', {});
  return open;
}

const answerLine = (result: string): string => `out('{"jsonrpc":"2.0","id":"' + id + '","result":${result}}\\n');`;

describe('our MCP client sending over standard streams', () => {
  test.each<[string, Value | undefined]>([
    ['no params', undefined],
    ['null as params', null],
    ['a list as params', [1, [2, {}]]],
    ['a text as params', 'x\ny\u2028 "quoted"'],
    ['a number as params', 1.5e300],
    ['keys with unusual names', JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}') as Value],
    ['characters beyond the first plane, and half of one', 'é漢😀\ud83d'],
    ['three megabytes', 'x'.repeat(3_000_000)],
    ['a value nested 400 levels deep', Array.from({ length: 400 }).reduce<Value>((inner) => [inner], 'core')],
  ])('writes %s unchanged', async (_what, params) => {
    const client = await openClient(program(`out(JSON.stringify({ jsonrpc: '2.0', id, result: { line } }) + '\\n');`));
    open = client;
    client.ask('a-1', 'odd method\t', params);
    const { answer } = await client.next('answer');
    const { line } = (answer as unknown as { result: { line: string } }).result;
    const expected = { jsonrpc: '2.0', id: 'a-1', method: 'odd method\t', params };
    expect(line).toBe(JSON.stringify(expected));
    expect(client.sent).toEqual(['a-1']);
  });
  test('answers each request under exactly its own id', async () => {
    const ids = ['null', '1.5', '{"a":[1]}', '"text"', '0', 'true'];
    const sends = ids.map((id) => `out('{"jsonrpc":"2.0","id":${id},"method":"ping"}\\n');`).join('');
    const client = await openClient(program(`if (method === undefined) process.stderr.write(line + '\\n')`, sends));
    open = client;
    for (const [index] of ids.entries()) {
      const { exchange } = await client.next('request', (message) => message.exchange === String(index + 1));
      client.transport.answer(exchange, { kind: 'result', result: {} }, () => {});
    }
    await client.next('log', ({ message }) => message.includes('true'));
    const lines = client.received.flatMap((message) => (message.kind === 'log' ? message.message : []));
    expect(lines).toEqual(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`));
  });
});

describe('our MCP client receiving over standard streams', () => {
  const rows: [string, string, (messages: Incoming[]) => unknown, unknown][] = [
    [
      'takes an answer',
      answerLine('{"a":1}'),
      (messages) => messages.filter(({ kind }) => kind === 'answer'),
      [{ kind: 'answer', session: 'stdio', ask: 'a-1', answer: { kind: 'result', result: { a: 1 } } }],
    ],
    [
      'takes an error',
      `out('{"jsonrpc":"2.0","id":"a-1","error":{"code":-1,"extra":[]}}\\n');`,
      (messages) => messages.find(({ kind }) => kind === 'answer'),
      expect.objectContaining({ answer: { kind: 'error', error: { code: -1, extra: [] } } }),
    ],
    [
      'takes an error under the id null for the only open call',
      `out('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}\\n');`,
      (messages) => messages.find(({ kind }) => kind === 'answer'),
      expect.objectContaining({ ask: 'a-1' }),
    ],
    [
      'refuses a response with a wrong id, and still takes the right one',
      `out('{"jsonrpc":"2.0","id":"b-7","result":{}}\\n');${answerLine('{}')}`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [[each.message, each.reason]] : [])),
      [[{ kind: 'response', id: 'b-7', content: {} }, 'a response to no request of ours: id "b-7"']],
    ],
    [
      'refuses a second answer',
      `${answerLine('{"n":1}')}${answerLine('{"n":2}')}out('{"jsonrpc":"2.0","method":"end"}\\n')`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      [{ n: 2 }],
    ],
    [
      'takes each entry of a batch by itself',
      `out('[{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":"a-1","result":{}}]\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['notification', 'refused', 'answer'],
    ],
    [
      'records an empty batch as malformed',
      `out('[]\\n');${answerLine('{}')}`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['malformed', 'answer'],
    ],
    [
      'reads invalid UTF-8 as Latin-1',
      `out([0x22, 0xff, 0xfe, 0x22, 0x0a]);${answerLine('{}')}`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      ['\xff\xfe'],
    ],
    [
      'takes a message with a repeated key, and keeps the value that is lost',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{"a":1,"a":2}}\\n');`,
      (messages) =>
        messages.flatMap((each): unknown[] =>
          each.kind === 'refused' ? [each.message.content] : each.kind === 'answer' ? [each.answer] : [],
        ),
      [{ a: 1 }, { kind: 'result', result: { a: 2 } }],
    ],
    [
      'takes a message with unknown keys, and keeps them',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{},"trace":"x"}\\n');`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      [{ trace: 'x' }],
    ],
    [
      'ends the call if an answer has both a result and an error',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{},"error":{}}\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'refused', 'end'],
    ],
    [
      'ignores noise before, between and around lines',
      `out('starting up…\\n\\r\\n\\n');out('{"jsonrpc":"2.0",');out('"id":"a-1","result":{}}\\r\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'malformed', 'answer'],
    ],
    [
      'records a message that is nested too deeply as malformed',
      `out('['.repeat(600) + ']'.repeat(600) + '\\n');${answerLine('{}')}`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'malformed', 'answer'],
    ],
    [
      'refuses messages of the wrong type',
      `for (const text of ['7', 'null', '"x"', '{}', '{"jsonrpc":"2.0","method":5}', '{"jsonrpc":1,"method":"x"}'])
         out(text + '\\n');${answerLine('{}')}`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      [7, null, 'x', {}, { jsonrpc: '2.0', method: 5 }, {}],
    ],
  ];
  test.each(rows)('%s', async (_what, sends, look, expected) => {
    const client = await ask(program(sends));
    await (sends.includes('"end"')
      ? client.next('notification')
      : Promise.race([client.next('answer'), client.next('end')]));
    expect(look(client.received)).toEqual(expected);
  });
  test('refuses an error under the id null if two calls are open', async () => {
    const client = await openClient(
      program(`if (id === 'a-2') out('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}\\n');`),
    );
    open = client;
    client.ask('a-1', 'x');
    client.ask('a-2', 'x');
    expect((await client.next('refused')).reason).toContain('no request of ours');
  });
  test('does not keep a line without end in memory', async () => {
    const client = await ask(program(`out('x'.repeat(100000)); out('y\\n');${answerLine('{}')}`), {
      messageBytes: 1_000,
      recordedBytes: 10,
    });
    await client.next('answer');
    const [long] = client.received.filter(({ kind }) => kind === 'malformed');
    expect([rawOf(long as Incoming), (long as { reason: string }).reason]).toEqual([
      'x'.repeat(10),
      expect.stringContaining('1000 bytes'),
    ]);
  });
});

describe('our MCP client and a program that starts slowly', () => {
  const says = (result: string): string => `'{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":${result}}\\n'`;
  const discovered = says('{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}');

  test('shake hands, even if the program answers the probe later', async () => {
    // It reads both questions at once, and answers them in turn.
    const target = program(
      `if (method === 'server/discover') late = ${discovered};
       else out(late + ${says('{"protocolVersion":"2025-11-25","capabilities":{}}')});`,
      `let late = ''`,
    );
    open = await openClient(target, { launchedProbeMs: 20 });
    open.ask('a-1', 'initialize', {});
    const answer = await open.next('answer');
    expect(answer).toMatchObject({ ask: 'a-1', answer: { result: { protocolVersion: '2025-11-25' } } });
    expect(answer.era).toBeUndefined();
    const reported = open.received.flatMap((each) => (each.kind === 'log' ? [each.message] : []));
    expect(reported).toEqual([
      'it does not know server/discover (it does not answer), so a handshake follows',
      'it has answered server/discover too late: the handshake stands',
    ]);
    expect(open.received.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  });

  test('try the probe again if the program refuses the handshake', async () => {
    const target = program(
      `if (method === 'server/discover') asked += 1;
       if (asked === 2) out(${discovered});
       if (method === 'initialize') out('{"jsonrpc":"2.0","id":"' + id + '","error":{"code":-32022,"message":"no"}}\\n');`,
      'let asked = 0',
    );
    open = await openClient(target, { launchedProbeMs: 20 });
    open.ask('a-1', 'initialize', {});
    const answer = await open.next('answer');
    expect(answer).toMatchObject({ ask: 'a-1', era: '2026-07-28', answer: { kind: 'result' } });
  });
});

describe('our MCP client and a program that refuses a protocol version', () => {
  const refused = (supported: string): string =>
    `out('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32022,"message":"no","data":{"supported":${supported}}}}\\n')`;
  const said = (result: string): string =>
    `out('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":${result}}\\n')`;
  const discovered = said('{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}');
  const shaken = said('{"protocolVersion":"2025-11-25","capabilities":{}}');

  test.each([
    ['try once more if the program names ours', '["2026-07-28"]', discovered, '2026-07-28'],
    [
      'shake hands if the program names ours twice and refuses it',
      '["2026-07-28"]',
      refused('["2026-07-28"]'),
      undefined,
    ],
    ['shake hands if the program names only older versions', '["2025-11-25"]', discovered, undefined],
  ])('%s', async (_, supported, second, era) => {
    const target = program(
      `if (method === 'initialize') ${shaken};
       else if ((asked += 1) === 1) ${refused(supported)};
       else ${second};`,
      'let asked = 0',
    );
    open = await openClient(target);
    open.ask('a-1', 'initialize', {});
    const answer = await open.next('answer');
    expect([answer.answer.kind, answer.era]).toEqual(['result', era]);
  });
});

describe('the program of our MCP client', () => {
  test('must exist, or else open fails', async () => {
    await expect(openClient({ command: 'no-such-program-here' })).rejects.toThrow(
      'there is no program "no-such-program-here"',
    );
  });
  test('may flood us, and all of it is taken before its end is reported', async () => {
    const flood = `out('y\\n'.repeat(9_000)); ${answerLine('{}')} process.stdout.end(() => process.exit(0));`;
    const client = await ask(program(flood));
    await client.next('connection', ({ event }) => event === 'closed');
    const kinds = client.received.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'malformed')).toHaveLength(9_000);
    expect(kinds.slice(-2)).toEqual(['answer', 'connection']);
  });
  test('says in the reason how it died, and what it said last', async () => {
    const client = await ask(program(`process.stderr.write('out of luck\\n'); out('{"half'); process.exit(3);`));
    const { reason } = await client.next('end');
    expect(reason).toBe('the program ended with exit code 3: out of luck');
    await client.next('connection', ({ event }) => event === 'closed');
    expect(client.received.filter(({ kind }) => kind === 'malformed').map(rawOf)).toEqual(['{"half']);
    expect(client.transport.isConnected()).toBe(false);
  });
  test('ends calls at once after it has died', async () => {
    const client = await ask(program('process.kill(process.pid, "SIGKILL")'));
    expect((await client.next('end')).reason).toContain('by SIGKILL');
    client.ask('a-2', 'x');
    await client.next('end', (message) => message.ask === 'a-2');
    expect(client.sent).toEqual(['a-1']);
  });
  test('has its standard error recorded up to a limit', async () => {
    const client = await ask(
      program(`for (let n = 0; n < 1000; n++) process.stderr.write('line ' + n + '\\n'); ${answerLine('{}')}`),
      { logBytes: 30 },
    );
    await client.next('log', ({ message }) => message.includes('not kept'));
    await client.next('answer');
    expect(client.received.filter(({ kind }) => kind === 'log').length).toBeLessThan(8);
  });
  test.each<[string, Partial<CommandPeer>, Record<string, boolean>]>([
    ['without inherited secrets by default', {}, { OATF_TEST_SECRET: false, PATH: true, OWN: false }],
    ['with variables of its own', { env: { OWN: 'x' } }, { OATF_TEST_SECRET: false, PATH: true, OWN: true }],
    ['inherited if asked for', { environment: 'inherited' }, { OATF_TEST_SECRET: true, PATH: true, OWN: false }],
  ])('has an environment %s', async (_what, more, expected) => {
    process.env.OATF_TEST_SECRET = 'hush';
    const target = program(`out(JSON.stringify({ jsonrpc: '2.0', id, result: process.env }) + '\\n')`);
    const client = await ask({ ...target, ...more });
    delete process.env.OATF_TEST_SECRET;
    const { answer } = await client.next('answer');
    const seen = (answer as unknown as { result: Record<string, string> }).result;
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, name in seen]))).toEqual(expected);
  });
});

describe('close of our MCP client over standard streams', () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
    } catch {
      return false;
    }
  };
  /** Reports its own process id and those of all processes that it has started. */
  const family = (name: string, body: string): CommandPeer => {
    const path = join(folder, `${name}.cjs`);
    writeFileSync(
      path,
      `const { spawn } = require('child_process'); const pids = [process.pid];
       const sleeper = (options) => pids.push(spawn(process.execPath, ['-e', ${JSON.stringify(
         `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`,
       )}], { stdio: 'inherit', ...options }).pid);
       ${body}
       process.stdin.on('data', () => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 'a-1', result: pids }) + '\\n'));`,
    );
    return { command: process.execPath, args: [path] };
  };
  const pidsOf = async (client: OpenedClient): Promise<number[]> =>
    ((await client.next('answer')).answer as unknown as { result: number[] }).result;

  test.each<[string, string]>([
    ['a program that leaves when its input ends', ''],
    ['a program that ignores signals', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`],
    ['children that ignore signals', 'sleeper({});'],
    ['a child that the program left behind', `sleeper({}); process.stdin.on('end', () => process.exit(0));`],
    ['a child in a group of its own', 'sleeper({ detached: true });'],
  ])('leaves no process behind of %s', async (name, body) => {
    const client = await ask(family(name.replace(/\W/g, ''), body), { goodbyeMs: 150 });
    const pids = await pidsOf(client);
    expect(pids.every(isRunning)).toBe(true);
    await client.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });
  test('is not needed for children to end when we ourselves are gone', async () => {
    const script = join(folder, 'leaves.cjs');
    const target = JSON.stringify(family('left', 'sleeper({});'));
    writeFileSync(
      script,
      `${await bundle('src/attack/transport/mcp-client/mcp-client-transport.ts', 'node')}
       const client = module.exports.createMcpClient({ target: () => (${target}) });
       client.open((message) => { if (message.kind === 'answer') { console.log(JSON.stringify(message.answer.result)); process.exit(1); } })
         .then(() => client.ask('every session', 'a-1', 'x', {}, () => {}));`,
    );
    let output = '';
    try {
      execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    const pids = JSON.parse(output) as number[];
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});
