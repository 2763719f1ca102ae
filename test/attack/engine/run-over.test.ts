import { describe, expect, test } from 'vitest';
import type { Incoming } from '../../../src/attack/engine/actor-messages.ts';
import type { RunLimits } from '../../../src/attack/engine/run-end.ts';
import { both, clientActor, documentOf, one, play, request, serverActor, wait } from '../../support/plain-run.ts';
import { documentWith } from '../../support/records.ts';
import { server } from '../../support/stepped.ts';
import { type VirtualRun, VirtualTransport } from '../../support/virtual-run.ts';

// When a run of several actors is over, whatever their protocols, and what is told of it then.

describe('a run, noticing that the agent came or left', () => {
  const refused = { kind: 'refused', reason: 'odd', message: { kind: 'request', method: 'm', content: {} } };
  test.each<[object, string]>([
    [request, 'idle'],
    [{ kind: 'notification', session: 's', method: 'n', params: {} }, 'idle'],
    [{ kind: 'connection', session: 's', event: 'opened' }, 'idle'],
    [{ kind: 'malformed', raw: '', reason: 'odd' }, 'session_limit'],
    [refused, 'session_limit'],
    [{ kind: 'log', level: 'info', message: 'hi' }, 'none'],
  ])('ends, after only the message %j, by: %s', async (message, expected) => {
    const virtual = await play(one, { sessionMs: 10_000 });
    virtual.peer().sessions = 0;
    virtual.peer().deliver(message as Incoming);
    await wait(virtual, 20_000);
    const isOver = virtual.peer().closed;
    virtual.run.stop();
    expect([isOver, (await virtual.run.ended).reason]).toEqual(
      expected === 'none' ? [false, 'stopped'] : [true, expected],
    );
  });
  test('remembers an agent although unreadable bytes follow', async () => {
    const virtual = await play(one, { sessionMs: 10_000 });
    virtual.peer().sessions = 0;
    virtual.peer().deliver(request);
    virtual.peer().deliver({ kind: 'malformed', raw: '', reason: 'odd' });
    expect((await virtual.end()).reason).toBe('idle');
  });
  test('ends when the agent has left every server', async () => {
    const virtual = await play(documentOf(serverActor('a'), serverActor('b')));
    virtual.peer('a').deliver(request);
    virtual.peer('a').sessions = 0;
    virtual.peer('a').connected = false;
    await wait(virtual, 60_000);
    expect(virtual.peer().closed).toBe(false);
    virtual.peer('b').connected = false;
    await wait(virtual, 250);
    expect(virtual.peer().closed).toBe(true);
  });
});

