import { describe, expect, test } from 'vitest';
import { compileActor } from '../../../src/attack/engine/actor.ts';
import { createActorLoop, type RunPorts } from '../../../src/attack/engine/actor-loop.ts';
import type { AnswerPlan, Binding, ServerBinding } from '../../../src/attack/engine/binding.ts';
import type { NormalizedActor } from '../../../src/format/model/normalized.ts';
import type { Value } from '../../../src/index.ts';
import { client, server } from '../../support/stepped.ts';
import { VirtualClock } from '../../support/virtual-run.ts';

// The loop of one actor: in which order it takes its inputs, what it gives to its transport, and what it records when the
// transport reports.

type Report = readonly unknown[];

/** `report`: what the transport says of everything that it sends. */
function looped(binding: Binding, phase: object, report: Report = [], more: Partial<RunPorts> = {}) {
  const clock = new VirtualClock();
  const reported: unknown[] = [];
  const sent: unknown[] = [];
  const records: { readonly kind: string; readonly method?: string; readonly phase?: string }[] = [];
  const phases = [{ name: 'one', state: {}, ...phase }, { name: 'two' }];
  const actor = { name: 'a', mode: binding.mode, phases } as unknown as NormalizedActor;
  const send =
    (kind: string) =>
    (...given: unknown[]) => {
      sent.push([kind, ...given.filter((each) => typeof each !== 'function')]);
      const reported = given.find((each) => typeof each === 'function') as (...report: unknown[]) => void;
      reported(...report);
    };
  const transport = { answer: send('answer'), part: send('part'), notify: send('notify'), ask: send('ask') };
  let ids = 0;
  const loop = createActorLoop(compileActor(actor, binding, { actors: [actor] }), binding, transport as never, {
    clock,
    askMs: 1_000,
    seed: 0,
    freshId: () => `id-${++ids}`,
    endpoint: () => undefined,
    shared: () => ({}),
    record: (record) => void records.push(record as never),
    log: (...given) => void reported.push(['log', ...given]),
    warn: ({ code }) => void reported.push(['warn', code]),
    moved: () => void reported.push(['moved']),
    fail: (message) => void reported.push(['fail', message]),
    ...more,
  });
  const request = (method = 'm') =>
    loop.receive({ kind: 'request', session: 's', exchange: 'x', method, id: 1, params: undefined });
  return { loop, clock, told: reported, sent, records, request, transport };
}

describe('createActorLoop, recording a message by the report of its transport', () => {
  const place = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one', origin: 'attacker' };
  const answered = { ...place, kind: 'response', method: 'm', content: {}, id: 1, session: 's' };
  const pieces = ['/phases/0/state/p'];
  test.each<[string, Partial<AnswerPlan>, Report, object]>([
    ['a written answer', { pieces: ['/p'] }, [], { ...answered, pieces }],
    ['an answer written in other words', { pieces: ['/p'] }, [{ w: 1 }], { ...answered, pieces, wire: { w: 1 } }],
    ['a cut answer', { pieces: ['/p'] }, [undefined, 'cut'], { ...answered, begun: pieces, noted: 'cut' }],
    [
      'a cut answer written in other words',
      { pieces: ['/p'] },
      [1, 'cut'],
      { ...answered, begun: pieces, noted: 'cut', wire: 1 },
    ],
    ['an answer without pieces, written in other words', {}, [1], { ...answered, wire: 1 }],
    ['a cut answer without pieces', {}, [undefined, 'cut'], { ...answered, noted: 'cut' }],
    [
      'a cut part of an answer',
      { staysOpen: true, steps: [{ kind: 'part', content: () => 1, pieces: ['/p'] }] },
      [undefined, 'cut'],
      { ...answered, kind: 'event', content: 1, begun: pieces, noted: 'cut' },
    ],
  ])('records %s', (_, plan, report, expected) => {
    const { loop, records, request } = looped(server(plan), {}, report);
    loop.start();
    request();
    expect(records.at(-1)).toStrictEqual(expected);
  });

  const entry = ['/phases/0/on_enter/0'];
  test.each<[string, Report, object]>([
    ['written', ['s'], { session: 's', pieces: entry }],
    ['written in an era', ['s', 'e'], { session: 's', era: 'e', pieces: entry }],
    ['written in an era in other words', ['s', 'e', 1], { session: 's', era: 'e', wire: 1, pieces: entry }],
    ['written in other words in the first era', ['s', undefined, 1], { session: 's', wire: 1, pieces: entry }],
    ['cut in an era', ['s', 'e', undefined, 'cut'], { session: 's', era: 'e', begun: entry, noted: 'cut' }],
  ])('records a message of an entry action that was %s', (_, report, expected) => {
    for (const method of ['q', 'notifications/n']) {
      const { loop, records } = looped(server(), { onEnter: [{ send: { method } }] }, report);
      loop.start();
      const message = method === 'q' ? { kind: 'request', id: 'a-1' } : { kind: 'notification' };
      expect(records.at(-1)).toStrictEqual({ ...place, ...message, method, content: {}, ...expected });
    }
  });
});

