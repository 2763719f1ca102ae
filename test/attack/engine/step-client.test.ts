import { describe, expect, test } from 'vitest';
import type { Act, ClientBinding } from '../../../src/attack/engine/binding.ts';
import {
  answer,
  calling,
  client,
  does,
  end,
  part,
  recorded,
  sent,
  stepped,
  taking,
  warned,
} from '../../support/stepped.ts';

// The steps of a client actor, whatever its protocol: what it sends, and when.

const place = { actor: 'a', protocol: 'ag_ui', mode: 'ag_ui_client', phase: 'one' };
const ours = { ...place, origin: 'attacker' };
const asking = (method: string, ask: string, more: object = {}) => ({
  ...{ kind: 'ask', target: 'every session', ask, method, params: { b: 1 }, how: {} },
  record: { ...ours, kind: 'request', method, content: { b: 1 } },
  ...more,
});

describe('a client actor, sending an action', () => {
  const started = (acts: readonly Act[], more: Partial<ClientBinding> = {}) =>
    stepped(client(acts, more), [{ state: {} }])
      .start()
      .slice(1);
  test.each<[string, Act, Partial<ClientBinding>, readonly object[]]>([
    ['a call', does('m'), {}, [asking('m', 'a-1')]],
    [
      'a call without params',
      does('m', { content: () => undefined }),
      {},
      [
        asking('m', 'a-1', {
          params: undefined,
          record: { ...ours, kind: 'request', method: 'm', content: {} },
        }),
      ],
    ],
    [
      'a call with an id',
      does('m'),
      { hasIds: true },
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, id: 'a-1' },
        }),
      ],
    ],
    ['a call with a time limit', does('m'), { isTimed: true }, [{ kind: 'wake', at: 1_000 }, asking('m', 'a-1')]],
    [
      'a call with other params for older peers',
      does('m', { older: (content) => [content] }),
      {},
      [asking('m', 'a-1', { how: { older: [{ b: 1 }] } })],
    ],
    [
      'a call with options of its own for the transport',
      does('m', { manner: () => 'M' }),
      {},
      [asking('m', 'a-1', { how: { manner: 'M' } })],
    ],
    [
      'a call with the parts of the document in it',
      does('m', { pieces: ['/p'] }),
      {},
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, pieces: ['/phases/0/state/p'] },
        }),
      ],
    ],
    [
      'a call with its own place in the document',
      does('m', { pieces: ['/p'], place: { pieces: ['/q'] } }),
      {},
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, pieces: ['/q'] },
        }),
      ],
    ],
    ['a call whose method is filled in', does('m', { resolve: () => does('n') }), {}, [asking('n', 'a-1')]],
    [
      'a notification',
      does('m', { isNotification: true, manner: () => 'M' }),
      {},
      [
        {
          ...{ kind: 'notify', target: 'every session', method: 'm', params: { b: 1 }, how: { manner: 'M' } },
          record: { ...ours, kind: 'notification', method: 'm', content: { b: 1 } },
        },
      ],
    ],
    [
      'a call after the events that it carries',
      does('m', { carries: (content) => [{ method: 'c', content: { content } }] }),
      {},
      [
        { kind: 'record', record: { ...ours, kind: 'event', method: 'c', content: { content: { b: 1 } } } },
        asking('m', 'a-1'),
      ],
    ],
  ])('sends %s', (_, act, more, expected) => {
    expect(started([act], more)).toStrictEqual(expected);
  });

  test.each<[string, Partial<Act>, string, number]>([
    ['does not count a call as an event', {}, 'm', 0],
    ['counts a call that is marked as an event', { counts: true }, 'm', 1],
    ['counts an event that a call carries', { carries: () => [{ method: 'c', content: {} }] }, 'c', 1],
  ])('%s', (_, more, event, phase) => {
    expect(calling([does('m', more)], {}, {}, event).state().phase).toBe(phase);
  });

  test('extracts from a call as a request and from what it carries as an answer', () => {
    const extractors = [taking('asked', 'request', '$.b'), taking('carried', 'response', '$.c')];
    const carries = () => [{ method: 'c', content: { c: 2 } }];
    expect(calling([does('m', { carries })], {}, { extractors }).state().values).toEqual({
      asked: '1',
      carried: '2',
    });
  });

  test('reports warnings of the binding about the document', () => {
    const warnings = [{ severity: 'warning', code: 'O-1', message: 'text' }] as const;
    const effects = started([], { acts: () => ({ acts: [], warnings }) });
    expect(warned(effects)).toEqual([['O-1', 'a, one: text']]);
  });
});

