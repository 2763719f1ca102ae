import { describe, expect, test } from 'vitest';
import { hasNothingOpen } from '../../../src/attack/engine/calls.ts';
import type { Value } from '../../../src/index.ts';
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

// How a client actor reads the answers to its calls, in parts or in one piece.

const place = { actor: 'a', protocol: 'ag_ui', mode: 'ag_ui_client', phase: 'one' };
const theirs = { ...place, origin: 'agent' };

describe('a client actor, reading a part of an answer', () => {
  const event = { method: 'e', content: { c: 1 } };
  const reported = { ...theirs, kind: 'event', session: 's', method: 'e', content: { c: 1 } };
  test.each<[string, object, readonly object[]]>([
    ['one event', part({ events: [event] }), [reported]],
    ['one event of an era', part({ events: [event] }, { era: 'e', wire: {} }), [{ ...reported, era: 'e', wire: {} }]],
    ['one event with a flaw', part({ events: [event] }, { noted: 'odd' }), [{ ...reported, noted: 'odd' }]],
    [
      'one event with a derived second name',
      part({ events: [event, { ...event, method: 'other', isDerived: true }] }),
      [reported],
    ],
    ['nothing for a part without events', part({}), []],
    [
      'a part that is not an event',
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
      'a part of an unknown call',
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
  ])('records %s', (_, message, expected) => {
    expect(recorded(calling([does('m')]).take(message))).toStrictEqual(expected);
  });

  test('counts an event and extracts from it under each of its names', () => {
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

  test('waits one second after the part that ends an answer', () => {
    const actor = calling([does('m')]);
    const wakes = (message: object, now: number) =>
      actor.take(message, now).flatMap((effect) => (effect.kind === 'wake' ? [effect.at] : []));
    expect([wakes(part({}), 100), wakes(part({ isOver: true }), 200), wakes(part({ isOver: true }), 300)]).toEqual([
      [],
      [1_200],
      [],
    ]);
    expect([1_299, 1_300].map((now) => hasNothingOpen(actor.state(), now))).toEqual([false, true]);
  });

  test('reports the warnings of a part', () => {
    const warnings = [{ severity: 'warning', code: 'O-1', message: 'text' }];
    const effects = calling([does('m')]).take(part({ warnings }));
    expect(warned(effects)).toEqual([['O-1', 'a, one: text']]);
  });

  test('records a refused part under the name that the reader gives it', () => {
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

  test('does not end a phase that has not sent everything by a part for an earlier phase', () => {
    const over = (more: object) => {
      const phases = [{ state: {}, trigger: { after: '1s' } }, { state: {}, trigger: { event: 'e' }, ...more }, {}];
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

describe('a client actor, at the end of an answer', () => {
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
    ['a proper end', {}, [], {}],
    ['an end with a reason', { reason: 'r' }, [], { reason: 'r', cause: 'trouble' }],
    ['an end with a reason after the answer began', { reason: 'r' }, [{}], { reason: 'r', cause: 'cut_off' }],
    ['a final failure after the answer began', { reason: 'r', failed: true }, [{}], { reason: 'r', cause: 'trouble' }],
    [
      'an end because the agent was unreachable',
      { reason: 'r', absent: true },
      [],
      { reason: 'r', cause: 'trouble', absent: true },
    ],
    [
      'an unreachable agent after the answer began',
      { reason: 'r', absent: true },
      [{}],
      { reason: 'r', cause: 'cut_off' },
    ],
    ['an end with a status', { reason: 'r', status: 503 }, [], { reason: 'r', cause: 'trouble', status: 503 }],
    [
      'an end with a status after the answer began',
      { reason: 'r', status: 503 },
      [{}],
      { reason: 'r', cause: 'cut_off' },
    ],
    ['an end with a status and no reason', { status: 200 }, [], {}],
    ['an end with a reason after the run was over', { reason: 'r' }, [{ isOver: true }], {}],
    ['an end after an unreadable part', {}, [null], unread],
    ['an end after an unreadable part that came after the run was over', {}, [{ isOver: true }, null], {}],
    ['an end after trouble', {}, [{ trouble: 't', isOver: true }], { reason: 't', cause: 'trouble' }],
    ['an end after a part that cuts it off', {}, [{ cutOff: 'c', isOver: true }], { reason: 'c', cause: 'cut_off' }],
    [
      'an end after two kinds of trouble, of which the first counts',
      {},
      [null, { trouble: 't', isOver: true }],
      unread,
    ],
    ['an end of an unknown call', { ask: 'a-9', reason: 'r' }, [], { reason: 'r', cause: 'trouble' }],
  ])('records %s', (_, ending, parts, expected) => {
    expect(closed(ending, ...parts)).toStrictEqual({ ...record, ...expected });
  });

  test('sends the next call', () => {
    const actor = calling([does('m'), does('n')]);
    expect([sent(actor.take(part({}))), sent(actor.take(end()))]).toEqual([[], ['n']]);
    const other = calling([does('m'), does('n')]);
    expect(sent(other.take(part({ isOver: true })))).toEqual(['n']);
  });

  test('counts unreadable bytes until the answer is over', () => {
    const actor = calling([does('m')]);
    const malformed = { kind: 'malformed', raw: '', reason: 'odd', ask: 'a-1' };
    const marker = { kind: 'malformed', actor: 'a', phase: 'one', raw: '', reason: 'odd' };
    expect(recorded(actor.take(malformed))).toStrictEqual([marker]);
    actor.take(part({ isOver: true }));
    expect(recorded(actor.take(malformed))).toStrictEqual([{ ...marker, late: true }]);
    expect(recorded(actor.take(end()))).toMatchObject([{ reason: 'a part of its answer cannot be read: odd' }]);
  });
});

describe('a client actor, reading an answer in one piece', () => {
  const response = {
    ...theirs,
    kind: 'response',
    method: 'm',
    id: 'a-1',
    content: { c: 1 },
    session: 's',
    request: { b: 1 },
  };
  test('records it with its request, extracts from it and counts it', () => {
    const actor = calling([does('m')], {}, { extractors: [taking('said', 'response', '$.c')] }, 'm');
    expect(recorded(actor.take(answer('a-1', { c: 1 })))[0]).toStrictEqual(response);
    expect([actor.state().values, actor.state().phase, actor.state().calls.size]).toEqual([{ said: '1' }, 1, 0]);
  });
  test('ends the phase by it, if its trigger says so, before the next call', () => {
    expect(sent(calling([does('m'), does('n')], {}, {}, 'm').take(answer('a-1')))).toEqual([]);
  });
  test('gives up a late call with O-102 and still recognizes its answer', () => {
    const actor = calling([does('m'), does('n')], { isTimed: true }, {}, 'm');
    expect([actor.tick(999), actor.state().calls.size]).toEqual([[], 1]);
    const effects = actor.tick(1_000);
    expect([warned(effects), sent(effects)]).toEqual([[['O-102', 'a, one: m was not answered in time']], ['n']]);
    expect([...actor.state().asked.keys()]).toEqual(['a-1']);
    expect(recorded(actor.take(answer('a-1', { c: 1 }), 2_000))[0]).toStrictEqual(response);
    expect([actor.state().asked.size, actor.state().phase]).toEqual([0, 1]);
  });
  test('waits without limit if calls are not timed', () => {
    const actor = calling([does('m')]);
    expect([actor.tick(1e9), actor.state().calls.size]).toEqual([[], 1]);
  });
});

describe('a client actor, limiting follow-ups', () => {
  test('sends at most 25 follow-ups in each phase, with O-106', () => {
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
