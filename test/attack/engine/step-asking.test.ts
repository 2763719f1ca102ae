import { describe, expect, test } from 'vitest';
import type { AnswerPlan, ServerBinding } from '../../../src/attack/engine/binding.ts';
import { recorded, request, sent, server, serving, stepped, taking, warned } from '../../support/stepped.ts';

// Requests that a server actor sends to its peer, and their answers, however late.

const place = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one' };
const theirs = { ...place, origin: 'agent' };
const result = { kind: 'result', result: {} };

describe('a request that a server actor sends within a call', () => {
  const steps: AnswerPlan['steps'] = [
    { kind: 'ask', method: 'q', params: () => ({ q: 1 }) },
    { kind: 'notify', method: 'n', params: () => ({}) },
  ];
  const asked = (phase: object = {}, event = 'never') => {
    const actor = serving(server({ steps }), phase, event);
    actor.take(request);
    return actor;
  };
  const answer = { kind: 'answer', session: 's', ask: 'a-1', answer: { kind: 'result', result: { b: 2 } } };
  const kinds = (effects: readonly { readonly kind: string }[]) => effects.map(({ kind }) => kind);

  test('lets the plan go on when it is answered and records the answer with the request', () => {
    const effects = asked().take(answer);
    expect(kinds(effects)).toEqual(['record', 'notify', 'answer']);
    expect(recorded(effects)).toStrictEqual([
      {
        ...theirs,
        kind: 'response',
        method: 'q',
        id: 'a-1',
        content: { b: 2 },
        session: 's',
        request: { q: 1 },
      },
    ]);
  });
  test('goes out when the request before it is answered', () => {
    const tell = (method: string) => ({ kind: 'notify', method, params: () => ({}) }) as const;
    const ask = (method: string) => ({ kind: 'ask', method, params: () => ({}) }) as const;
    const actor = serving(server({ steps: [tell('n'), ask('q'), tell('o'), ask('r'), tell('p')] }));
    const turns = [actor.take(request), actor.take(answer), actor.take({ ...answer, ask: 'a-2' })];
    expect(turns.map(sent)).toEqual([['n', 'q'], ['o', 'r'], ['p']]);
  });
  test.each([
    [999, []],
    [1_000, ['warn', 'notify', 'answer']],
  ])('is given up when its time is over: after %i ms the effects are %j', (now, expected) => {
    const effects = asked().tick(now);
    expect(kinds(effects)).toEqual(expected);
    expect(warned(effects).map(([code, message]) => [code, message?.startsWith('a, one: q was not')])).toEqual(
      expected.length === 0 ? [] : [['O-102', true]],
    );
  });
  test('is given up once, and its late answer does not answer the call again', () => {
    const actor = asked();
    actor.tick(1_000);
    expect([kinds(actor.tick(2_000)), kinds(actor.take(answer, 3_000))]).toEqual([[], ['record']]);
  });
  test('may be answered twice, but its call is answered once', () => {
    const actor = asked();
    actor.take(answer);
    expect(kinds(actor.take(answer))).toEqual(['record']);
  });
  test.each<[string, Partial<ServerBinding>, number]>([
    ['counts as an event', {}, 1],
    ['counts as no event if agents send such requests themselves', { isPeersToo: (method) => method === 'q' }, 0],
    ['counts as an event if agents send only other requests', { isPeersToo: (method) => method === 'm' }, 1],
  ])('has an answer that %s', (_, more, phase) => {
    const actor = serving(server({ steps }, more), {}, 'q');
    actor.take(request);
    actor.take(answer);
    expect(actor.state().phase).toBe(phase);
  });
  test('gives values from itself and its answer, but not from an unknown answer', () => {
    const extractors = [taking('asked', 'request', '$.q'), taking('said', 'response', '$.b')];
    const actor = asked({ extractors });
    expect(actor.state().values).toEqual({ asked: '1' });
    actor.take({ ...answer, ask: 'nobody' });
    expect(actor.state().values).toEqual({ asked: '1' });
    actor.take(answer);
    expect(actor.state().values).toEqual({ asked: '1', said: '2' });
  });
  test('belongs to the phase in which it was sent, even if the answer comes late', () => {
    const actor = serving(server({ steps }), { extractors: [taking('said', 'response', '$.b')] }, 'other');
    actor.take(request);
    actor.take({ ...request, exchange: 'y', method: 'other' });
    actor.take({ ...answer, ask: 'a-2' });
    expect(actor.state().phase).toBe(1);
    const effects = actor.take({ ...answer, answer: { kind: 'result', result: { b: 3 } } });
    expect([recorded(effects)[0]?.phase, actor.state().values]).toEqual(['one', { said: '3' }]);
  });
});

describe('a server actor, remembering the requests that it sent', () => {
  const send = { send: { method: 'q' } };
  const entered = (count: number, plan: Partial<AnswerPlan> = {}) => {
    const phases = [{ state: {}, trigger: { event: 'm' } }, { onEnter: Array.from({ length: count }, () => send) }];
    const actor = stepped(server(plan), phases);
    actor.start();
    return actor;
  };
  test.each([
    [1_000, 'a-1'],
    [1_001, 'a-2'],
  ])('remembers at most 1000: of %i the first is %s', (count, first) => {
    const actor = entered(count);
    actor.take(request);
    expect([actor.state().asked.size, [...actor.state().asked.keys()][0]]).toEqual([1_000, first]);
  });
  test('never forgets one that a call waits for', () => {
    const steps: AnswerPlan['steps'] = [{ kind: 'ask', method: 'q', params: () => ({}) }];
    const actor = entered(999, { steps });
    actor.take({ ...request, method: 'waits' });
    actor.take({ ...request, exchange: 'y' });
    actor.take({ kind: 'answer', session: 's', ask: 'a-2', answer: result });
    expect([...actor.state().asked.keys()].slice(0, 2)).toEqual(['a-1', 'a-3']);
  });
});

describe('a server actor, recording a refused answer to its request', () => {
  const refuse = (message: object, more: object = {}) => {
    const actor = stepped(server(), [{ state: {}, onEnter: [{ send: { method: 'q', params: { q: 1 } } }] }]);
    actor.start();
    return recorded(actor.take({ kind: 'refused', reason: 'odd', message: { content: {}, ...message }, ...more }));
  };
  const named = { method: 'q', request: { q: 1 } };
  test.each<[object, object, object, boolean]>([
    [{ kind: 'response', id: 'a-1' }, {}, named, true],
    [{ kind: 'response' }, { ask: 'a-1' }, named, true],
    [{ kind: 'response', method: 'own' }, { ask: 'a-1' }, { ...named, method: 'own' }, true],
    [{ kind: 'response', id: 'a-9' }, {}, { method: 'unknown' }, false],
    [{ kind: 'request', id: 'a-1' }, {}, { method: 'unknown' }, false],
    [{ kind: 'request' }, { ask: 'a-1' }, { method: 'q' }, false],
    [{ kind: 'event' }, { ask: 'a-1' }, { method: 'unknown' }, false],
  ])('names the request in the record of %j with %j: %j', (message, more, expected, hasRequest) => {
    const [record] = refuse(message, more);
    expect(record).toMatchObject({ refused: 'odd', ...expected });
    expect(Object.hasOwn(record ?? {}, 'request')).toBe(hasRequest);
  });
});
