import { describe, expect, test } from 'vitest';
import type { AnswerPlan, ServerBinding } from '../../../src/attack/engine/binding.ts';
import type { Value } from '../../../src/index.ts';
import { recorded, request, server, serving, stepped, taking, warned } from '../../support/stepped.ts';

// What a phase of a server actor does on entry, and the values that its messages give.

const ours = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one', origin: 'attacker' };

describe('the entry actions of a server actor', () => {
  const entry = '/phases/0/on_enter/0';
  const entering = (action: object, more: Partial<ServerBinding> = {}) =>
    stepped(server({}, more), [{ state: {}, onEnter: [action] }])
      .start()
      .slice(1);
  const asking = (params: Value | undefined, more: object = {}, beside: object = {}) => ({
    ...{ kind: 'ask', target: 'every session', ask: 'a-1', method: 'q', params, ...beside },
    record: {
      ...ours,
      kind: 'request',
      method: 'q',
      id: 'a-1',
      content: params ?? {},
      pieces: [entry],
      ...more,
    },
  });
  const telling = (params: Value | undefined, beside: object = {}) => ({
    ...{ kind: 'notify', target: 'every session', method: 'notifications/n', params, ...beside },
    record: {
      ...ours,
      kind: 'notification',
      method: 'notifications/n',
      content: params ?? {},
      pieces: [entry],
    },
  });
  const knows =
    (does: object): NonNullable<ServerBinding['entryAction']> =>
    (name, value) =>
      name === 'own' ? ({ params: value, ...does } as never) : undefined;

  test.each<[string, object, Partial<ServerBinding>, readonly object[]]>([
    ['nothing for an empty action', {}, {}, []],
    ['nothing for a send without a method', { send: { params: 1 } }, {}, []],
    ['a request', { send: { method: 'q' } }, {}, [asking(undefined)]],
    ['a request with params', { send: { method: 'q', params: { b: 1 } } }, {}, [asking({ b: 1 })]],
    ['a notification', { send: { method: 'notifications/n', params: 1 } }, {}, [telling(1)]],
    ['nothing for a log without a message', { log: { level: 'warn' } }, {}, []],
    [
      'a log message',
      { log: { message: 'hi' } },
      {},
      [
        { kind: 'log', level: 'info', message: 'hi' },
        { kind: 'record', record: { kind: 'log', actor: 'a', phase: 'one', level: 'info', message: 'hi' } },
      ],
    ],
    ['an action of the binding', { binding: { own: 1 } }, { entryAction: knows({ method: 'q' }) }, [asking(1)]],
    [
      'an action of the binding with options for the transport',
      { binding: { own: 1 } },
      { entryAction: knows({ method: 'q', manner: 'M' }) },
      [asking(1, {}, { how: { manner: 'M' } })],
    ],
    [
      'an action of the binding that is a notification',
      { binding: { own: 1 } },
      { entryAction: knows({ method: 'notifications/n', manner: 'M' }) },
      [telling(1, { how: { manner: 'M' } })],
    ],
    [
      'an action of the binding that only warns',
      { binding: { own: 1 } },
      { entryAction: knows({ warnings: [{ severity: 'warning', code: 'O-1', message: 'text' }] }) },
      [{ kind: 'warn', diagnostic: { severity: 'warning', code: 'O-1', message: 'a, one: text' } }],
    ],
  ])('perform %s', (_, action, more, expected) => {
    expect(entering(action, more)).toStrictEqual(expected);
  });

  test.each<[object, string[]]>([
    [{ send: { method: 'q', params: '{{x}}{{y}}' } }, ['x', 'y']],
    [{ binding: { own: '{{x}}' } }, ['x']],
  ])('name the templates that resolve to nothing: %j', (action, unresolved) => {
    const sent = entering(action, { entryAction: knows({ method: 'q' }) }).find(({ kind }) => kind === 'ask');
    expect(sent).toMatchObject({ record: { pieces: [entry], unresolved } });
  });
  test('are skipped with O-101 if they are unknown', () => {
    for (const more of [{}, { entryAction: knows({ method: 'q' }) }])
      expect(entering({ binding: { other: 1 } }, more)).toMatchObject([
        { kind: 'warn', diagnostic: { code: 'O-101' } },
      ]);
  });
  test('give values as requests do', () => {
    for (const method of ['q', 'notifications/n']) {
      const actor = stepped(server(), [
        {
          state: {},
          extractors: [taking('said', 'request', '$.b'), taking('none', 'response', '$.b')],
          onEnter: [{ send: { method, params: { b: 1 } } }],
        },
      ]);
      actor.start();
      expect(actor.state().values).toEqual({ said: '1' });
    }
  });
});

