import { describe, expect, test } from 'vitest';
import { hasNothingOpen } from '../../src/engine/calls.ts';
import type { Value } from '../../src/index.ts';
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

// How a client actor reads the answers to its calls, in parts or in one piece.

const place = { actor: 'a', protocol: 'ag_ui', mode: 'ag_ui_client', phase: 'one' };
const theirs = { ...place, origin: 'agent' };

describe('a part of an answer', () => {
  const event = { method: 'e', content: { c: 1 } };
  const told = { ...theirs, kind: 'event', session: 's', method: 'e', content: { c: 1 } };
  test.each<[string, object, readonly object[]]>([
    ['one event', part({ events: [event] }), [told]],
    ['in an era', part({ events: [event] }, { era: 'e', wire: {} }), [{ ...told, era: 'e', wire: {} }]],
    ['with a flaw', part({ events: [event] }, { noted: 'odd' }), [{ ...told, noted: 'odd' }]],
    [
      'an event and its other name',
      part({ events: [event, { ...event, method: 'other', isDerived: true }] }),
      [told],
    ],
    ['nothing', part({}), []],
    [
      'what is no event',
      part(null),
      [
        {
          ...theirs,
          kind: 'event',
          method: 'unknown',
          content: null,
          session: 's',
          refused: 'not an event of this protocol',
        },
        {
          kind: 'malformed',
          actor: 'a',
          phase: 'one',
          session: 's',
          reason: 'not an event of this protocol',
          raw: 'raw',
        },
      ],
    ],
    [
      'to a call that nobody made',
      part({ events: [event] }, { ask: 'a-9' }),
      [
        {
          ...theirs,
          kind: 'event',
          method: 'unknown',
          content: { events: [event] },
          session: 's',
          refused: 'not an event of this protocol',
        },
        {
          kind: 'malformed',
          actor: 'a',
          phase: 'one',
          session: 's',
          reason: 'not an event of this protocol',
          raw: 'raw',
        },
      ],
    ],
  ])('is recorded: %s', (_, message, expected) => {
    expect(recorded(calling([does('m')]).take(message))).toStrictEqual(expected);
  });

  test('counts and is extracted from under each of its names', () => {
    const extractors = [taking('said', 'response', '$.c')];
    const phaseOf = (method: string) => {
      const actor = calling([does('m')], {}, { extractors }, method);
      actor.take(part({ events: [event, { method: 'other', content: { c: 2 }, isDerived: true }] }));
      return [actor.state().phase, actor.state().values];
    };
    expect([phaseOf('e'), phaseOf('other'), phaseOf('none')]).toEqual([
      [1, { said: '2' }],
      [1, { said: '2' }],
      [0, { said: '2' }],
    ]);
  });

  test('that ends it is waited behind for a second, once', () => {
    const actor = calling([does('m')]);
    const wakes = (message: object, now: number) =>
      actor.take(message, now).flatMap((effect) => (effect.kind === 'wake' ? [effect.at] : []));
    expect([
      wakes(part({}), 100),
      wakes(part({ isOver: true }), 200),
      wakes(part({ isOver: true }), 300),
    ]).toEqual([[], [1_200], []]);
    expect([1_299, 1_300].map((now) => hasNothingOpen(actor.state(), now))).toEqual([false, true]);
  });

  test('may warn', () => {
    const warnings = [{ severity: 'warning', code: 'O-1', message: 'text' }];
    const effects = calling([does('m')]).take(part({ warnings }));
    expect(warned(effects)).toEqual([['O-1', 'a, one: text']]);
  });

  test('that is refused is named by the reader of its answer', () => {
    const refused = { kind: 'refused', reason: 'odd', ask: 'a-1' };
    const message = { kind: 'event', content: { events: [event, { ...event, isDerived: true }] } };
    expect(recorded(calling([does('m')]).take({ ...refused, message }))).toStrictEqual([
      { ...theirs, kind: 'event', method: 'e', content: { c: 1 }, refused: 'odd' },
    ]);
    const response = { kind: 'response', content: { events: [event] } };
    expect(recorded(calling([does('m')]).take({ ...refused, message: response }))).toStrictEqual([
      {
        ...theirs,
        kind: 'response',
        method: 'm',
        content: response.content,
        request: { b: 1 },
        refused: 'odd',
      },
    ]);
  });

  test('of an earlier phase does not end one that has not spoken', () => {
    const over = (more: object) => {
      const phases = [
        { state: {}, trigger: { after: '1s' } },
        { state: {}, trigger: { event: 'e' }, ...more },
        {},
      ];
      const actor = stepped(client([does('m'), does('n')]), phases);
      actor.start();
      actor.tick(1_000);
      actor.take(part({ events: [event] }), 1_000);
      return actor.state().phase;
    };
    const waits = { extensions: { 'x-await': [{ extractors: ['never'] }] } };
    // The second phase has sent one of its two calls, is not to send any, or has sent none because it waits.
    expect([over({}), over({ state: undefined }), over({ state: undefined, ...waits })]).toEqual([1, 2, 1]);
  });
});

