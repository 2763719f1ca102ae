import { describe, expect, test } from 'vitest';
import type { AnswerPlan, PlanContext, SaidWithin, ServerBinding } from '../../../src/attack/engine/binding.ts';
import type { Value } from '../../../src/index.ts';
import { recorded, request, server, serving, warned } from '../../support/stepped.ts';

// The steps of a server actor, whatever its protocol: how its peer’s messages are recorded, and its requests answered.

const place = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one' };
const theirs = { ...place, origin: 'agent' };
const ours = { ...place, origin: 'attacker' };
const result = { kind: 'result', result: {} };

describe('a server actor, recording a message of the agent', () => {
  const requested = { ...theirs, kind: 'request', method: 'm', id: 1, content: { a: 1 }, session: 's' };
  const notified = { ...theirs, kind: 'notification', method: 'n', content: {}, session: 's' };
  const answered = { ...theirs, kind: 'response', method: 'unknown', id: 'k', content: {}, session: 's' };
  const answer = { kind: 'answer', session: 's', ask: 'k', answer: result };
  const refused = { kind: 'refused', reason: 'odd' };
  test.each<[object, object]>([
    [request, requested],
    [
      { ...request, params: undefined },
      { ...requested, content: {} },
    ],
    [
      { ...request, params: null },
      { ...requested, content: null },
    ],
    [
      { ...request, noted: 'n' },
      { ...requested, noted: 'n' },
    ],
    [
      { ...request, era: 'e' },
      { ...requested, era: 'e' },
    ],
    [
      { ...request, wire: {} },
      { ...requested, wire: {} },
    ],
    [
      { ...request, era: 'e', wire: {} },
      { ...requested, era: 'e', wire: {} },
    ],
    [{ kind: 'notification', session: 's', method: 'n' }, notified],
    [
      { kind: 'notification', session: 's', method: 'n', noted: 'n', era: 'e' },
      { ...notified, noted: 'n', era: 'e' },
    ],
    [answer, answered],
    [
      { ...answer, noted: 'n', era: 'e', wire: 1 },
      { ...answered, noted: 'n', era: 'e', wire: 1 },
    ],
    [
      { ...answer, answer: { kind: 'error', error: { code: 1 } } },
      { ...answered, content: { code: 1 }, failed: true },
    ],
    [
      { ...refused, message: { kind: 'request', method: 'm', content: {} } },
      { ...theirs, kind: 'request', method: 'm', content: {}, refused: 'odd' },
    ],
    [
      { ...refused, session: 's', message: { kind: 'response', id: 7, content: {}, failed: true, era: 'e' } },
      {
        ...theirs,
        ...{ kind: 'response', method: 'unknown', id: 7, content: {}, session: 's' },
        ...{ failed: true, era: 'e', refused: 'odd' },
      },
    ],
    [
      { ...refused, message: { kind: 'event', content: {} } },
      { ...theirs, kind: 'event', method: 'unknown', content: {}, refused: 'odd' },
    ],
    [
      { kind: 'malformed', raw: 'r', reason: 'odd', cause: 'cut_off' },
      { kind: 'malformed', actor: 'a', phase: 'one', raw: 'r', reason: 'odd', cause: 'cut_off' },
    ],
    [
      { kind: 'malformed', raw: 'r', reason: 'odd', ask: 'nobody' },
      { kind: 'malformed', actor: 'a', phase: 'one', raw: 'r', reason: 'odd' },
    ],
    [
      { kind: 'connection', session: 's', event: 'opened' },
      { kind: 'connection', actor: 'a', phase: 'one', session: 's', event: 'opened' },
    ],
    [
      { kind: 'log', level: 'info', message: 'hi' },
      { kind: 'log', actor: 'a', phase: 'one', level: 'info', message: 'hi' },
    ],
  ])('records it as it came: %j', (message, expected) => {
    const effects = serving(server()).take(message);
    expect([recorded(effects), warned(effects)]).toStrictEqual([[expected], []]);
  });

  test('reports what a transport could not do as a warning', () => {
    const effects = serving(server()).take({ kind: 'warning', code: 'O-1', message: 'text' });
    expect(effects).toStrictEqual([
      { kind: 'warn', diagnostic: { severity: 'warning', code: 'O-1', message: 'a, one: text' } },
    ]);
  });
});

