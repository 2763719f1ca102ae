import { describe, expect, test } from 'vitest';
import { documentWith } from '../../support/records.ts';
import { phased, tool } from '../../support/tool-server.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('the end of a run with an MCP server', () => {
  const document = phased({ state: { tools: [tool('a')] } });
  const patient = documentWith({
    grace_period: '30s',
    execution: { mode: 'mcp_server', state: { tools: [] } },
  });

  test('comes at the session limit after unreadable bytes', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.peer().deliver({ kind: 'malformed', raw: '', reason: 'not HTTP' });
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('comes only when the caller stops if there is no traffic', async () => {
    const virtual = await playVirtually(document);
    virtual.clock.advance(3_600_000);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(virtual.peer().closed).toBe(true);
  });
  test('comes after two quiet seconds without a session', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.clock.advance(30_000);
    virtual.peer().sessions = 0;
    virtual.peer().deliver({ kind: 'connection', session: 's1', event: 'closed' });
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeLessThan(34_000);
  });
  test('waits for a peer in the middle of a message', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    virtual.peer().receiving = true;
    virtual.clock.advance(60_000);
    expect(virtual.peer().closed).toBe(false);
    virtual.peer().receiving = false;
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toEqual([]);
  });
  test('records a message that was still coming in as cut off', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().receiving = true;
    virtual.run.stop('operator');
    expect((await virtual.end()).reason).toBe('operator');
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([{ cause: 'cut_off' }]);
  });
  test('comes after half a minute without a connection', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().connected = false;
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(virtual.clock.now()).toBeLessThan(35_000);
  });
  test('comes after the grace period of the document', async () => {
    const virtual = await playVirtually(patient);
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
  });
  test('comes at once when the caller stops during the grace period', async () => {
    const virtual = await playVirtually(patient, { sessionMs: 1_000 });
    virtual.peer().request('tools/list');
    virtual.clock.advance(1_500);
    expect(virtual.peer().closed).toBe(false);
    virtual.run.stop();
    expect((await virtual.run.ended).reason).toBe('session_limit');
    expect(virtual.peer().closed).toBe(true);
  });
  test('comes after the grace period of the caller instead of the document’s', async () => {
    const virtual = await playVirtually(patient, { graceMs: 0 });
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThan(3_000);
  });
  test('comes when the session limit since the first traffic is reached', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.clock.advance(60_000);
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(virtual.clock.now()).toBeLessThan(75_000);
  });
  test('comes by session_limit, not terminal_limit, before the last phase', async () => {
    const waiting = phased(
      { state: { tools: [] }, trigger: { event: 'tools/call' } },
      { state: { tools: [] }, trigger: { event: 'tools/call' } },
      { state: { tools: [] } },
    );
    const virtual = await playVirtually(waiting, { sessionMs: 20_000, terminalMs: 5_000 });
    virtual.peer().request('tools/call', { name: 'a' });
    expect(virtual.phases()).toHaveLength(2);
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('does not come by an unrequested answer, which is recorded', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().reply('nobody', { x: 1 });
    expect(virtual.messages()).toMatchObject([{ kind: 'response', method: 'unknown', content: { x: 1 } }]);
    expect(virtual.peer().request('ping')).toEqual({});
  });
  test('comes when the limit of terminal phases is reached', async () => {
    const virtual = await playVirtually(document, { sessionMs: 3_600_000, terminalMs: 20_000 });
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('terminal_limit');
  });
  test('lists an actor of an unknown mode as skipped, with O-104', async () => {
    const virtual = await playVirtually(
      documentWith({
        execution: { actors: [{ name: 'voice', mode: 'voice_server', phases: [{ state: {} }] }] },
      }),
    );
    virtual.run.stop();
    const end = await virtual.end();
    expect(end).toMatchObject({ skipped: ['voice'], diagnostics: [{ severity: 'warning', code: 'O-104' }] });
  });
});
