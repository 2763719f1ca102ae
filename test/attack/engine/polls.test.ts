import { describe, expect, test } from 'vitest';
import { pauseBefore } from '../../../src/attack/engine/polls.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually, type VirtualRun } from '../../support/virtual-run.ts';

// A client waits for work that its peer continues after the answer.

const send = { method: 'message/send', params: { message: { messageId: 'm' } } };
const phased = (...phases: object[]) => documentWith({ execution: { mode: 'a2a_client', phases } });
const sending = (...more: object[]) => phased({ name: 'first', state: { actions: [send] } }, ...more);
const task = (state: string, more: ValueMap = {}): Value => ({ id: 't', status: { state }, ...more });

/** The requests so far, by method. */
const asked = (virtual: VirtualRun): (string | undefined)[] => virtual.peer().sent.map(({ method }) => method);
/** Answers the last call. */
const answer = (virtual: VirtualRun, result: Value): void => {
  virtual.peer().reply(virtual.peer().sent.at(-1)?.ask ?? '', result);
};
/** Whether and how the run ends within its limits. */
const ending = async (virtual: VirtualRun) => {
  const { reason } = await virtual.end();
  const troubles = virtual.records.flatMap((record) =>
    record.kind === 'connection' && 'reason' in record ? [[record.reason, record.cause]] : [],
  );
  return { reason, troubles };
};

describe('an A2A task that goes on after its answer', () => {
  test('is polled after growing pauses until it is over', async () => {
    const virtual = await playVirtually(sending());
    answer(virtual, task('submitted'));
    const times: number[] = [];
    for (const state of ['working', 'working', 'working', 'completed']) {
      const before = asked(virtual).length;
      const since = virtual.clock.now();
      while (asked(virtual).length === before) virtual.clock.advance(1);
      times.push(virtual.clock.now() - since);
      answer(virtual, task(state));
    }
    expect(times).toEqual([100, 200, 400, 800]);
    expect(virtual.peer().calls().slice(1)).toEqual(Array(4).fill({ id: 't' }));
    expect(await ending(virtual)).toEqual({ reason: 'finished', troubles: [] });
    expect(asked(virtual)).toHaveLength(5);
  });

  test('is polled after pauses that stop growing', () => {
    expect([0, 1, 4, 5, 1_000_000].map(pauseBefore)).toEqual([100, 200, 1_600, 2_000, 2_000]);
  });

  test.each(['input-required', 'auth-required', 'failed', 'rejected', 'unknown'])(
    'is no longer polled once it is %s',
    async (state) => {
      const virtual = await playVirtually(sending());
      answer(virtual, task('working'));
      virtual.clock.advance(100);
      answer(virtual, task(state));
      expect(await ending(virtual)).toEqual({ reason: 'finished', troubles: [] });
      expect(asked(virtual)).toEqual(['message/send', 'tasks/get']);
    },
  );

  test('is recorded with its polls as requests and responses', async () => {
    const virtual = await playVirtually(sending());
    answer(virtual, task('working'));
    virtual.clock.advance(100);
    answer(virtual, task('completed'));
    expect(virtual.messages().slice(2)).toMatchObject([
      { kind: 'request', origin: 'attacker', method: 'tasks/get', content: { id: 't' } },
      {
        kind: 'response',
        origin: 'agent',
        method: 'tasks/get',
        content: task('completed'),
        request: { id: 't' },
      },
    ]);
    expect(virtual.messages()[2]).not.toHaveProperty('pieces');
  });

  test('keeps the run open until the session limit and counts as trouble of the agent', async () => {
    const virtual = await playVirtually(sending(), { sessionMs: 10_000 });
    answer(virtual, task('working'));
    while (virtual.clock.now() < 9_000) {
      virtual.clock.advance(100);
      if (asked(virtual).at(-1) === 'tasks/get') answer(virtual, task('working'));
    }
    expect(await ending(virtual)).toEqual({
      reason: 'session_limit',
      troubles: [['a task that never ended', 'trouble']],
    });
  });

  test('counts as cut off when the run is stopped', async () => {
    const virtual = await playVirtually(sending());
    answer(virtual, task('working'));
    virtual.run.stop();
    expect(await ending(virtual)).toMatchObject({
      reason: 'stopped',
      troubles: [[expect.any(String), 'cut_off']],
    });
  });

  test('is no longer polled after a poll is refused or not answered', async () => {
    for (const fail of [
      (ask: string) =>
        ({ kind: 'answer', session: 's1', ask, answer: { kind: 'error', error: { code: -32601 } } }) as const,
      (ask: string) => ({ kind: 'end', session: 's1', ask, reason: 'it answered 503' }) as const,
    ]) {
      const virtual = await playVirtually(sending());
      answer(virtual, task('working'));
      virtual.clock.advance(100);
      virtual.peer().deliver(fail(virtual.peer().sent.at(-1)?.ask ?? ''));
      expect((await ending(virtual)).reason).toBe('finished');
      expect(asked(virtual)).toEqual(['message/send', 'tasks/get']);
    }
  });

  test('is polled when its stream has ended', async () => {
    const stream = { method: 'message/stream', params: {} };
    const virtual = await playVirtually(phased({ state: { actions: [stream] } }));
    virtual.peer().stream(1, task('working'));
    virtual.clock.advance(5_000);
    expect(asked(virtual)).toEqual(['message/stream']);
    virtual.peer().hangUp(1);
    expect(asked(virtual)).toEqual(['message/stream', 'tasks/get']);
    answer(virtual, task('completed'));
    expect(await ending(virtual)).toEqual({ reason: 'finished', troubles: [] });
  });

  test('is not polled while its stream goes on or after the stream ended it', async () => {
    const stream = { method: 'message/stream', params: {} };
    const virtual = await playVirtually(phased({ state: { actions: [stream] } }));
    virtual.peer().stream(1, task('working'), { taskId: 't', status: { state: 'completed' }, final: true });
    virtual.peer().hangUp(1);
    expect((await ending(virtual)).reason).toBe('finished');
    expect(asked(virtual)).toEqual(['message/stream']);
  });

  test('is not polled if only a tasks/get of the document names it', async () => {
    const get = { method: 'tasks/get', params: { id: 'x' } };
    const virtual = await playVirtually(phased({ state: { actions: [get] } }));
    answer(virtual, task('working'));
    expect((await ending(virtual)).reason).toBe('finished');
    expect(asked(virtual)).toEqual(['tasks/get']);
  });

  test('is one of at most 100 that are polled; more are reported', async () => {
    const virtual = await playVirtually(phased({ state: { actions: [{ method: 'message/stream' }] } }));
    const tasks = Array.from({ length: 101 }, (_, index) => task('working', { id: `t${index}` }));
    virtual.peer().stream(1, ...tasks);
    virtual.peer().hangUp(1);
    virtual.clock.advance(100);
    expect(asked(virtual).filter((method) => method === 'tasks/get')).toHaveLength(100);
    virtual.run.stop();
    expect((await ending(virtual)).troubles).toContainEqual(['it has more than 100 tasks unfinished', 'cut_off']);
  });
});

