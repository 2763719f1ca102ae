import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Target } from '../../../src/agents/adapters/targets.ts';
import type { RunEntry } from '../../../src/format/model/results-file.ts';
import { load } from '../../../src/index.ts';
import { createAgentOfTarget } from '../../../src/suite/config/target-agent.ts';
import { planSuite } from '../../../src/suite/plan/plan.ts';
import { playSuite } from '../../../src/suite/play-suite.ts';
import { hasAbsentAgent, listAbsentAgents } from '../../../src/suite/store/absent-agents.ts';
import { textOf } from '../plan/planned.ts';

// A target that is not there, over every way to speak to one.

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
});

function listen(server: Server): Promise<string> {
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  });
}

/** An address without a listener: its server was just closed. */
async function nowhere(): Promise<string> {
  const url = await listen(createTcpServer());
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))));
  return url;
}

function answering(status: number): Promise<string> {
  return listen(
    createServer((request, response) => {
      request.resume();
      response.writeHead(status, { connection: 'close', 'content-type': 'text/plain' }).end('no');
    }),
  );
}

const documents = ['A-001', 'B-001', 'C-001', 'D-001', 'E-001'].map((id) => {
  const text = textOf(id);
  const loaded = load(text);
  if (!loaded.ok) throw new Error(`${id} is not valid`);
  return { ...loaded, file: `${id}.yaml`, text };
});

async function attack(target: Target) {
  const agent = createAgentOfTarget('mine', target, { environment: {}, folder: '.' });
  if ('problem' in agent) throw new Error(agent.problem);
  const { results, absent } = await playSuite({
    plan: planSuite({ documents, agents: [agent] }),
    documents,
    agents: [agent],
    settings: { limits: { graceMs: 0, sessionMs: 20_000 } },
  });
  if (results === undefined) throw new Error('nothing has run');
  return { results, absent: [...(absent?.keys() ?? [])] };
}

const kinds = {
  agUi: (agUi: string): Target => ({ agUi }),
  http: (http: string): Target => ({ http }),
  a2a: (a2a: string): Target => ({ a2a }),
};

describe.each(Object.entries(kinds))('a target of the kind %s', (_, target) => {
  test.each<[what: string, place: () => Promise<string>, isAbsent: boolean]>([
    ['is given up after three runs if nobody listens', nowhere, true],
    ['is given up after three runs if it answers 401', () => answering(401), true],
    ['is given up after three runs if it answers 403', () => answering(403), true],
    ['is given up after three runs if it answers 404', () => answering(404), true],
    ['is not given up if it answers 400', () => answering(400), false],
    ['is not given up if it answers 429', () => answering(429), false],
    ['is not given up if it answers 500', () => answering(500), false],
  ])('%s', async (_what, place, isAbsent) => {
    const { results, absent } = await attack(target(await place()));
    expect(absent).toEqual(isAbsent ? ['mine'] : []);
    expect(results.runs).toHaveLength(isAbsent ? 3 : 5);
    expect(results.runs.every(({ unreachable = false }) => unreachable === isAbsent)).toBe(true);
    expect(results.runs.every(({ cause }) => cause === 'trouble')).toBe(true);
    expect(results.not_run?.map(({ reason, runs }) => [reason, runs])).toEqual(
      isAbsent
        ? [
            ['unreachable', 1],
            ['unreachable', 1],
          ]
        : undefined,
    );
    expect(hasAbsentAgent(results)).toBe(isAbsent);
  });
});

test.each<[what: string, target: Target, isAbsent: boolean]>([
  ['gives up a program that does not exist', { command: 'there-is-no-such-program' }, true],
  [
    'gives up a server that cannot be started',
    { agUi: 'http://127.0.0.1:1/', start: { command: 'there-is-none' } },
    true,
  ],
  ['does not give up a program that fails', { command: ['node', '-e', 'process.exit(3)'] }, false],
])('playSuite %s', async (_, target, isAbsent) => {
  const { results, absent } = await attack(target);
  expect([absent.length, results.runs.length]).toEqual(isAbsent ? [1, 3] : [0, 5]);
});

test('playSuite gives up a model service that answers 401', async () => {
  const baseUrl = await answering(401);
  const { results, absent } = await attack({ llm: 'small', baseUrl });
  expect([absent.length, results.runs.length]).toEqual([1, 3]);
});

test('listAbsentAgents counts absences in a row, in the order in which stored runs finished', () => {
  const run = (agent: string, unreachable?: true) =>
    ({ agent, outcome: 'inconclusive', ...(unreachable && { unreachable }) }) as unknown as RunEntry;
  const gone = [run('a', true), run('b', true), run('a', true), run('b'), run('a', true), run('b', true)];
  expect([...listAbsentAgents(gone)]).toEqual(['a']);
});