describe('an answer that is over', () => {
  const closed = (ending: object, ...parts: readonly Value[]) => {
    const actor = calling([does('m')]);
    for (const each of parts) actor.take(part(each));
    return recorded(actor.take(end(ending))).at(-1);
  };
  const record = { kind: 'connection', actor: 'a', phase: 'one', session: 's', event: 'closed' };
  const unread = {
    reason: 'a part of its answer cannot be read: not an event of this protocol',
    cause: 'unread',
  };
  test.each<[string, object, readonly Value[], object]>([
    ['properly', {}, [], {}],
    ['for a reason', { reason: 'r' }, [], { reason: 'r', cause: 'trouble' }],
    ['after it began', { reason: 'r' }, [{}], { reason: 'r', cause: 'cut_off' }],
    ['after it began, for good', { reason: 'r', failed: true }, [{}], { reason: 'r', cause: 'trouble' }],
    ['where nobody was', { reason: 'r', absent: true }, [], { reason: 'r', cause: 'trouble', absent: true }],
    ['where somebody was', { reason: 'r', absent: true }, [{}], { reason: 'r', cause: 'cut_off' }],
    ['with a status', { reason: 'r', status: 503 }, [], { reason: 'r', cause: 'trouble', status: 503 }],
    ['with a status, too late', { reason: 'r', status: 503 }, [{}], { reason: 'r', cause: 'cut_off' }],
    ['with a status and no reason', { status: 200 }, [], {}],
    ['for a reason, after its end', { reason: 'r' }, [{ isOver: true }], {}],
    ['with a part that cannot be read', {}, [null], unread],
    ['with one behind its end', {}, [{ isOver: true }, null], {}],
    ['with trouble', {}, [{ trouble: 't', isOver: true }], { reason: 't', cause: 'trouble' }],
    ['cut', {}, [{ cutOff: 'c', isOver: true }], { reason: 'c', cause: 'cut_off' }],
    ['with the trouble that came first', {}, [null, { trouble: 't', isOver: true }], unread],
    ['of nobody’s call', { ask: 'a-9', reason: 'r' }, [], { reason: 'r', cause: 'trouble' }],
  ])('%s', (_, ending, parts, expected) => {
    expect(closed(ending, ...parts)).toStrictEqual({ ...record, ...expected });
  });

  test('lets the next call go out', () => {
    const actor = calling([does('m'), does('n')]);
    expect([sent(actor.take(part({}))), sent(actor.take(end()))]).toEqual([[], ['n']]);
    const other = calling([does('m'), does('n')]);
    expect(sent(other.take(part({ isOver: true })))).toEqual(['n']);
  });

  test('and bytes that cannot be read: they count until its end', () => {
    const actor = calling([does('m')]);
    const malformed = { kind: 'malformed', raw: '', reason: 'odd', ask: 'a-1' };
    const marker = { kind: 'malformed', actor: 'a', phase: 'one', raw: '', reason: 'odd' };
    expect(recorded(actor.take(malformed))).toStrictEqual([marker]);
    actor.take(part({ isOver: true }));
    expect(recorded(actor.take(malformed))).toStrictEqual([{ ...marker, late: true }]);
    expect(recorded(actor.take(end()))).toMatchObject([
      { reason: 'a part of its answer cannot be read: odd' },
    ]);
  });
});

describe('an answer in one piece', () => {
  const response = {
    ...theirs,
    kind: 'response',
    method: 'm',
    id: 'a-1',
    content: { c: 1 },
    session: 's',
    request: { b: 1 },
  };
  test('is recorded with its request, extracted from and an event', () => {
    const actor = calling([does('m')], {}, { extractors: [taking('said', 'response', '$.c')] }, 'm');
    expect(recorded(actor.take(answer('a-1', { c: 1 })))[0]).toStrictEqual(response);
    expect([actor.state().values, actor.state().phase, actor.state().calls.size]).toEqual([
      { said: '1' },
      1,
      0,
    ]);
  });
  test('may end the phase before its next call goes out', () => {
    expect(sent(calling([does('m'), does('n')], {}, {}, 'm').take(answer('a-1')))).toEqual([]);
  });
  test('comes late: the call is given up, and known when its answer comes', () => {
    const actor = calling([does('m'), does('n')], { isTimed: true }, {}, 'm');
    expect([actor.tick(999), actor.state().calls.size]).toEqual([[], 1]);
    const effects = actor.tick(1_000);
    expect([warned(effects), sent(effects)]).toEqual([
      [['O-102', 'a, one: m was not answered in time']],
      ['n'],
    ]);
    expect([...actor.state().asked.keys()]).toEqual(['a-1']);
    expect(recorded(actor.take(answer('a-1', { c: 1 }), 2_000))[0]).toStrictEqual(response);
    expect([actor.state().asked.size, actor.state().phase]).toEqual([0, 1]);
  });
  test('has as long as the run where calls are not timed', () => {
    const actor = calling([does('m')]);
    expect([actor.tick(1e9), actor.state().calls.size]).toEqual([[], 1]);
  });
});

describe('answers that are owed are limited', () => {
  test('in each phase', () => {
    const phases = [{ state: {}, trigger: { event: 'e' } }, {}];
    const actor = stepped(client([does('m')]), phases);
    actor.start();
    const ask = () => actor.take(part({ acts: [does('owed')] as never }));
    expect([ask(), actor.state().calls.get('a-1')?.trouble]).toEqual([[], undefined]);
    const codes = Array.from({ length: 26 }, () => warned(ask()).map(([code]) => code));
    expect(codes.map((each) => each.length)).toEqual([...Array(24).fill(0), 1, 0]);
    expect(codes[24]).toEqual(['O-106']);
    expect(actor.state().agenda).toHaveLength(25);
    expect(actor.state().calls.get('a-1')?.trouble).toEqual({
      reason: 'it was answered 25 times in one phase, and still asks',
      cause: 'cut_off',
    });
    actor.take(part({ events: [{ method: 'e', content: {} }] }));
    ask();
    expect(actor.state().agenda).toHaveLength(26);
  });
});