describe('the end of a run', () => {
  const answered = (virtual: VirtualRun) => {
    virtual.peer('user').stream(1, { isOver: true });
    virtual.peer('user').hangUp(1);
  };
  test('has only a reason to report if nothing went wrong', async () => {
    const virtual = await play(documentOf(clientActor('user')));
    answered(virtual);
    expect(await virtual.end()).toStrictEqual({
      reason: 'finished',
      waiting: {},
      diagnostics: [],
      skipped: [],
    });
  });
  test('lists what each phase still waited for', async () => {
    const trigger = { event: 'm', count: 3 };
    const virtual = await play(
      documentOf(
        serverActor('a', { name: 'x', state: {}, trigger }, { name: 'y' }),
        serverActor('b', { name: 'x', state: {}, trigger: { event: 'm' } }, { name: 'y', state: {} }),
        serverActor('c', { name: 'x', state: {}, trigger: { after: '1m' } }, { name: 'y' }),
        serverActor('d', { name: 'x', state: {}, trigger: { event: 'n' } }, { name: 'y' }),
        serverActor('e', { name: 'x', state: {}, trigger: { event: 'n' } }),
      ),
    );
    for (const name of ['a', 'b', 'c', 'd']) virtual.peer(name).deliver(request);
    virtual.run.stop();
    expect((await virtual.run.ended).waiting).toEqual({
      a: { phase: 'x', event: 'm', count: 1, of: 3 },
      d: { phase: 'x', event: 'n', count: 0, of: 1 },
    });
  });
  test('is announced once to the caller when only the grace period is left', async () => {
    const reported: string[] = [];
    const virtual = await play(both, {}, { waits: () => void reported.push('waits') });
    virtual.clock.advance(5_000);
    expect(reported).toEqual([]);
    answered(virtual);
    virtual.clock.advance(1_900);
    expect(reported).toEqual(['waits']);
    expect((await virtual.end()).reason).toBe('finished');
  });
  test('is not announced in a run without clients', async () => {
    const reported: string[] = [];
    const virtual = await play(one, {}, { waits: () => void reported.push('waits') });
    virtual.peer().deliver(request);
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(reported).toEqual([]);
  });
  test.each([
    ['an agent that is known to be done', true, true],
    ['an agent that may go on', false, false],
  ])('with %s, comes at once: $1', async (_, isSettled, isOver) => {
    const reported: string[] = [];
    const virtual = await play(both, {}, { isSettled: () => isSettled, waits: () => void reported.push('waits') });
    answered(virtual);
    await wait(virtual, 0);
    expect([virtual.peer('user').closed, reported]).toEqual([isOver, isOver ? [] : ['waits']]);
    await wait(virtual, 2_000);
    expect([virtual.peer('user').closed, virtual.clock.waiting()]).toEqual([true, 0]);
  });
  test('waits for an agent that has ended its sessions with only one of two servers', async () => {
    const virtual = await play(documentOf(serverActor('a'), serverActor('b'), clientActor('user')));
    for (const name of ['a', 'b']) {
      virtual.peer(name).deliver(request);
      Object.assign(virtual.peer(name), { hasSessions: true, sessions: name === 'a' ? 0 : 1 });
    }
    answered(virtual);
    await wait(virtual, 1_999);
    expect(virtual.peer('user').closed).toBe(false);
    await wait(virtual, 1);
    expect(virtual.peer('user').closed).toBe(true);
  });
  test('waits for a message that is still coming in', async () => {
    const virtual = await play(both, {}, { isSettled: () => true });
    virtual.peer('a').receiving = true;
    answered(virtual);
    await wait(virtual, 10_000);
    expect(virtual.peer('user').closed).toBe(false);
    virtual.peer('a').receiving = false;
    await wait(virtual, 250);
    expect(virtual.peer('user').closed).toBe(true);
  });
  test.each([
    ['session_limit', { sessionMs: 5_000 }],
    ['terminal_limit', { terminalMs: 5_000 }],
  ])('comes after the grace period when the run ends by %s', async (reason, limits) => {
    const virtual = await play(one, { ...limits, graceMs: 3_000 });
    virtual.peer().deliver(request);
    await wait(virtual, 6_000);
    // The end of a connection does not cut the grace period.
    virtual.peer().deliver({ kind: 'connection', session: 's', event: 'closed' });
    await wait(virtual, 1_999);
    expect(virtual.peer().closed).toBe(false);
    await wait(virtual, 1);
    expect([virtual.peer().closed, (await virtual.run.ended).reason]).toEqual([true, reason]);
  });
  test('comes by terminal_limit, counted from the last actor to reach its terminal phase', async () => {
    const late = [{ state: {}, trigger: { after: '2s' } }, { state: {} }];
    const virtual = await play(documentOf(serverActor('a'), serverActor('b', ...late), serverActor('c')), {
      terminalMs: 5_000,
    });
    virtual.peer().deliver(request);
    await wait(virtual, 6_999);
    expect(virtual.peer().closed).toBe(false);
    await wait(virtual, 1);
    expect([virtual.peer().closed, (await virtual.run.ended).reason]).toEqual([true, 'terminal_limit']);
  });
  test('comes by the session limit, counted from the first traffic', async () => {
    const virtual = await play(one, { sessionMs: 5_000 });
    virtual.peer().deliver(request);
    await wait(virtual, 4_000);
    virtual.peer().deliver(request);
    await wait(virtual, 1_000);
    expect(virtual.peer().closed).toBe(true);
  });
  test('comes after the grace period of the document when the agent has left', async () => {
    const actors = [serverActor('a')];
    const virtual = await play(documentWith({ grace_period: '3s', execution: { actors } }));
    virtual.peer().deliver(request);
    virtual.peer().sessions = 0;
    await wait(virtual, 2_999);
    expect(virtual.peer().closed).toBe(false);
    await wait(virtual, 1);
    expect(virtual.peer().closed).toBe(true);
  });
  test('comes at once, without timers left, when the caller stops during the grace period', async () => {
    const virtual = await play(one, { sessionMs: 1_000, graceMs: 60_000 });
    virtual.peer().deliver(request);
    await wait(virtual, 2_000);
    virtual.run.stop();
    expect([(await virtual.run.ended).reason, virtual.clock.waiting()]).toEqual(['session_limit', 0]);
  });
  test('has no grace period when the caller stops the run', async () => {
    const virtual = await play(one, { graceMs: 3_000 });
    virtual.peer().deliver(request);
    virtual.peer().deliver({ kind: 'connection', session: 's', event: 'closed' });
    virtual.run.stop('idle');
    expect((await virtual.run.ended).reason).toBe('idle');
    expect(virtual.clock.waiting()).toBe(0);
  });
  test('is a failure with the first fault when actors fail in the grace period', async () => {
    const binding = server(
      {},
      {
        plan: ({ method }) => {
          throw new Error(method);
        },
      },
    );
    const transports = new Map([serverActor('a'), serverActor('b')].map(({ name }) => [name, new VirtualTransport()]));
    const modes = [{ binding, transport: ({ name }: { name: string }) => transports.get(name) as VirtualTransport }];
    const virtual = await play(
      documentOf(serverActor('a'), serverActor('b')),
      { sessionMs: 1_000, graceMs: 60_000 },
      { modes },
    );
    transports.get('a')?.deliver({ kind: 'notification', session: 's', method: 'n', params: {} });
    virtual.clock.advance(2_000);
    transports.get('a')?.deliver(request);
    transports.get('b')?.deliver({ ...request, method: 'later' } as Incoming);
    expect(await virtual.run.ended).toMatchObject({ reason: 'failed', error: 'actor "a": m' });
  });
  test('is recorded as malformed only for servers in the middle of a message', async () => {
    const virtual = await play(documentOf(serverActor('a'), serverActor('b')));
    virtual.peer('b').receiving = true;
    virtual.run.stop();
    await virtual.run.ended;
    expect(virtual.records.slice(2)).toMatchObject([
      {
        kind: 'malformed',
        actor: 'b',
        reason: 'a message was still coming in when the run ended',
        cause: 'cut_off',
        raw: '',
      },
    ]);
  });
  test('comes although a transport cannot be closed', async () => {
    const virtual = await play(one);
    virtual.peer().close = () => Promise.reject(new Error('no'));
    virtual.run.stop();
    expect((await virtual.run.ended).reason).toBe('stopped');
  });
  test('records the answers that a client still waited for', async () => {
    const closed = async (act: (virtual: VirtualRun) => void, limits: Partial<RunLimits> = {}) => {
      const virtual = await play(documentOf(clientActor('user', { state: {}, trigger: { after: '1m' } }, {})), limits);
      act(virtual);
      virtual.run.stop();
      await virtual.run.ended;
      return virtual.records.filter(({ kind }) => kind === 'connection');
    };
    const record = { kind: 'connection', actor: 'user', event: 'closed', cause: 'cut_off' };
    const reason = 'the run ended before it had finished its answer';
    expect(await closed(() => {})).toMatchObject([{ ...record, session: 'user-1', reason }]);
    const [, unsent, ...rest] = await closed(answered);
    expect([unsent, rest]).toMatchObject([{ ...record, reason }, []]);
    expect(unsent).not.toHaveProperty('session');
    expect(await closed((virtual) => virtual.peer('user').stream(1, { isOver: true }), {})).toMatchObject([record]);
  });
});