describe('actions of the document beside polls of an A2A task', () => {
  const inASecond = { after: '1s' };

  test('go out before polls, and so do its own tasks/get', async () => {
    const get = { method: 'tasks/get', params: { id: 't', historyLength: 3 } };
    const virtual = await playVirtually(phased({ state: { actions: [send, get, send] } }));
    answer(virtual, task('working'));
    virtual.clock.advance(5_000);
    answer(virtual, task('working'));
    virtual.clock.advance(5_000);
    expect(asked(virtual)).toEqual(['message/send', 'tasks/get', 'message/send']);
    answer(virtual, task('completed', { id: 'other' }));
    expect(asked(virtual)).toEqual(['message/send', 'tasks/get', 'message/send', 'tasks/get']);
    expect(virtual.peer().calls().slice(1)).toEqual([get.params, send.params, { id: 't' }]);
  });

  test('do not wait for an unanswered poll', async () => {
    const virtual = await playVirtually(
      phased(
        { name: 'first', state: { actions: [send] }, trigger: inASecond },
        { name: 'second', state: { actions: [{ method: 'tasks/cancel', params: { id: 't' } }] } },
      ),
    );
    answer(virtual, task('working'));
    virtual.clock.advance(1_000);
    expect(asked(virtual)).toEqual(['message/send', 'tasks/get', 'tasks/cancel']);
    answer(virtual, task('canceled'));
    virtual.peer().hangUp(2, 'it was canceled');
    expect((await ending(virtual)).reason).toBe('finished');
  });

  test('are not affected by polls: no trigger, extractor or phase sees them', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state: { actions: [send] },
          extractors: [
            { name: 'state', source: 'response', type: 'json_path', selector: '$.status.state' },
            { name: 'id', source: 'request', type: 'json_path', selector: '$.id' },
          ],
          trigger: { event: 'tasks/get' },
        },
        {
          name: 'second',
          state: { actions: [{ method: 'message/send', params: { said: '{{state}} {{id}}' } }] },
        },
      ),
    );
    answer(virtual, task('working'));
    virtual.clock.advance(100);
    answer(virtual, task('completed'));
    expect(virtual.phases()).toEqual(['first']);
    virtual.peer().connected = false;
    expect((await ending(virtual)).reason).toBe('finished');
    expect(asked(virtual)).toEqual(['message/send', 'tasks/get']);
  });

  test('see values extracted before a poll', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state: { actions: [send] },
          extractors: [{ name: 'state', source: 'response', type: 'json_path', selector: '$.status.state' }],
          trigger: inASecond,
        },
        { name: 'second', state: { actions: [{ method: 'message/send', params: { said: '{{state}}' } }] } },
      ),
    );
    answer(virtual, task('working'));
    virtual.clock.advance(100);
    answer(virtual, task('completed'));
    virtual.clock.advance(1_000);
    expect(virtual.peer().calls().at(-1)).toEqual({ said: 'working' });
  });
});
