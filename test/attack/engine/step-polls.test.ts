import { describe, expect, test } from 'vitest';
import type { ClientBinding } from '../../../src/attack/engine/binding.ts';
import type { Value } from '../../../src/index.ts';
import { answer, calling, does, end, part, type Stepped, sent, taking } from '../../support/stepped.ts';

// Work of the peer that outlasts its answer, and how a client actor polls it.

const ours = { actor: 'a', protocol: 'ag_ui', mode: 'ag_ui_client', phase: 'one', origin: 'attacker' };
const asking = (method: string, ask: string, more: object = {}) => ({
  ...{ kind: 'ask', target: 'every session', ask, method, params: { b: 1 }, how: {} },
  record: { ...ours, kind: 'request', method, content: { b: 1 } },
  ...more,
});

const lasting: ClientBinding['lasting'] = {
  progress: (_, content) => (content as { readonly work?: never }).work,
  poll: (name) => ({ method: 'poll', params: { name } }),
};
const begun = { work: { name: 'w', state: 'begun' } };
const over = { work: { name: 'w', state: 'over' } };
const goesOn = { work: { name: 'w', state: 'going on' } };
const unfinished = (actor: Stepped) => [...actor.state().unfinished.keys()];

describe('a client actor, for work that outlasts its answer', () => {
  const played = (...contents: readonly Value[]) => {
    const actor = calling([does('m')], { lasting });
    for (const content of contents) actor.take(part(content));
    return actor;
  };
  test.each<[readonly Value[], readonly string[]]>([
    [[{}], []],
    [[begun], ['w']],
    [[goesOn], []],
    [[over], []],
    [[begun, goesOn], ['w']],
    [[begun, over], []],
    [[begun, over, begun], ['w']],
    [
      [begun, { work: { name: 'v', state: 'begun' } }],
      ['w', 'v'],
    ],
  ])('tracks, after the answers %j, the unfinished work %j', (contents, expected) => {
    expect(unfinished(played(...contents))).toEqual(expected);
  });
  test.each<[string, object, readonly string[]]>([
    ['goes on', answer('a-2', goesOn), ['w']],
    ['begins', answer('a-2', begun), ['w']],
    ['is over', answer('a-2', over), []],
    ['is not mentioned', answer('a-2'), []],
    ['is refused', { kind: 'answer', session: 's', ask: 'a-2', answer: { kind: 'error', error: begun } }, []],
    ['has no answer', { kind: 'end', session: 's', ask: 'a-2' }, []],
  ])('polls work and stops unless it goes on: it %s', (_, message, expected) => {
    const actor = played(begun);
    actor.take(end());
    expect([sent(actor.tick(99)), sent(actor.tick(100)), sent(actor.tick(101))]).toEqual([[], ['poll'], []]);
    actor.take(message, 150);
    expect(unfinished(actor)).toEqual(expected);
    expect([sent(actor.tick(349)), sent(actor.tick(350))]).toEqual([[], expected.length === 0 ? [] : ['poll']]);
  });
  test('polls without a time limit, an event or a value', () => {
    const extractors = [taking('asked', 'request', '$.name'), taking('said', 'response', '$.work.name')];
    const actor = calling([does('m')], { lasting, isTimed: true }, { extractors }, 'poll');
    actor.take(answer('a-1', { ...begun }));
    expect(actor.state().values).toEqual({ said: 'w' });
    const effects = actor.tick(100);
    expect(effects).toStrictEqual([
      asking('poll', 'a-2', {
        params: { name: 'w' },
        record: { ...ours, kind: 'request', method: 'poll', content: { name: 'w' } },
      }),
    ]);
    actor.take(answer('a-2', { work: { name: 'other', state: 'over' } }), 100);
    expect([actor.state().values, actor.state().phase]).toEqual([{ said: 'w' }, 0]);
  });
  test('does not poll while anything else is left to send or receive', () => {
    const actor = calling([does('m'), does('n')], { lasting });
    actor.take(answer('a-1', begun));
    expect(sent(actor.tick(5_000))).toEqual([]);
    expect(sent(actor.take(answer('a-2'), 5_000))).toEqual(['poll']);
  });
  test('cuts off an answer with more than 100 unfinished tasks', () => {
    const names = Array.from({ length: 101 }, (_, index) => ({
      work: { name: `w${index}`, state: 'begun' },
    }));
    const actor = played(...names);
    expect(unfinished(actor)).toHaveLength(100);
    expect(actor.state().calls.get('a-1')?.trouble).toEqual({
      reason: 'it has more than 100 tasks unfinished',
      cause: 'cut_off',
    });
    expect(
      played(...names.slice(1))
        .state()
        .calls.get('a-1')?.trouble,
    ).toBeUndefined();
  });
});

test('a poll that reports too late that work goes on does not begin the work again', () => {
  const actor = calling([does('m')], { lasting });
  actor.take(part({ ...begun, isOver: true }));
  expect(sent(actor.tick(100))).toEqual(['poll']);
  actor.take(part(over), 100);
  actor.take(answer('a-2', goesOn), 100);
  expect(unfinished(actor)).toEqual([]);
});

test('an error answer begins no unfinished work', () => {
  const actor = calling([does('m')], { lasting });
  actor.take({ kind: 'answer', session: 's', ask: 'a-1', answer: { kind: 'error', error: begun } });
  expect(unfinished(actor)).toEqual([]);
});