describe('createActorLoop, passing messages to the transport', () => {
  const entryAction: ServerBinding['entryAction'] = (method, params) => ({ method, params, manner: 'M' });
  const given = (method: string, rule?: object) => {
    const extensions = rule === undefined ? {} : { extensions: { 'x-wire': [{ on: method, ...rule }] } };
    const { loop, sent, clock } = looped(
      server({}, { entryAction }),
      { onEnter: [{ binding: { [method]: 1 } }], ...extensions },
      ['s'],
    );
    loop.start();
    clock.advance(1_000);
    expect(clock.waiting()).toBe(0);
    return sent;
  };
  const bytes = { rule: '/phases/0/x-wire/0', actions: ['bytes'], bytes: { cut: 1 } };
  test.each<[object | undefined, object]>([
    [undefined, { manner: 'M' }],
    [{ delay: '1s' }, { manner: 'M' }],
    [{ bytes: { cut: 1 } }, { manner: 'M', order: bytes }],
  ])('passes a request and a notification on with the x-wire rule %j', (rule, how) => {
    expect(given('q', rule)).toEqual([['ask', 'every session', 'a-1', 'q', 1, how]]);
    expect(given('notifications/n', rule)).toEqual([['notify', 'every session', 'notifications/n', 1, how]]);
  });
  test('passes an answer on without a rule', () => {
    const { loop, sent, request } = looped(server(), {});
    loop.start();
    request();
    expect(sent).toEqual([['answer', 'x', { kind: 'result', result: {} }]]);
  });
});

describe('createActorLoop, taking inputs in order', () => {
  test('keeps inputs that come before the start until then', () => {
    const { loop, records, request } = looped(server(), {});
    request('early');
    loop.tick();
    expect(records).toEqual([]);
    loop.start();
    expect(records.map(({ kind }) => kind)).toEqual(['phase', 'request', 'response']);
  });
  test('takes an input that an effect brings after all other effects', () => {
    const { loop, records, request, transport } = looped(server(), { trigger: { event: 'm' } });
    const { answer } = transport;
    transport.answer = (...given) => {
      answer(...given);
      if (records.length < 4) request('next');
    };
    loop.start();
    request();
    expect(records.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'phase one',
      'request one',
      'response one',
      'phase two',
      'request two',
      'response two',
    ]);
  });
  test('reports each input as done after its effects', () => {
    const {
      loop,
      told: reported,
      request,
    } = looped(server(), {
      onEnter: [{ log: { message: 'hi' } }, { binding: { odd: 1 } }],
    });
    loop.start();
    request();
    expect(reported).toEqual([['log', 'a', 'info', 'hi'], ['warn', 'O-101'], ['moved'], ['moved']]);
  });
  test('performs the effects that admit returns', () => {
    const { loop, records, request } = looped(server(), {}, [], {
      admit: (effect) => (effect.kind === 'answer' ? [] : [effect, effect]),
    });
    loop.start();
    request();
    expect(records.map(({ kind }) => kind)).toEqual(['phase', 'phase', 'request', 'request']);
  });
});

describe('createActorLoop, when a binding throws', () => {
  test.each<[unknown, string]>([
    [new Error('odd'), 'actor "a": odd'],
    ['text', 'actor "a": text'],
  ])('fails the run when a binding throws "%s", and takes no further input', (thrown, expected) => {
    const {
      loop,
      told: reported,
      records,
      request,
    } = looped(
      server(
        {},
        {
          plan: () => {
            throw thrown;
          },
        },
      ),
      {},
    );
    loop.start();
    request();
    request();
    expect([reported, records.map(({ kind }) => kind)]).toEqual([[['moved'], ['fail', expected]], ['phase']]);
  });
});

describe('createActorLoop, with timers', () => {
  const phase = { trigger: { after: '1s' } };
  test('wakes the actor when its trigger time has come', () => {
    const { loop, clock, records } = looped(server(), phase);
    loop.start();
    clock.advance(999);
    expect(records).toHaveLength(1);
    clock.advance(1);
    expect(records.map(({ phase }) => phase)).toEqual(['one', 'two']);
  });
  test('neither wakes a stopped actor nor takes its inputs', () => {
    const { loop, clock, told: reported, records, request } = looped(server(), phase);
    loop.start();
    loop.stop();
    expect(clock.waiting()).toBe(0);
    clock.advance(1_000);
    request();
    loop.tick();
    expect([reported, records]).toEqual([[['moved']], [expect.objectContaining({ kind: 'phase' })]]);
  });
  test('drops a delayed message of a stopped actor', () => {
    const extensions = { 'x-wire': [{ on: 'm', delay: '1s' }] };
    const { loop, clock, sent, request } = looped(server(), { extensions });
    loop.start();
    request();
    loop.stop();
    clock.advance(1_000);
    expect(sent).toEqual([]);
  });
});

test('createActorLoop gives the binding its own id and a fresh one for each request', () => {
  const seen: Value[] = [];
  const binding = client([], {
    acts: (_, ids) => {
      seen.push(ids.own, ids.fresh(), ids.fresh());
      return { acts: [] };
    },
  });
  looped(binding, {}).loop.start();
  expect(seen).toEqual(['id-1', 'id-2', 'id-3']);
});
