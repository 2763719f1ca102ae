import { describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type { PlayableMode, RunOptions } from '../../../src/attack/engine/run-document.ts';
import { both, call, clientActor, documentOf, one, play, request, serverActor } from '../../support/plain-run.ts';
import { client, server } from '../../support/stepped.ts';
import { VirtualTransport } from '../../support/virtual-run.ts';

// A run of several actors, whatever their protocols: who is played, how it begins, and what is recorded.

describe('the records of startRun', () => {
  test('are numbered from 0 and have the time', async () => {
    const virtual = await play(one);
    virtual.clock.advance(1_000);
    virtual.peer().deliver(request);
    expect(virtual.records.map(({ seq, timestamp }) => [seq, timestamp.slice(17)])).toEqual([
      [0, '00.000Z'],
      [1, '01.000Z'],
      [2, '01.000Z'],
    ]);
  });
  test.each([
    [3, 'stopped'],
    [2, 'flood'],
  ])('are limited: a limit of %i for three records ends the run by %s', async (records, reason) => {
    const virtual = await play(one, { records });
    virtual.peer().deliver(request);
    virtual.run.stop();
    expect((await virtual.run.ended).reason).toBe(reason);
  });
  test('stop when the run has ended', async () => {
    const virtual = await play(one);
    virtual.run.stop();
    await virtual.run.ended;
    virtual.peer().deliver(request);
    expect(virtual.records.map(({ kind }) => kind)).toEqual(['phase']);
  });
});

test('startRun records what a transport reports while it closes', async () => {
  const virtual = await play(one);
  const peer = virtual.peer();
  const settled = async (): Promise<void> =>
    peer.deliver({ kind: 'malformed', raw: '', reason: 'it left', cause: 'cut_off' });
  Object.assign(peer, { settled });
  virtual.run.stop();
  await virtual.run.ended;
  expect(virtual.records.map(({ kind }) => kind)).toEqual(['phase', 'malformed']);
});

test('startRun reports each warning once', async () => {
  const virtual = await play(one);
  const reported = [
    ['O-1', 'text'],
    ['O-1', 'text'],
    ['O-1', 'other'],
    ['O-2', 'text'],
    ['O-1', 'text'],
  ] as const;
  for (const [code, message] of reported) virtual.peer().deliver({ kind: 'warning', code, message });
  virtual.run.stop();
  const { diagnostics } = await virtual.run.ended;
  expect(diagnostics.map(({ code, message }) => `${code} ${message.slice(-5).trim()}`)).toEqual([
    'O-1 text',
    'O-1 other',
    'O-2 text',
  ]);
});

describe('startRun, when phases ended before the agent came', () => {
  const after = { trigger: { after: '1s' } };
  const phases = [{ name: 'x', state: {}, ...after }, { name: 'y', ...after }, { name: 'z' }];
  test.each<[number, readonly string[]]>([
    [999, []],
    [1_000, ['phase "x" of "a"']],
    [2_000, ['phases "x", "y" of "a"']],
  ])('reports the phases that an agent missed that comes after %i ms: %j', async (arrives, expected) => {
    const virtual = await play(documentOf(serverActor('a', ...phases)));
    virtual.clock.advance(arrives);
    virtual.peer().deliver(request);
    virtual.clock.advance(5_000);
    virtual.peer().deliver(request);
    virtual.run.stop();
    const reported = (await virtual.run.ended).diagnostics;
    expect(reported.map(({ severity, code, message }) => [severity, code, message.split(' ended by ')[0]])).toEqual(
      expected.map((which) => ['warning', 'O-114', which]),
    );
  });
  test('reports nothing for phases of a client', async () => {
    const virtual = await play(documentOf(clientActor('a', ...phases)));
    virtual.clock.advance(1_000);
    virtual.peer().stream(1, {});
    virtual.run.stop();
    expect((await virtual.run.ended).diagnostics).toEqual([]);
  });
});

describe('startRun, choosing actors to play', () => {
  const transport = () => new VirtualTransport();
  test('plays actors that have a binding and a peer, and skips others with O-104', async () => {
    const modes: PlayableMode[] = [
      { binding: client([call]), transport, plays: ({ name }) => name === 'user' },
      { binding: server(), transport },
    ];
    const strange = { name: 'voice', mode: 'voice_server', phases: [{ state: {} }] };
    const virtual = await play(
      documentOf(serverActor('a'), clientActor('user'), clientActor('other'), strange),
      {},
      { modes },
    );
    expect([...virtual.run.endpoints.keys()]).toEqual(['a', 'user']);
    expect(virtual.run.skipped.map(({ name }) => name)).toEqual(['other', 'voice']);
    virtual.run.stop();
    const { skipped, diagnostics } = await virtual.run.ended;
    expect(skipped).toEqual(['other', 'voice']);
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'O-104', message: expect.stringContaining('"other" has no agent') },
      { severity: 'warning', code: 'O-104', message: expect.stringContaining('the mode "voice_server"') },
    ]);
  });
  test('uses the first binding that plays a mode', async () => {
    const second = {
      binding: server({}, { plan: () => ({ steps: [], staysOpen: true }) as never }),
      transport,
    };
    const first = { binding: server(), transport: () => opened };
    const opened = new VirtualTransport();
    await play(one, {}, { modes: [first, second] });
    expect(opened.request('m')).toEqual({});
  });
});

