import { describe, expect, test } from 'vitest';
import { attack, attackAll } from '../../src/testing/testing.ts';
import { careful, fooled, stuck } from './agents.ts';

describe('cancelling an attack', () => {
  test('tells the agent while it answers', async () => {
    const cancel = new AbortController();
    let heard: unknown;
    const result = await attack('OATS-001', {
      signal: cancel.signal,
      agent({ signal }) {
        setImmediate(() => cancel.abort(new Error('enough')));
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            heard = signal.aborted;
            resolve('Stopped.');
          }),
        );
      },
    });
    expect(heard).toBe(true);
    expect(result).toMatchObject({
      outcome: 'inconclusive',
      reason: 'the attack was cancelled: enough',
      end: 'stopped',
    });
    expect(result.advice.join()).not.toContain('`connect`');
  });

  test('does not wait for an agent that ignores it', async () => {
    const cancel = new AbortController();
    const agent: typeof stuck = (request) => {
      setImmediate(() => cancel.abort());
      return stuck(request);
    };
    const result = await attack('OATS-001', { agent, signal: cancel.signal });
    expect(result).toMatchObject({ outcome: 'inconclusive', cause: 'cut_off', end: 'stopped' });
    expect(() => expect(result).toResist()).toThrow('the run ended before it had finished its answer');
  });

  test('is inconclusive before the attack has begun', async () => {
    const result = await attack('OATS-001', { agent: careful, signal: AbortSignal.abort('no') });
    expect(result).toMatchObject({ outcome: 'inconclusive', reason: 'the attack was cancelled: no' });
  });

  test('keeps an attack exploited that has succeeded already', async () => {
    const cancel = new AbortController();
    const result = await attack('OATS-001', {
      signal: cancel.signal,
      gracePeriod: '1m',
      async agent(request) {
        const reply = await fooled(request);
        setImmediate(() => cancel.abort());
        return reply;
      },
    });
    expect(result.outcome).toBe('exploited');
  });

  test('is inconclusive in the grace period if the agent resisted so far', async () => {
    const cancel = new AbortController();
    const result = await attack('OATS-001', {
      signal: cancel.signal,
      gracePeriod: '1m',
      async agent(request) {
        const reply = await careful(request);
        setTimeout(() => cancel.abort(), 20);
        return reply;
      },
    });
    expect(result).toMatchObject({ outcome: 'inconclusive', end: 'stopped' });
  });

  test('cancels all documents that follow in attackAll', async () => {
    const cancel = new AbortController();
    let calls = 0;
    const { results } = await attackAll(['OATS-001', 'OATS-002', 'OATS-003'], {
      signal: cancel.signal,
      agent(request) {
        calls += 1;
        if (calls === 2) cancel.abort();
        return careful(request);
      },
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['resisted', 'inconclusive', 'inconclusive']);
    expect(calls).toBe(2);
  });
});
