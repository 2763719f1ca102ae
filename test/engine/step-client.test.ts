import { describe, expect, test } from 'vitest';
import type { Act, ClientBinding } from '../../src/engine/binding.ts';
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
} from '../support/stepped.ts';

// The steps of a client actor, whatever its protocol: what it sends, and when.

const place = { actor: 'a', protocol: 'ag_ui', mode: 'ag_ui_client', phase: 'one' };
const ours = { ...place, origin: 'attacker' };
const asking = (method: string, ask: string, more: object = {}) => ({
  ...{ kind: 'ask', target: 'every session', ask, method, params: { b: 1 }, how: {} },
  record: { ...ours, kind: 'request', method, content: { b: 1 } },
  ...more,
});

describe('an act goes out', () => {
  const started = (acts: readonly Act[], more: Partial<ClientBinding> = {}) =>
    stepped(client(acts, more), [{ state: {} }])
      .start()
      .slice(1);
  test.each<[string, Act, Partial<ClientBinding>, readonly object[]]>([
    ['as a call', does('m'), {}, [asking('m', 'a-1')]],
    [
      'without params',
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
      'under an id',
      does('m'),
      { hasIds: true },
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, id: 'a-1' },
        }),
      ],
    ],
    ['for some time', does('m'), { isTimed: true }, [{ kind: 'wake', at: 1_000 }, asking('m', 'a-1')]],
    [
      'with the words for an older peer',
      does('m', { older: (content) => [content] }),
      {},
      [asking('m', 'a-1', { how: { older: [{ b: 1 }] } })],
    ],
    [
      'in a manner of its own',
      does('m', { manner: () => 'M' }),
      {},
      [asking('m', 'a-1', { how: { manner: 'M' } })],
    ],
    [
      'with its pieces',
      does('m', { pieces: ['/p'] }),
      {},
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, pieces: ['/phases/0/state/p'] },
        }),
      ],
    ],
    [
      'with its place in the document',
      does('m', { pieces: ['/p'], place: { pieces: ['/q'] } }),
      {},
      [
        asking('m', 'a-1', {
          record: { ...ours, kind: 'request', method: 'm', content: { b: 1 }, pieces: ['/q'] },
        }),
      ],
    ],
    ['under a name that is filled in', does('m', { resolve: () => does('n') }), {}, [asking('n', 'a-1')]],
    [
      'as a notification',
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
      'behind the events that it carries',
      does('m', { carries: (content) => [{ method: 'c', content: { content } }] }),
      {},
      [
        { kind: 'record', record: { ...ours, kind: 'event', method: 'c', content: { content: { b: 1 } } } },
        asking('m', 'a-1'),
      ],
    ],
  ])('%s', (_, act, more, expected) => {
    expect(started([act], more)).toStrictEqual(expected);
  });

  test.each<[string, Partial<Act>, string, number]>([
    ['a call is no event', {}, 'm', 0],
    ['one that counts is', { counts: true }, 'm', 1],
    ['and so is what it carries', { carries: () => [{ method: 'c', content: {} }] }, 'c', 1],
  ])('%s', (_, more, event, phase) => {
    expect(calling([does('m', more)], {}, {}, event).state().phase).toBe(phase);
  });

  test('is extracted from as a request, and what it carries as an answer', () => {
    const extractors = [taking('asked', 'request', '$.b'), taking('carried', 'response', '$.c')];
    const carries = () => [{ method: 'c', content: { c: 2 } }];
    expect(calling([does('m', { carries })], {}, { extractors }).state().values).toEqual({
      asked: '1',
      carried: '2',
    });
  });

  test('warnings of how the document writes it come first', () => {
    const warnings = [{ severity: 'warning', code: 'O-1', message: 'text' }] as const;
    const effects = started([], { acts: () => ({ acts: [], warnings }) });
    expect(warned(effects)).toEqual([['O-1', 'a, one: text']]);
  });
});