describe('a client actor, ordering its messages', () => {
  test('sends the handshake, the entry actions and the actions of the phase, each after the answer to the one before', () => {
    const binding = client([does('act'), does('last')], { opening: () => ({ acts: [does('hello')] }) });
    const onEnter = [{ send: { method: 'entry' } }];
    const actor = stepped(binding, [{ state: {}, onEnter }]);
    const turns = [actor.start(), ...['a-1', 'a-2', 'a-3', 'a-4'].map((ask) => actor.take(answer(ask)))];
    expect(turns.map(sent)).toEqual([['hello'], ['entry'], ['act'], ['last'], []]);
  });
  test('makes the handshake from the state of the first phase', () => {
    const opening: ClientBinding['opening'] = (state) => ({
      acts: [does('hello', { content: () => state })],
    });
    const actor = stepped(client([], { opening }), [{ state: { s: 1 } }, { state: { s: 2 } }]);
    expect(actor.start().at(-1)).toMatchObject({ params: { s: 1 }, record: { phase: 'one' } });
  });
  test('sends an entry action that expects no answer as a notification', () => {
    const isNotification = (method: string) => method === 'tell';
    const onEnter = ['tell', 'ask'].map((method) => ({ send: { method, params: { c: 1 } } }));
    const effects = stepped(client([], { isNotification }), [{ state: {}, onEnter }]).start();
    expect(effects.slice(1).map(({ kind }) => kind)).toEqual(['notify', 'ask']);
    expect(effects[1]).toMatchObject({
      method: 'tell',
      params: { c: 1 },
      record: { pieces: ['/phases/0/on_enter/0'] },
    });
  });
  test('skips the binding’s own entry actions with O-101, because only servers have them', () => {
    const effects = stepped(client([]), [{ state: {}, onEnter: [{ binding: { own: 1 } }] }]).start();
    expect(warned(effects).map(([code]) => code)).toEqual(['O-101']);
  });
  test('sends nothing in a phase without a state of its own', () => {
    const actor = stepped(client([does('m')]), [{ state: {}, trigger: { after: '1s' } }, {}]);
    actor.start();
    expect(sent(actor.tick(1_000))).toEqual([]);
  });
  test('drops the actions that are left when a phase ends with O-110, but not follow-ups', () => {
    const acts = ['m', 'x', 'y', 'x'].map((method) => does(method));
    const actor = stepped(client(acts), [{ state: {}, trigger: { after: '1s' } }, {}]);
    actor.start();
    actor.take(part({ acts: [does('owed')] as never }));
    const effects = actor.tick(1_000);
    expect(warned(effects)).toEqual([
      ['O-110', 'a, one: the phase was over before it had sent everything; 3 left out: x, y'],
    ]);
    expect(sent(actor.take(end(), 1_000))).toEqual(['owed']);
  });
  test('answers a request of the peer with Method not found', () => {
    const effects = calling([]).take({
      kind: 'request',
      session: 's',
      exchange: 'x',
      method: 'm',
      id: 1,
      params: {},
    });
    expect(effects.at(-1)).toMatchObject({
      kind: 'answer',
      answer: { kind: 'error', error: { code: -32601, message: 'Method not found: m' } },
    });
  });
  test('sends follow-ups before further actions, in their order', () => {
    const actor = calling([does('m'), does('n')]);
    actor.take(part({ acts: [does('owed')] as never }));
    actor.take(part({ acts: [does('owed, too')] as never }));
    const turns = [actor.take(end()), ...['a-2', 'a-3', 'a-4'].map((ask) => actor.take(answer(ask)))];
    expect(turns.map(sent)).toEqual([['owed'], ['owed, too'], ['n'], []]);
  });
});

describe('a client actor, sending by an x-wire rule', () => {
  const rule = '/phases/0/x-wire/0';
  const ruled = (written: object, acts = [does('m'), does('n')], more: Partial<ClientBinding> = {}) => {
    const actor = stepped(client(acts, more), [{ state: {}, extensions: { 'x-wire': [written] } }]);
    return { actor, effects: actor.start().slice(1) };
  };
  test('repeats a call, each time with the rule’s own actions', () => {
    const { effects } = ruled({ on: 'm', repeat: 2, hold: 'next', stream: 'silent', bytes: { cut: 1 } });
    const how = { order: { rule, actions: ['repeat', 'hold', 'stream', 'bytes'], bytes: { cut: 1 } } };
    expect(effects).toStrictEqual([asking('m', 'a-1', { how }), asking('m', 'a-2', { how })]);
  });
  test('names a call by the id of its first message', () => {
    const { actor } = ruled({ on: 'm', as: 'name', repeat: 2 });
    expect(actor.state().values).toEqual({ name: 'a-1' });
    expect(ruled({ on: 'm', as: 5 }).actor.state().values).toEqual({});
    expect(ruled({ on: 'm', repeat: 2 }).actor.state().values).toEqual({});
  });
  test('does not wait for the answer with together: true', () => {
    expect(sent(ruled({ on: 'm', together: true }).effects)).toEqual(['m', 'n']);
    expect(sent(ruled({ on: 'm', together: 'yes' }).effects)).toEqual(['m']);
  });
  test('records the id of the call in later records about it', () => {
    const later = (on: string) => {
      const { actor } = ruled({ on, bytes: { cut: 1 } });
      const malformed = { kind: 'malformed', raw: '', reason: 'odd' };
      return [{ ...malformed, ask: 'a-1' }, malformed, part(null), end({ reason: 'r' })]
        .flatMap((message) => recorded(actor.take(message)))
        .filter(({ kind }) => kind !== 'event' && kind !== 'request')
        .map((record) => ('id' in record ? record.id : undefined));
    };
    expect(later('m')).toEqual(['a-1', undefined, 'a-1', 'a-1']);
    expect(later('n')).toEqual([undefined, undefined, undefined, undefined]);
  });
  test('sends a notification with the rule’s actions', () => {
    const { effects } = ruled({ on: 'm', bytes: { cut: 1 } }, [does('m', { isNotification: true })]);
    expect(effects).toMatchObject([
      { kind: 'notify', how: { order: { rule, actions: ['bytes'], bytes: { cut: 1 } } } },
    ]);
  });
});