describe('the end of sessions', () => {
  const left = async (isTold: boolean) => {
    const virtual = await play(one, { graceMs: 0 });
    virtual.peer().deliver(request);
    await wait(virtual, 100);
    virtual.peer().sessions = 0;
    if (isTold) virtual.peer().deliver({ kind: 'connection', session: 's', event: 'closed' });
    return virtual;
  };
  test('is noticed at once if the transport reports it', async () => {
    const virtual = await left(true);
    await wait(virtual, 0);
    expect(virtual.peer().closed).toBe(true);
  });
  test('is noticed within a quarter of a second if nothing reports it', async () => {
    const virtual = await left(false);
    await wait(virtual, 149);
    expect(virtual.peer().closed).toBe(false);
    await wait(virtual, 1);
    expect(virtual.peer().closed).toBe(true);
  });
});

describe('a run with a client actor', () => {
  test('counts its session limit from the client’s first message', async () => {
    const virtual = await play(documentOf(clientActor('user')), { sessionMs: 5_000 });
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(virtual.clock.now()).toBeLessThanOrEqual(6_000);
  });
  test('ends at once when the client has its answer', async () => {
    const virtual = await play(documentOf(clientActor('user')));
    await wait(virtual, 100);
    virtual.peer('user').reply('user-1', {});
    await wait(virtual, 0);
    expect(virtual.peer('user').closed).toBe(true);
  });
  test('ends when the peer has left and no timed trigger is pending', async () => {
    const phases = [{ state: {}, trigger: { event: 'never' } }, { state: {} }];
    const virtual = await play(documentOf(clientActor('user', ...phases)), { sessionMs: 60_000 });
    virtual.peer('user').stream(1, { isOver: true });
    await wait(virtual, 10_000);
    expect(virtual.peer('user').closed).toBe(false);
    virtual.peer('user').connected = false;
    await wait(virtual, 250);
    expect([virtual.peer('user').closed, (await virtual.run.ended).reason]).toEqual([true, 'finished']);
  });
});