describe('the extracted values of a server actor', () => {
  const extractors = [taking('b', 'response', '$.b'), taking('c', 'request', '$.a')];
  test.each<[string, Partial<AnswerPlan>, object]>([
    ['a request and its answer', { answer: () => ({ kind: 'result', result: { b: 2 } }) }, { b: '2', c: '1' }],
    ['an error', { answer: () => ({ kind: 'error', error: { b: 3 } }) }, { b: '3', c: '1' }],
    [
      'parts of an answer',
      { steps: [{ kind: 'part', content: () => ({ b: 4 }) }], staysOpen: true },
      { b: '4', c: '1' },
    ],
    [
      'notifications as from requests',
      { steps: [{ kind: 'notify', method: 'n', params: () => ({ a: 5, b: 5 }) }], staysOpen: true },
      { c: '5' },
    ],
    ['a request without an answer', { staysOpen: true }, { c: '1' }],
  ])('come from %s', (_, plan, expected) => {
    const actor = serving(server(plan), { extractors });
    actor.take(request);
    expect(actor.state().values).toEqual(expected);
  });
  test('come from a notification as from a request', () => {
    const actor = serving(server(), { extractors: [...extractors, taking('d', 'response', '$.a')] });
    actor.take({ kind: 'notification', session: 's', method: 'n', params: { a: 6 } });
    expect(actor.state().values).toEqual({ c: '6' });
  });
  test('do not come from a refused message, which is no event either', () => {
    const actor = serving(server(), { extractors }, 'm');
    actor.take({
      kind: 'refused',
      reason: 'odd',
      message: { kind: 'request', method: 'm', content: { a: 1 } },
    });
    expect([actor.state().values, actor.state().phase]).toEqual([{}, 0]);
  });
  test('are available bare and under the actor name, before those of others', () => {
    const shared = () => ({ 'a.c': 'old', 'other.c': 'theirs' });
    const answer: AnswerPlan['answer'] = (fill) => ({
      kind: 'result',
      result: fill('{{c}} {{a.c}} {{other.c}}'),
    });
    const actor = stepped(server({ answer }), [{ state: {}, extractors }], { shared });
    actor.start();
    expect(actor.take(request).at(-1)).toMatchObject({ answer: { result: '1 1 theirs' } });
  });
});

describe('a server actor with a limit on extracted values', () => {
  const most = 16 * 1024 * 1024;
  const taken = (length: number, shared: Record<string, Value>, values: Record<string, Value> = {}) => {
    const actor = stepped(
      server(),
      [{ state: {}, extractors: [taking('v', 'request', '$.v'), taking('w', 'request', '$.w')] }],
      {
        shared: () => shared,
      },
    );
    actor.start();
    actor.take({ ...request, params: values });
    const effects = actor.take({ ...request, params: { v: 'v'.repeat(length) } });
    const codes = warned(effects).map(([code]) => code);
    const logs = recorded(effects).filter(({ kind }) => kind === 'log');
    return [Object.hasOwn(actor.state().values, 'v'), codes, logs.map((log) => 'cause' in log && log.cause)];
  };
  const held = (length: number) => 'h'.repeat(length);
  const isTaken = [true, [], []];
  const isNot = [false, ['O-108'], ['unjudged']];
  test.each<[string, unknown[], unknown[]]>([
    ['with much room', taken(5_000, {}), isTaken],
    ['with just enough room', taken(5_000, { 'b.x': held(most - 5_000) }), isTaken],
    ['without enough room', taken(5_000, { 'b.x': held(most - 4_999) }), isNot],
    [
      'without enough room beside values of two other actors',
      taken(5_000, { 'b.x': held(most - 9_000), 'c.x': held(4_001) }),
      isNot,
    ],
    [
      'without enough room beside the actor’s own values',
      taken(5_000, { 'b.x': held(most - 6_000) }, { w: held(1_001) }),
      isNot,
    ],
    ['that replaces an old value', taken(5_000, { 'b.x': held(most - 6_000) }, { v: held(4_000) }), isTaken],
    ['beside shared values of the same actor', taken(5_000, { 'a.x': held(most) }), isTaken],
    ['beside a value that is not a text', taken(5_000, { 'b.x': held(most - 5_000), 'b.y': 7 }), isTaken],
    ['that is always short enough', taken(4_096, { 'b.x': held(most) }), isTaken],
    ['that is just longer than what is always taken', taken(4_097, { 'b.x': held(most) }), isNot],
  ])('decides whether a value %s is kept (kept, codes, causes): $2', (_, given, expected) => {
    expect(given).toEqual(expected);
  });
});