describe('a server actor, answering a request', () => {
  const response = {
    ...ours,
    kind: 'response',
    method: 'm',
    content: {},
    id: 1,
    session: 's',
    request: { a: 1 },
  };
  const effectsOf = (plan: Partial<AnswerPlan>, more: object = {}) =>
    serving(server(plan))
      .take({ ...request, ...more })
      .slice(1);
  const answered = (record: object, answer: object = result) => ({
    kind: 'answer',
    exchange: 'x',
    answer,
    record,
  });
  const withoutParams = () => {
    const { request: _, ...rest } = response;
    return rest;
  };

  test.each<[string, Partial<AnswerPlan>, object, readonly object[]]>([
    ['a request with a result', {}, {}, [answered(response)]],
    ['a request in its era', {}, { era: 'e' }, [answered({ ...response, era: 'e' })]],
    ['a request without params', {}, { params: undefined }, [answered(withoutParams())]],
    [
      'a request with an error',
      { answer: () => ({ kind: 'error', error: 1 }) },
      {},
      [answered({ ...response, content: 1, failed: true }, { kind: 'error', error: 1 })],
    ],
    [
      'a request with the parts of the document in the answer',
      { pieces: ['/b'] },
      {},
      [answered({ ...response, pieces: ['/phases/0/state/b'] })],
    ],
    ['a request without parts of the document', { pieces: [] }, {}, [answered(response)]],
    ['a request not at all', { staysOpen: true }, {}, []],
    [
      'a request in parts',
      { steps: [{ kind: 'part', content: () => 1, pieces: ['/p'] }], staysOpen: true },
      {},
      [
        {
          kind: 'part',
          exchange: 'x',
          content: 1,
          record: { ...response, kind: 'event', content: 1, pieces: ['/phases/0/state/p'] },
        },
      ],
    ],
    [
      'a request after notifications',
      { steps: [{ kind: 'notify', method: 'n', params: () => 1 }], staysOpen: true },
      {},
      [
        {
          kind: 'notify',
          target: { exchange: 'x' },
          method: 'n',
          params: 1,
          record: { ...ours, kind: 'notification', method: 'n', content: 1 },
        },
      ],
    ],
    [
      'a request after a request of its own',
      { steps: [{ kind: 'ask', method: 'q', params: () => 'asked', pieces: ['/q'] }] },
      {},
      [
        {
          kind: 'ask',
          target: { exchange: 'x' },
          ask: 'a-1',
          method: 'q',
          params: 'asked',
          record: {
            ...ours,
            kind: 'request',
            method: 'q',
            id: 'a-1',
            content: 'asked',
            pieces: ['/phases/0/state/q'],
          },
        },
        { kind: 'wake', at: 1_000 },
      ],
    ],
    [
      'a request with a warning',
      { warnings: [{ severity: 'warning', code: 'O-1', message: 'text' }], staysOpen: true },
      {},
      [{ kind: 'warn', diagnostic: { severity: 'warning', code: 'O-1', message: 'a, one: text' } }],
    ],
  ])('answers %s', (_, plan, more, expected) => {
    expect(effectsOf(plan, more)).toStrictEqual(expected);
  });

  test('gives the binding its memory, endpoint, time and ids', () => {
    const seen: unknown[] = [];
    const actor = serving(
      server(
        {},
        {
          plan: (_request, state, _fill, { memory, endpoint, timestamp, ids }: PlanContext) => {
            seen.push([state, memory, endpoint?.url, timestamp(), ids.own]);
            return {
              steps: [],
              answer: () => ({ kind: 'result', result: {} }),
              ...(memory === undefined && { memory: 'm' }),
            };
          },
        },
      ),
    );
    for (let time = 0; time < 3; time += 1) actor.take(request);
    expect(seen).toEqual([
      [{}, undefined, 'virtual:', 'now', 'own'],
      [{}, 'm', 'virtual:', 'now', 'own'],
      [{}, 'm', 'virtual:', 'now', 'own'],
    ]);
  });

  test('gives the binding the era and the repeated fields of the request', () => {
    const seen: unknown[] = [];
    const plan: ServerBinding['plan'] = (asked) => {
      seen.push(asked);
      return { steps: [], answer: () => ({ kind: 'result', result: {} }) };
    };
    serving(server({}, { plan })).take({ ...request, era: 'e', repeated: { b: 'c' } });
    expect(seen).toEqual([{ method: 'm', params: { a: 1 }, id: 1, era: 'e', repeated: { b: 'c' } }]);
  });

  test('fills in templates and names at most 50 that resolve to nothing', () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
    const text = [...names, ...names].map((name) => `{{${name}}}`).join('');
    const answer: AnswerPlan['answer'] = (fill) => ({
      kind: 'result',
      result: fill({ a: '{{request.a}}', text }),
    });
    const [effect] = effectsOf({ answer, pieces: ['/b'] }).filter(({ kind }) => kind === 'answer');
    expect(effect).toMatchObject({
      answer: { result: { a: '1', text: '' } },
      record: { unresolved: names.slice(0, 50) },
    });
  });

  test.each<[string, Value, Value]>([
    [
      'a chain of references',
      { a: 'a{{response.b}}', b: 'b{{response.c}}', c: 'c{{response.d}}', d: 'd{{response.e}}', e: 'e' },
      { a: 'abcde', b: 'bcde', c: 'cde', d: 'de', e: 'e' },
    ],
    ['a value that refers to itself', { a: 'x{{response.a}}' }, { a: 'xxxxx' }],
  ])('fills in references within the answer in a limited number of rounds: %s', (_, value, expected) => {
    const [effect] = effectsOf({ answer: (fill) => ({ kind: 'result', result: fill(value) }) }).slice(-1);
    expect(effect).toMatchObject({ answer: { result: expected } });
  });

  test('counts an answered request unless it is a repetition', () => {
    const counting = (said?: SaidWithin) => {
      const actor = serving(server({}, { saidWithin: () => said }), {}, 'm');
      actor.take(request);
      return actor.state().phase;
    };
    expect([counting(), counting({ events: [] }), counting({ events: [], isRepeated: true })]).toEqual([1, 1, 0]);
  });
});
