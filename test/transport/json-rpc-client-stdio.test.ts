import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/engine/messages.ts';
import type { Value } from '../../src/index.ts';
import type { CommandPeer, JsonRpcClientLimits } from '../../src/transport/json-rpc-client.ts';
import { bundle } from '../support/bundle.ts';
import { type OpenedClient, openClient, rawOf } from '../support/json-rpc-peer.ts';

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
     const lines = require('readline').createInterface({ input: process.stdin });
     ${before};
     lines.on('line', (line) => { let id, method; try { ({ id, method } = JSON.parse(line)); } catch {} ${onLine} });`,
  ],
});

async function ask(target: CommandPeer, limits?: Partial<JsonRpcClientLimits>): Promise<OpenedClient> {
  open = await openClient(target, limits);
  open.ask('a-1', 'tools/list', {});
  return open;
}

const answerLine = (result: string): string =>
  `out('{"jsonrpc":"2.0","id":"' + id + '","result":${result}}\\n');`;

describe('what goes out', () => {
  test.each<[string, Value | undefined]>([
    ['no params', undefined],
    ['null', null],
    ['a list', [1, [2, {}]]],
    ['a text', 'x\ny\u2028 "quoted"'],
    ['a number', 1.5e300],
    ['own keys of odd names', JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}') as Value],
    ['characters beyond the first plane, and half of one', 'é漢😀\ud83d'],
    ['much', 'x'.repeat(3_000_000)],
    ['deep', Array.from({ length: 400 }).reduce<Value>((inner) => [inner], 'core')],
  ])('%s goes out as it is', async (_what, params) => {
    const client = await openClient(
      program(`out(JSON.stringify({ jsonrpc: '2.0', id, result: { line } }) + '\\n');`),
    );
    open = client;
    client.ask('a-1', 'odd method\t', params);
    const { answer } = await client.next('answer');
    const { line } = (answer as unknown as { result: { line: string } }).result;
    const expected = { jsonrpc: '2.0', id: 'a-1', method: 'odd method\t', params };
    expect(line).toBe(JSON.stringify(expected));
    expect(client.sent).toEqual(['a-1']);
  });
  test('answers go back under the very id', async () => {
    const ids = ['null', '1.5', '{"a":[1]}', '"text"', '0', 'true'];
    const sends = ids.map((id) => `out('{"jsonrpc":"2.0","id":${id},"method":"ping"}\\n');`).join('');
    const client = await openClient(
      program(`if (method === undefined) process.stderr.write(line + '\\n')`, sends),
    );
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

describe('what comes in', () => {
  const rows: [string, string, (messages: Incoming[]) => unknown, unknown][] = [
    [
      'an answer',
      answerLine('{"a":1}'),
      (messages) => messages.filter(({ kind }) => kind === 'answer'),
      [{ kind: 'answer', session: 'stdio', ask: 'a-1', answer: { kind: 'result', result: { a: 1 } } }],
    ],
    [
      'an error',
      `out('{"jsonrpc":"2.0","id":"a-1","error":{"code":-1,"extra":[]}}\\n');`,
      (messages) => messages.find(({ kind }) => kind === 'answer'),
      expect.objectContaining({ answer: { kind: 'error', error: { code: -1, extra: [] } } }),
    ],
    [
      'an error under null, which can only be meant for this',
      `out('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}\\n');`,
      (messages) => messages.find(({ kind }) => kind === 'answer'),
      expect.objectContaining({ ask: 'a-1' }),
    ],
    [
      'the wrong id, and then the right one',
      `out('{"jsonrpc":"2.0","id":"b-7","result":{}}\\n');${answerLine('{}')}`,
      (messages) =>
        messages.flatMap((each) => (each.kind === 'refused' ? [[each.message, each.reason]] : [])),
      [[{ kind: 'response', id: 'b-7', content: {} }, 'a response to no request of ours: id "b-7"']],
    ],
    [
      'two answers',
      `${answerLine('{"n":1}')}${answerLine('{"n":2}')}out('{"jsonrpc":"2.0","method":"end"}\\n')`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      [{ n: 2 }],
    ],
    [
      'a batch',
      `out('[{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":"a-1","result":{}}]\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['notification', 'refused', 'answer'],
    ],
    [
      'an empty batch',
      `out('[]\\n');${answerLine('{}')}`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['malformed', 'answer'],
    ],
    [
      'invalid UTF-8, read as Latin-1',
      `out([0x22, 0xff, 0xfe, 0x22, 0x0a]);${answerLine('{}')}`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      ['\xff\xfe'],
    ],
    [
      'a key twice: read, and kept',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{"a":1,"a":2}}\\n');`,
      (messages) =>
        messages.flatMap((each): unknown[] =>
          each.kind === 'refused' ? [each.message.content] : each.kind === 'answer' ? [each.answer] : [],
        ),
      [{ a: 1 }, { kind: 'result', result: { a: 2 } }],
    ],
    [
      'keys that JSON-RPC does not have: read, and kept',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{},"trace":"x"}\\n');`,
      (messages) => messages.flatMap((each) => (each.kind === 'refused' ? [each.message.content] : [])),
      [{ trace: 'x' }],
    ],
    [
      'both a result and an error: the call is over',
      `out('{"jsonrpc":"2.0","id":"a-1","result":{},"error":{}}\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'refused', 'end'],
    ],
    [
      'noise before, between and around lines',
      `out('starting up…\\n\\r\\n\\n');out('{"jsonrpc":"2.0",');out('"id":"a-1","result":{}}\\r\\n');`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'malformed', 'answer'],
    ],
    [
      'a message that is nested too deep',
      `out('['.repeat(600) + ']'.repeat(600) + '\\n');${answerLine('{}')}`,
      (messages) => messages.map(({ kind }) => kind).slice(1),
      ['refused', 'malformed', 'answer'],
    ],
    [
      'wrong types',
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
  test('an error under null means nobody where two are asked', async () => {
    const client = await openClient(
      program(`if (id === 'a-2') out('{"jsonrpc":"2.0","id":null,"error":{"code":-32600}}\\n');`),
    );
    open = client;
    client.ask('a-1', 'x');
    client.ask('a-2', 'x');
    expect((await client.next('refused')).reason).toContain('no request of ours');
  });
  test('a line without an end is not held in memory', async () => {
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

describe('a program that starts slowly', () => {
  const says = (result: string): string =>
    `'{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":${result}}\\n'`;
  const discovered = says('{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}');

  test('is met with a handshake, and speaks its era even if it knew the other', async () => {
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
    const told = open.received.flatMap((each) => (each.kind === 'log' ? [each.message] : []));
    expect(told).toEqual([
      'it does not know server/discover (it does not answer), so a handshake follows',
      'it has answered server/discover too late: the handshake stands',
    ]);
    expect(open.received.filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  });

  test('is asked again if it knows no handshake', async () => {
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

describe('a program that refuses a version', () => {
  const refused = (supported: string): string =>
    `out('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"error":{"code":-32022,"message":"no","data":{"supported":${supported}}}}\\n')`;
  const said = (result: string): string =>
    `out('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',"result":${result}}\\n')`;
  const discovered = said('{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}');
  const shaken = said('{"protocolVersion":"2025-11-25","capabilities":{}}');

  test.each([
    ['and names ours is asked once more', '["2026-07-28"]', discovered, '2026-07-28'],
    ['and names ours again is met with a handshake', '["2026-07-28"]', refused('["2026-07-28"]'), undefined],
    ['and names only older ones is met with a handshake', '["2025-11-25"]', discovered, undefined],
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

describe('the life of a program', () => {
  test('one that is not there', async () => {
    await expect(openClient({ command: 'no-such-program-here' })).rejects.toThrow(
      'there is no program "no-such-program-here"',
    );
  });
  test('a program that floods us and ends: all of it is taken before its end is told', async () => {
    const flood = `out('y\\n'.repeat(9_000)); ${answerLine('{}')} process.stdout.end(() => process.exit(0));`;
    const client = await ask(program(flood));
    await client.next('connection', ({ event }) => event === 'closed');
    const kinds = client.received.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'malformed')).toHaveLength(9_000);
    expect(kinds.slice(-2)).toEqual(['answer', 'connection']);
  });
  test('one that dies with a call open says how, and what it said last', async () => {
    const client = await ask(
      program(`process.stderr.write('out of luck\\n'); out('{"half'); process.exit(3);`),
    );
    const { reason } = await client.next('end');
    expect(reason).toBe('the program ended with exit code 3: out of luck');
    await client.next('connection', ({ event }) => event === 'closed');
    expect(client.received.filter(({ kind }) => kind === 'malformed').map(rawOf)).toEqual(['{"half']);
    expect(client.transport.isConnected()).toBe(false);
  });
  test('… and what is asked after that ends at once', async () => {
    const client = await ask(program('process.kill(process.pid, "SIGKILL")'));
    expect((await client.next('end')).reason).toContain('by SIGKILL');
    client.ask('a-2', 'x');
    await client.next('end', (message) => message.ask === 'a-2');
    expect(client.sent).toEqual(['a-1']);
  });
  test('standard error is kept up to a bound', async () => {
    const client = await ask(
      program(
        `for (let n = 0; n < 1000; n++) process.stderr.write('line ' + n + '\\n'); ${answerLine('{}')}`,
      ),
      { logBytes: 30 },
    );
    await client.next('log', ({ message }) => message.includes('not kept'));
    await client.next('answer');
    expect(client.received.filter(({ kind }) => kind === 'log').length).toBeLessThan(8);
  });
  test.each<[string, Partial<CommandPeer>, Record<string, boolean>]>([
    ['clean by default', {}, { OATF_TEST_SECRET: false, PATH: true, OWN: false }],
    ['with variables of its own', { env: { OWN: 'x' } }, { OATF_TEST_SECRET: false, PATH: true, OWN: true }],
    ['inherited if wanted', { environment: 'inherited' }, { OATF_TEST_SECRET: true, PATH: true, OWN: false }],
  ])('its environment: %s', async (_what, more, expected) => {
    process.env.OATF_TEST_SECRET = 'hush';
    const target = program(`out(JSON.stringify({ jsonrpc: '2.0', id, result: process.env }) + '\\n')`);
    const client = await ask({ ...target, ...more });
    delete process.env.OATF_TEST_SECRET;
    const { answer } = await client.next('answer');
    const seen = (answer as unknown as { result: Record<string, string> }).result;
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, name in seen]))).toEqual(expected);
  });
});

describe('the end', () => {
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
    ['one that leaves when its input ends', ''],
    ['one that stays, and will not be told', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`],
    ['children that will not be told', 'sleeper({});'],
    ['… and one that is left behind', `sleeper({}); process.stdin.on('end', () => process.exit(0));`],
    ['… and one in a group of its own', 'sleeper({ detached: true });'],
  ])('nothing is left of %s', async (name, body) => {
    const client = await ask(family(name.replace(/\W/g, ''), body), { goodbyeMs: 150 });
    const pids = await pidsOf(client);
    expect(pids.every(isRunning)).toBe(true);
    await client.close();
    expect(pids.filter(isRunning)).toEqual([]);
  });
  test('nothing is left when we are gone ourselves', async () => {
    const script = join(folder, 'leaves.cjs');
    const target = JSON.stringify(family('left', 'sleeper({});'));
    writeFileSync(
      script,
      `${await bundle('src/transport/json-rpc-client.ts', 'node')}
       const client = module.exports.createJsonRpcClient({ target: () => (${target}) });
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