describe('a server phase with x-await', () => {
  const log = ['log', 'record'];
  const waiting = (...values: readonly string[]) => {
    const shared: Record<string, Value> = Object.fromEntries(values.map((name) => [name, '1']));
    const extensions = { 'x-await': [{ actor: 'b', extractors: ['v', 'w'], within: '1s' }] };
    const first = { state: {}, extensions, onEnter: [{ log: { message: 'hi' } }], trigger: { event: 'm' } };
    const actor = stepped(server(), [first, {}], { shared: () => shared });
    const begun = actor.start().slice(1);
    return { actor, shared, begun };
  };
  const kinds = (effects: readonly { readonly kind: string }[]) => effects.map(({ kind }) => kind);

  test('begins at once if the values are there', () => {
    expect(kinds(waiting('b.v', 'b.w').begun)).toEqual(log);
  });
  test('begins when the values have come', () => {
    const { actor, shared, begun } = waiting('b.v');
    expect([begun, actor.tick(999)]).toEqual([[{ kind: 'wake', at: 1_000 }], []]);
    shared['b.w'] = '1';
    expect([kinds(actor.tick(999)), kinds(actor.tick(1_000))]).toEqual([log, []]);
  });
  test('begins when its time is over and names the missing values in O-115', () => {
    const effects = waiting('b.v').actor.tick(1_000);
    expect(kinds(effects)).toEqual(['warn', ...log]);
    expect(warned(effects)).toEqual([['O-115', 'a, one: b.w did not come in time; the phase goes on without']]);
  });
  test('does not begin when it ends before, with one O-115', () => {
    const { actor } = waiting('b.v');
    const effects = actor.take(request);
    expect(warned(effects)).toEqual([
      ['O-115', 'a, two: the phase before ended before b.v, b.w had come, so it sent nothing of its own accord'],
    ]);
    expect([kinds(effects).includes('log'), actor.state().awaiting, actor.tick(1_000)]).toEqual([false, [], []]);
  });
});

describe('a message that an x-wire rule drops', () => {
  const extensions = { 'x-wire': [{ on: '*', drop: true }] };
  const rule = '/phases/0/x-wire/0';
  const dropped = {
    kind: 'wire',
    actor: 'a',
    phase: 'one',
    mode: 'mcp_server',
    protocol: 'mcp',
    did: ['drop'],
    rule,
    pieces: [rule],
  };
  const extractors = [taking('v', 'request', '$.v'), taking('w', 'response', '$.w')];
  const entering = (onEnter: readonly object[], plan: Partial<AnswerPlan> = {}) => {
    const actor = stepped(server(plan), [{ state: {}, extensions, extractors, onEnter }]);
    return { actor, effects: actor.start().slice(1) };
  };
  test.each(['q', 'notifications/n'])('leaves only a record if it is an entry action: %s', (method) => {
    const { actor, effects } = entering([{ send: { method, params: { v: 1 } } }]);
    expect(effects).toStrictEqual([{ kind: 'record', record: { ...dropped, method } }]);
    expect(actor.state().values).toEqual({});
  });
  test('leaves only a record if it is an answer', () => {
    const { actor } = entering([], { answer: () => ({ kind: 'result', result: { w: 1 } }) });
    const effects = actor.take(request).slice(1);
    expect(effects).toStrictEqual([{ kind: 'record', record: { ...dropped, method: 'm', id: 1, session: 's' } }]);
    expect(actor.state().values).toEqual({});
  });
});

test.each([
  [1, ['wire']],
  [2, ['response']],
])('an x-wire rule with the condition a: 1 turns an answer to a: %i into %j', (a, expected) => {
  const extensions = { 'x-wire': [{ on: 'm', when: { a: 1 }, drop: true }] };
  const actor = stepped(server(), [{ state: {}, extensions }]);
  actor.start();
  const effects = actor.take({ ...request, params: { a } });
  expect(effects.slice(1).map((each) => ('record' in each ? each.record.kind : each.kind))).toEqual(expected);
});

describe('the state of a server phase', () => {
  const operationName = (name: string) => (name === 'Old' ? 'm' : name);
  test('is the last state written up to this phase', () => {
    const phases = [{ state: { s: 1 }, trigger: { event: 'm' } }, { trigger: { event: 'm' } }, { state: { s: 3 } }];
    const seen: unknown[] = [];
    const plan: ServerBinding['plan'] = (_, state) => {
      seen.push(state);
      return { steps: [], answer: () => ({ kind: 'result', result: {} }), pieces: ['/p'] };
    };
    const actor = stepped(server({}, { plan }), phases);
    actor.start();
    const pieces = phases.map(() =>
      actor.take(request).flatMap((each) => (each.kind === 'answer' ? each.record.pieces : [])),
    );
    expect(seen).toEqual([{ s: 1 }, { s: 1 }, { s: 3 }]);
    expect(pieces).toEqual([['/phases/0/state/p'], ['/phases/0/state/p'], ['/phases/2/state/p']]);
  });
  test('stays in the last phase, whatever its trigger says', () => {
    const actor = stepped(server(), [{ state: {}, trigger: { event: 'm' } }]);
    actor.start();
    expect(recorded(actor.take(request)).map(({ kind }) => kind)).toEqual(['request']);
    expect(actor.state().phase).toBe(0);
  });
  test('ends when the time of its trigger is over and not before', () => {
    const actor = serving(server(), { trigger: { event: 'never', after: '10s' } });
    const phases = [9_999, 10_000].map((now) => {
      actor.take(request, now);
      return actor.state().phase;
    });
    expect(phases).toEqual([0, 1]);
  });
  test('ends by an event under either of its names', () => {
    for (const event of ['Old', 'm']) {
      const actor = serving(server({}, { operationName }), {}, event);
      actor.take(request);
      expect(actor.state().phase).toBe(1);
    }
  });
});
