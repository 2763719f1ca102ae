import { describe, expect, test } from 'vitest';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { finished, run, started, text, toolCall } from '../../support/ag-ui-events.ts';
import { lastMessages, phased, says, words } from '../../support/ag-ui-user.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually, type VirtualRun } from '../../support/virtual-run.ts';

describe('an AG-UI run that ends before its last phase', () => {
  const closed = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) => (record.kind === 'connection' && 'reason' in record ? record.reason : []));

  test('reports at the session limit that a phase was not sent', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { after: '1m' } }, { state: says('two') }),
      { sessionMs: 1_000 },
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([expect.stringContaining('1 s')]);
  });
  test('reports nothing missing after the last phase was sent', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(closed(virtual)).toEqual([]);
  });
});

describe('the end of a run with an AG-UI client', () => {
  const trouble = (virtual: VirtualRun) =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? `${record.cause}: ${record.reason}` : [],
    );
  const patient = (document: NormalizedDocument, gracePeriod: string): NormalizedDocument => ({
    ...document,
    attack: { ...document.attack, gracePeriod },
  });

  test('comes when the stream of the terminal phase is over', async () => {
    const virtual = await playVirtually(words());
    virtual.clock.advance(5_000);
    virtual.peer().stream(1, ...run(text('m', 'hi')));
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(7_000);
    expect(virtual.peer().closed).toBe(true);
    expect(trouble(virtual)).toEqual([]);
  });
  test('comes a second after the run when the agent keeps the stream open', async () => {
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
  test('comes a second after the last event when events follow the run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    for (let second = 0; second < 5; second++) {
      virtual.clock.advance(900);
      virtual.peer().stream(1, ...text(`late ${second}`, 'more'));
    }
    await virtual.end();
    expect(virtual.messages().at(-1)).toMatchObject({ content: { messageId: 'late 4' } });
  });
  test('comes after the grace period of the document', async () => {
    const virtual = await playVirtually(patient(words(), '30s'));
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(29_000);
    await Promise.resolve();
    expect(virtual.peer().closed).toBe(false);
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThanOrEqual(32_000);
  });
  test('does not come before every client is done', async () => {
    const actor = (name: string) => ({ name, mode: 'ag_ui_client', phases: [{ state: says(name) }] });
    const virtual = await playVirtually(documentWith({ execution: { actors: [actor('quick'), actor('slow')] } }));
    virtual.peer('quick').stream(1, ...run());
    virtual.peer('quick').hangUp(1);
    virtual.clock.advance(20_000);
    await Promise.resolve();
    expect(virtual.peer('quick').closed).toBe(false);
    virtual.peer('slow').stream(1, ...run());
    virtual.peer('slow').hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
  });
  test('does not come while a phase waits for its time', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error', after: '60s' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    virtual.clock.advance(60_000);
    expect(lastMessages(virtual)).toEqual(['one', 'two']);
  });
  test('comes when nothing is left that could end a phase', async () => {
    const virtual = await playVirtually(
      phased({ state: says('one'), trigger: { event: 'run_error' } }, { state: says('two') }),
    );
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(virtual.clock.now()).toBeLessThanOrEqual(2_000);
  });
  test('cuts a hanging stream at the session limit and records that', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    virtual.peer().stream(1, started, ...text('m', 'hi'));
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 10 s /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('cuts off an agent that never answers at the session limit', async () => {
    const virtual = await playVirtually(words(), { sessionMs: 10_000 });
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(trouble(virtual)).toHaveLength(1);
  });
  test('records the end of an unknown stream as it came', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().deliver({ kind: 'end', session: 's9', ask: 'nobody', reason: 'gone' });
    expect(virtual.records.at(-1)).toMatchObject({ kind: 'connection', session: 's9', reason: 'gone' });
  });
  test('reports a stream that ends before its run as cut off', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1);
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual(['cut_off: the stream ended before the run did']);
  });
  test('reports a stream that disconnects before the end of its run with the reason', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual(['cut_off: its stream broke off']);
  });
  test('reports nothing for a stream that disconnects after its run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().hangUp(1, 'its stream broke off');
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('reports an answer too long to repeat as trouble, although its run is over', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(lastMessages(virtual)).toEqual(['hello']);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^trouble: .* 1048576 characters/)]);
  });
  test('reports the first trouble of an answer that is unreadable and too long', async () => {
    const virtual = await playVirtually(words());
    const long = 'x'.repeat(1024 * 1024);
    virtual.peer().stream(1, { odd: true }, ...run(text('m', long), toolCall('c', 'confirm')));
    virtual.peer().hangUp(1);
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* cannot be read/)]);
  });
  test('records a part that is not an event as it came and as malformed', async () => {
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
  test('reports an answer with an unreadable part as trouble', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.peer().deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, finished);
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('reports an answer with an unreadable part as trouble although the stream stays open', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid UTF-8' });
    virtual.peer().stream(1, ...run());
    await virtual.end();
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^unread: .* not valid UTF-8/)]);
  });
  test('reports nothing for an unreadable part after the end of the run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, ...run());
    virtual.peer().deliver({ kind: 'malformed', session: 's1', ask: 'default-1', raw: '', reason: 'not valid JSON' });
    virtual.peer().hangUp(1);
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('cuts a flood of events short and records that', async () => {
    const virtual = await playVirtually(words(), { records: 50 });
    virtual.peer().stream(1, started, ...Array.from({ length: 100 }, () => text('m', 'x')).flat());
    expect((await virtual.end()).reason).toBe('flood');
    expect(trouble(virtual)).toEqual([expect.stringMatching(/^cut_off: .* 50 /)]);
    expect(virtual.peer().closed).toBe(true);
  });
  test('comes when the caller stops the run', async () => {
    const virtual = await playVirtually(words());
    virtual.peer().stream(1, started);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(trouble(virtual)).toHaveLength(1);
  });
});

describe('readiness of actors before a run (§5.1)', () => {
  const both = documentWith({
    execution: {
      actors: [
        { name: 'user', mode: 'ag_ui_client', phases: [{ state: says('hello') }] },
        { name: 'tools', mode: 'mcp_server', phases: [{ state: { tools: [] } }] },
      ],
    },
  });

  test.each([
    ['that it has not visited yet', 'never', true, 0, false],
    ['where its session is still open', 'visited', true, 1, false],
    ['where it has ended its sessions', 'visited', true, 0, true],
    ['without sessions', 'visited', false, 0, false],
  ])('ends the run at once beside a server %s: $4', async (_, visit, hasSessions, sessions, isOver) => {
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
  test('opens servers before the launch of the agent and clients after it', async () => {
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
  test('ends as stopped, without messages, when the launch is stopped', async () => {
    const virtual = await playVirtually(both, {}, { launch: async () => 'stopped' });
    expect(await virtual.end()).toMatchObject({ reason: 'stopped' });
    expect(virtual.messages()).toEqual([]);
    expect(virtual.peer('tools').closed).toBe(true);
  });
  test('ends as failed, without messages and with all closed, when the launch fails', async () => {
    const virtual = await playVirtually(both, {}, { launch: () => Promise.reject(new Error('no such agent')) });
    expect(await virtual.end()).toMatchObject({
      reason: 'failed',
      trouble: expect.stringContaining('no such agent'),
    });
    expect(['tools', 'user'].map((name) => virtual.peer(name).closed)).toEqual([true, true]);
    expect(virtual.peer('user').sent).toEqual([]);
  });
});