describe('in its turn', () => {
  test('the handshake first, then the entry actions, then the acts of the phase, each when the last is answered', () => {
    const binding = client([does('act'), does('last')], { opening: () => ({ acts: [does('hello')] }) });
    const onEnter = [{ send: { method: 'entry' } }];
    const actor = stepped(binding, [{ state: {}, onEnter }]);
    const turns = [actor.start(), ...['a-1', 'a-2', 'a-3', 'a-4'].map((ask) => actor.take(answer(ask)))];
    expect(turns.map(sent)).toEqual([['hello'], ['entry'], ['act'], ['last'], []]);
  });
  test('the handshake is made by the state of the first phase, and belongs to it', () => {
    const opening: ClientBinding['opening'] = (state) => ({
      acts: [does('hello', { content: () => state })],
    });
    const actor = stepped(client([], { opening }), [{ state: { s: 1 } }, { state: { s: 2 } }]);
    expect(actor.start().at(-1)).toMatchObject({ params: { s: 1 }, record: { phase: 'one' } });
  });
  test('an entry action that expects no answer is a notification', () => {
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
  test('a binding’s own entry actions are those of servers', () => {
    const effects = stepped(client([]), [{ state: {}, onEnter: [{ binding: { own: 1 } }] }]).start();
    expect(warned(effects).map(([code]) => code)).toEqual(['O-101']);
  });
  test('a phase without a state of its own does nothing', () => {
    const actor = stepped(client([does('m')]), [{ state: {}, trigger: { after: '1s' } }, {}]);
    actor.start();
    expect(sent(actor.tick(1_000))).toEqual([]);
  });
  test('the acts that are left when a phase ends are dropped, each named once; an answer that is owed is not', () => {
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
  test('a request of the peer that nothing answers is answered with an error', () => {
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
  test('an answer that is owed goes before the acts of a phase, and behind one that was owed before', () => {
    const actor = calling([does('m'), does('n')]);
    actor.take(part({ acts: [does('owed')] as never }));
    actor.take(part({ acts: [does('owed, too')] as never }));
    const turns = [actor.take(end()), ...['a-2', 'a-3', 'a-4'].map((ask) => actor.take(answer(ask)))];
    expect(turns.map(sent)).toEqual([['owed'], ['owed, too'], ['n'], []]);
  });
});

describe('by a rule', () => {
  const rule = '/phases/0/x-wire/0';
  const ruled = (written: object, acts = [does('m'), does('n')], more: Partial<ClientBinding> = {}) => {
    const actor = stepped(client(acts, more), [{ state: {}, extensions: { 'x-wire': [written] } }]);
    return { actor, effects: actor.start().slice(1) };
  };
  test('it goes out as often as that says, each time with an order of its own', () => {
    const { effects } = ruled({ on: 'm', repeat: 2, hold: 'next', stream: 'silent', bytes: { cut: 1 } });
    const how = { order: { rule, deeds: ['repeat', 'hold', 'stream', 'bytes'], bytes: { cut: 1 } } };
    expect(effects).toStrictEqual([asking('m', 'a-1', { how }), asking('m', 'a-2', { how })]);
  });
  test('it gets a name, which is that of the first', () => {
    const { actor } = ruled({ on: 'm', as: 'name', repeat: 2 });
    expect(actor.state().values).toEqual({ name: 'a-1' });
    expect(ruled({ on: 'm', as: 5 }).actor.state().values).toEqual({});
    expect(ruled({ on: 'm', repeat: 2 }).actor.state().values).toEqual({});
  });
  test('the next does not wait for it', () => {
    expect(sent(ruled({ on: 'm', together: true }).effects)).toEqual(['m', 'n']);
    expect(sent(ruled({ on: 'm', together: 'yes' }).effects)).toEqual(['m']);
  });
  test('what is told of it later says which one it was', () => {
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
  test('a notification goes out as that says', () => {
    const { effects } = ruled({ on: 'm', bytes: { cut: 1 } }, [does('m', { isNotification: true })]);
    expect(effects).toMatchObject([
      { kind: 'notify', how: { order: { rule, deeds: ['bytes'], bytes: { cut: 1 } } } },
    ]);
  });
});