describe('startRun, opening actors', () => {
  test('opens servers, launches the agent, then opens clients, and reports each address', async () => {
    const order: string[] = [];
    const virtual = await play(
      documentOf(clientActor('user'), serverActor('a')),
      {},
      {
        opened: ({ url }) => void order.push(url),
        launch: async (endpoints, skipped) => {
          order.push(`launch ${[...endpoints.keys()]} ${skipped.length}`);
          return 'launched';
        },
        record: ({ kind, actor }) => void order.push(`${kind} ${actor}`),
      },
    );
    expect(order).toEqual(['virtual:', 'phase a', 'launch a 0', 'virtual:', 'phase user', 'request user']);
    expect(virtual.run.endpoints.get('a')).toEqual({ url: 'virtual:' });
  });

  class Closed extends VirtualTransport {
    constructor(readonly thrown: unknown) {
      super();
    }
    override open(): never {
      throw this.thrown;
    }
  }
  test.each<[unknown, string]>([
    [new Error('in use'), 'actor "a" cannot be opened: in use'],
    ['text', 'actor "a" cannot be opened: text'],
  ])('fails the run when an address cannot be opened: %s', async (thrown, error) => {
    const modes = [
      { binding: server(), transport: () => new Closed(thrown) },
      { binding: client([call]), transport: () => new VirtualTransport() },
    ];
    const launched: string[] = [];
    const launch = async () => {
      launched.push('launched');
      return 'launched' as const;
    };
    const virtual = await play(both, {}, { modes, launch });
    expect(await virtual.run.ended).toStrictEqual({
      reason: 'failed',
      error,
      waiting: {},
      diagnostics: [],
      skipped: [],
    });
    expect([launched, virtual.records]).toEqual([[], []]);
  });

  const lacking = (code: string) => Object.assign(new Error('spawn'), { code });
  test.each<[unknown, object]>([
    [new Error('no such agent'), { trouble: 'it cannot be launched: no such agent' }],
    ['text', { trouble: 'it cannot be launched: text' }],
    [null, { trouble: 'it cannot be launched: null' }],
    [lacking('ENOENT'), { trouble: 'it cannot be launched: spawn' }],
    [lacking('toString'), { trouble: 'it cannot be launched: spawn' }],
    [lacking('EMFILE'), { error: expect.stringContaining('no more open files: play fewer') }],
    [lacking('ENFILE'), { error: 'this machine has no more open files' }],
    [lacking('ENOMEM'), { error: 'this machine has no more memory' }],
  ])('reports a failed launch as trouble of the agent or as an error of this machine: %s', async (thrown, expected) => {
    const virtual = await play(both, {}, { launch: () => Promise.reject(thrown) });
    const { reason, error, trouble } = await virtual.run.ended;
    expect({
      reason,
      ...(error !== undefined && { error }),
      ...(trouble !== undefined && { trouble }),
    }).toEqual({
      reason: 'failed',
      ...expected,
    });
    expect([...virtual.run.endpoints.keys(), virtual.records.length]).toEqual(['a', 1]);
  });

  test('opens no client when the run ends during the launch', async () => {
    const transport = new VirtualTransport();
    const modes = [
      { binding: server(), transport: () => transport },
      { binding: client([call]), transport: () => new VirtualTransport() },
    ];
    const launch = async () => {
      transport.deliver(request);
      return 'launched' as const;
    };
    const virtual = await play(both, { records: 1 }, { modes, launch });
    expect((await virtual.run.ended).reason).toBe('flood');
    expect([...virtual.run.endpoints.keys()]).toEqual(['a']);
  });

  test('ends as stopped when the launch was stopped', async () => {
    const virtual = await play(both, {}, { launch: async () => 'stopped' });
    expect((await virtual.run.ended).reason).toBe('stopped');
    expect([...virtual.run.endpoints.keys()]).toEqual(['a']);
  });
});

test('startRun makes random choices by the seed, which is 0 by default', async () => {
  const rules = [{ on: 'm', delay: { from: '1s', to: '9s' } }];
  const delays = async (more: Partial<RunOptions>) => {
    const virtual = await play(documentOf(serverActor('a', { state: {}, 'x-wire': rules })), {}, more);
    virtual.peer().deliver(request);
    return virtual.records.flatMap((record) => ('delay_ms' in record ? [record.delay_ms] : []));
  };
  const [none, zero, another] = [await delays({}), await delays({ seed: 0 }), await delays({ seed: 1 })];
  expect(none).toEqual(zero);
  expect(another).not.toEqual(zero);
});

test('startRun lets only the actor go on that has waited for an extracted value', async () => {
  const extractors = [{ name: 'v', source: 'request', type: 'json_path', selector: '$.v' }];
  const waits = (names: string[]) => ({ state: {}, 'x-await': [{ actor: 'a', extractors: names }] });
  const virtual = await play(
    documentOf(
      serverActor('a', { state: {}, extractors }),
      clientActor('one', { ...waits(['v']), trigger: { event: 'never' } }, {}),
      clientActor('two', { ...waits(['v', 'w']), trigger: { event: 'never' } }, {}),
    ),
  );
  virtual.peer().deliver({ ...request, params: { v: '1' } } as Incoming);
  expect(['one', 'two'].map((name) => virtual.peer(name).calls().length)).toEqual([1, 0]);
});
