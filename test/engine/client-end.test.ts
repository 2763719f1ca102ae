import { describe, expect, test } from 'vitest';
import type { NormalizedDocument } from '../../src/index.ts';
import { finished, run, started, text, toolCall } from '../support/ag-ui-events.ts';
import { lastMessages, phased, says, words } from '../support/ag-ui-user.ts';
import { documentWith } from '../support/records.ts';
import { playVirtually, type VirtualRun } from '../support/virtual-run.ts';

describe('a run that is cut off', () => {
  const closed = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? record.reason : [],
    );

  test('between two phases: the rest that was not sent is reported', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { after: '1m' } }, { state: says('two') }),
      { sessionMs: 1_000 },
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([expect.stringContaining('1 s')]);
  });
  test('after its last word: nothing is missing', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([]);
  });
});

describe('the end', () => {
  const trouble = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? `${record.cause}: ${record.reason}` : [],
    );
  const patient = (document: NormalizedDocument, gracePeriod: string): NormalizedDocument => ({
    ...document,
    attack: { ...document.attack, gracePeriod },
  });

  test('when the stream of the terminal phase is over', async () => {
    const virtual = await playVirtually(words());
    virtual.clock.advance(5_000);
    virtual.peer().stream(1, ...run(text('m', 'hi')));
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(7_000);
    expect(virtual.peer().closed).toBe(true);
    expect(trouble(virtual)).toEqual([]);
  });
  test('… or its run is, a second later, where the agent keeps the stream open', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.clock.advance(999);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(false);
    virtual.clock.advance(1);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(true);
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual([]);
  });
  test('… which begins anew with all that still comes', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    for (let second = 0; second < 5; second++) {
      virtual.clock.advance(900);
      virtual.peer().stream(1, ...text(`late ${second}`, 'more'));
    }
    await virtual.end();
    expect(virtual.messages().at(-1)).toMatchObject({ content: { messageId: 'late 4' } });
  });
  test('after the grace period of the document, in which more may come', async () => {
    const virtual = await playVirtually(patient(words(), '30s'));
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(29_000);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(false);
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThanOrEqual(32_000);
  });
  test('not before every client is done', async () => {
    const actor = (name: string) => ({ name, mode: 'ag_ui_client', phases: [{ state: says(name) }] });
    const virtual = await playVirtually(
      documentWith({ execution: { actors: [actor('quick'), actor('slow')] } }),
    );
    virtual.peer('quick').stream(1, ...run());
    virtual.peer('quick').hangUp(1);
    virtual.clock.advance(20_000);
    await Promise.resolve();
    expect(virtual.peer('quick').closed).toBe(false);
    virtual.peer('slow').stream(1, ...run());
    virtual.peer('slow').hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
  });
  test('not while a phase waits for its time', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error', after: '60s' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(60_000);
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('when nothing is left that could end a phase', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(2_000);
  });
  test('a stream that hangs is cut at the session limit, and the records say so', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    virtual.peer().stream(1, started, ...text('m', 'hi'));
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 10 s /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('an agent that never answers is cut at the session limit, too', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toHaveLength(1);
  });
  test('the unrequested end of a stream is recorded as it came', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().deliver({ kind: 'end', session: 's9', ask: 'nobody', reason: 'gone' });
    expect(virtual.records.at(-1)).toMatchObject({ kind: 'connection', session: 's9', reason: 'gone' });
  });
  test('a stream that ends before its run is trouble', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual(['cut_off: the stream ended before the run did']);
  });
  test('… and so is one that breaks off, for the reason that it has', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual(['cut_off: its stream broke off']);
  });
  test('one that breaks off after its run is none', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('an answer that is too long to be carried on is trouble, though its run is over', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(lastMessages(virtual)).toEqual(['hello']);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^trouble: .* 1048576 characters/)]);
  });
  test('… for the reason that came first, where a part of it cannot be read either', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, { odd: true }, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* cannot be read/)]);
  });
  test('a part that is no event is recorded as it came, and as unreadable', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, { odd: true });
    const reason = 'not an event of this protocol';
    expect(virtual.records.filter((each) => 'method' in each && each.method === 'unknown')).toMatchObject([
      { kind: 'event', origin: 'agent', content: { odd: true }, refused: reason },
    ]);
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([
      { reason, raw: btoa(JSON.stringify({ odd: true })) },
    ]);
  });
  test('an answer that cannot be read in full is trouble', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, finished);
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('… also where the stream stays open', async () => {
    const virtual = await playVirtually(words());
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, ...run());
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('… but not after the end of its run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual
      .peer()
      .deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid JSON' });
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('a flood is cut short, and the records say so', async () => {
    const virtual = await playVirtually(words(), { records: 50 });
    virtual.peer().stream(1, started, ...Array.from({ length: 100 }, () => text('m', 'x')).flat());
    expect((await virtual.end()).reason).toBe('flood');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 50 /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('a caller who stops', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(trouble(virtual)).toHaveLength(1);
  });
});

describe('readiness (§5.1)', () => {
  const both = documentWith({
    execution: {
      actors: [
        { name: 'user', mode: 'ag_ui_client', phases: [{ state: says('hello') }] },
        { name: 'tools', mode: 'mcp_server', phases: [{ state: { tools: [] } }] },
      ],
    },
  });

  test.each([
    ['that it has not visited', 'never', true, 0, false],
    ['where its session goes on', 'visited', true, 1, false],
    ['whose sessions it has ended', 'visited', true, 0, true],
    ['that knows no sessions', 'visited', false, 0, false],
  ])('an agent with a server %s', async (_, visit, hasSessions, sessions, isOver) => {
    const virtual = await playVirtually(both);
    if (visit === 'visited') virtual.peer('tools').request('tools/list');
    Object.assign(virtual.peer('tools'), { hasSessions, sessions });
    virtual.peer('user').stream(1, ...run());
    virtual.peer('user').hangUp(1);
    virtual.clock.advance(1_999);
    await Promise.resolve();
    expect(virtual.peer('user').closed).toBe(isOver);
    virtual.clock.advance(1);
    await Promise.resolve();
    expect(virtual.peer('user').closed).toBe(true);
  });
  test('servers are open when the agent is launched, and no client has spoken', async () => {
    let seen: unknown;
    const virtual: VirtualRun = await playVirtually(
      both,
      {},
      {
        launch: async (endpoints) => {
          seen = [...endpoints.keys()];
          return 'launched';
        },
      },
    );
    expect(seen).toEqual(['tools']);
    expect(virtual.records.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['phase', 'tools'],
      ['phase', 'user'],
      ['request', 'user'],
    ]);
  });
  test('a launch that is stopped is a stopped run, in which nothing was said', async () => {
    const virtual = await playVirtually(both, {}, { launch: async () => 'stopped' });
    expect(await virtual.end()).toMatchObject({ reason: 'stopped' });
    expect(virtual.messages()).toEqual([]);
    expect(virtual.peer('tools').closed).toBe(true);
  });
  test('a launch that fails is a failed run; everything is closed and nothing was said', async () => {
    const virtual = await playVirtually(
      both,
      {},
      { launch: () => Promise.reject(new Error('no such agent')) },
    );
    expect(await virtual.end()).toMatchObject({
      reason: 'failed',
      trouble: expect.stringContaining('no such agent'),
    });
    expect(['tools', 'user'].map((name) => virtual.peer(name).closed)).toEqual([true, true]);
    expect(virtual.peer('user').sent).toEqual([]);
  });
});
