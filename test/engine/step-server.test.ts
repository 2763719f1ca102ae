import { describe, expect, test } from 'vitest';
import type { AnswerPlan, PlanContext, SaidWithin, ServerBinding } from '../../src/engine/binding.ts';
import type { Value } from '../../src/index.ts';
import { recorded, request, server, serving, warned } from '../support/stepped.ts';

// The steps of a server actor, whatever its protocol: how its peer’s messages are recorded, and its requests answered.

const place = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one' };
const theirs = { ...place, origin: 'agent' };
const ours = { ...place, origin: 'attacker' };
const result = { kind: 'result', result: {} };

describe('a message of the agent is recorded as it came', () => {
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
  ])('%j', (message, expected) => {
    const effects = serving(server()).take(message);
    expect([recorded(effects), warned(effects)]).toStrictEqual([[expected], []]);
  });

  test('what a transport could not do is a warning', () => {
    const effects = serving(server()).take({ kind: 'warning', code: 'O-1', message: 'text' });
    expect(effects).toStrictEqual([
      { kind: 'warn', diagnostic: { severity: 'warning', code: 'O-1', message: 'a, one: text' } },
    ]);
  });
});

describe('a request is answered', () => {
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
    ['with a result', {}, {}, [answered(response)]],
    ['in its era', {}, { era: 'e' }, [answered({ ...response, era: 'e' })]],
    ['without params', {}, { params: undefined }, [answered(withoutParams())]],
    [
      'with an error',
      { answer: () => ({ kind: 'error', error: 1 }) },
      {},
      [answered({ ...response, content: 1, failed: true }, { kind: 'error', error: 1 })],
    ],
    [
      'with the pieces that it carries',
      { pieces: ['/b'] },
      {},
      [answered({ ...response, pieces: ['/phases/0/state/b'] })],
    ],
    ['with no pieces', { pieces: [] }, {}, [answered(response)]],
    ['not at all', { staysOpen: true }, {}, []],
    [
      'in parts',
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
      'after notifications',
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
      'after a question',
      { steps: [{ kind: 'ask', method: 'q', params: (_, ask) => ask, pieces: ['/q'] }] },
      {},
      [
        {
          kind: 'ask',
          target: { exchange: 'x' },
          ask: 'a-1',
          method: 'q',
          params: 'a-1',
          record: {
            ...ours,
            kind: 'request',
            method: 'q',
            id: 'a-1',
            content: 'a-1',
            pieces: ['/phases/0/state/q'],
          },
        },
        { kind: 'wake', at: 1_000 },
      ],
    ],
    [
      'with a warning',
      { warnings: [{ severity: 'warning', code: 'O-1', message: 'text' }], staysOpen: true },
      {},
      [{ kind: 'warn', diagnostic: { severity: 'warning', code: 'O-1', message: 'a, one: text' } }],
    ],
  ])('%s', (_, plan, more, expected) => {
    expect(effectsOf(plan, more)).toStrictEqual(expected);
  });

  test('with what its binding remembers, where it listens and what time it is', () => {
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

  test('with what is known of it', () => {
    const seen: unknown[] = [];
    const plan: ServerBinding['plan'] = (asked) => {
      seen.push(asked);
      return { steps: [], answer: () => ({ kind: 'result', result: {} }) };
    };
    serving(server({}, { plan })).take({ ...request, era: 'e', repeated: { b: 'c' } });
    expect(seen).toEqual([{ method: 'm', params: { a: 1 }, id: 1, era: 'e', repeated: { b: 'c' } }]);
  });

  test('and its templates are filled in; those that resolve to nothing are named once, up to a bound', () => {
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
      'as many rounds as it takes',
      { a: 'a{{response.b}}', b: 'b{{response.c}}', c: 'c{{response.d}}', d: 'd{{response.e}}', e: 'e' },
      { a: 'abcde', b: 'bcde', c: 'cde', d: 'de', e: 'e' },
    ],
    ['not without end', { a: 'x{{response.a}}' }, { a: 'xxxxx' }],
  ])('with values that refer to each other, %s', (_, value, expected) => {
    const [effect] = effectsOf({ answer: (fill) => ({ kind: 'result', result: fill(value) }) }).slice(-1);
    expect(effect).toMatchObject({ answer: { result: expected } });
  });

  test('and counts then, unless it is only a repetition', () => {
    const counting = (said?: SaidWithin) => {
      const actor = serving(server({}, { saidWithin: () => said }), {}, 'm');
      actor.take(request);
      return actor.state().phase;
    };
    expect([counting(), counting({ events: [] }), counting({ events: [], isRepeated: true })]).toEqual([
      1, 1, 0,
    ]);
  });
});
