import { describe, expect, test } from 'vitest';
import { documentWith } from '../support/records.ts';
import { phased, tool } from '../support/tool-server.ts';
import { playVirtually } from '../support/virtual-run.ts';

describe('the end', () => {
  const document = phased({ state: { tools: [tool('a')] } });
  const patient = documentWith({
    grace_period: '30s',
    execution: { mode: 'mcp_server', state: { tools: [] } },
  });

  test('garbage is traffic too', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.peer().deliver({ kind: 'malformed', raw: '', reason: 'not HTTP' });
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('without traffic there is none but the caller’s', async () => {
    const virtual = await playVirtually(document);
    virtual.clock.advance(3_600_000);
    virtual.run.stop();
    expect((await virtual.end()).reason).toBe('stopped');
    expect(virtual.peer().closed).toBe(true);
  });
  test('two seconds of quiet after the last session', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.clock.advance(30_000);
    virtual.peer().sessions = 0;
    virtual.peer().deliver({ kind: 'connection', session: 's1', event: 'closed' });
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeLessThan(34_000);
  });
  test('a peer in the middle of a message is waited for', async () => {
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
  test('a message that was still coming in when the run ended is reported', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().receiving = true;
    virtual.run.stop('operator');
    expect((await virtual.end()).reason).toBe('operator');
    expect(virtual.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([{ cause: 'cut_off' }]);
  });
  test('half a minute without any connection, for clients that leave without a word', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('ping');
    virtual.peer().connected = false;
    expect((await virtual.end()).reason).toBe('idle');
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
    expect(virtual.clock.now()).toBeLessThan(35_000);
  });
  test('the document’s grace period takes its place', async () => {
    const virtual = await playVirtually(patient);
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeGreaterThanOrEqual(30_000);
  });
  test('a caller who stops does not wait for the grace period', async () => {
    const virtual = await playVirtually(patient, { sessionMs: 1_000 });
    virtual.peer().request('tools/list');
    virtual.clock.advance(1_500);
    expect(virtual.peer().closed).toBe(false);
    virtual.run.stop();
    expect((await virtual.run.ended).reason).toBe('session_limit');
    expect(virtual.peer().closed).toBe(true);
  });
  test('the caller’s grace period takes the document’s place', async () => {
    const virtual = await playVirtually(patient, { graceMs: 0 });
    virtual.peer().request('ping');
    virtual.peer().sessions = 0;
    await virtual.end();
    expect(virtual.clock.now()).toBeLessThan(3_000);
  });
  test('the session limit counts from the first traffic', async () => {
    const virtual = await playVirtually(document, { sessionMs: 10_000 });
    virtual.clock.advance(60_000);
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('session_limit');
    expect(virtual.clock.now()).toBeLessThan(75_000);
  });
  test('the phase before the last is not terminal', async () => {
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
  test('an unrequested answer is recorded, and nothing else happens', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().reply('nobody', { x: 1 });
    expect(virtual.messages()).toMatchObject([{ kind: 'response', method: 'unknown', content: { x: 1 } }]);
    expect(virtual.peer().request('ping')).toEqual({});
  });
  test('terminal phases have a limit of their own', async () => {
    const virtual = await playVirtually(document, { sessionMs: 3_600_000, terminalMs: 20_000 });
    virtual.peer().request('ping');
    expect((await virtual.end()).reason).toBe('terminal_limit');
  });
  test('an unknown mode is skipped with a warning', async () => {
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
