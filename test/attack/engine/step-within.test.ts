import { describe, expect, test } from 'vitest';
import type { SaidWithin, ServerBinding } from '../../../src/attack/engine/binding.ts';
import { recorded, request, server, serving, stepped, taking, warned } from '../../support/stepped.ts';

// Events that a peer sends inside another message, and events that it never sends.

const theirs = { actor: 'a', protocol: 'mcp', mode: 'mcp_server', phase: 'one', origin: 'agent' };

describe('a server actor, for events inside a message', () => {
  const events: SaidWithin['events'] = [
    { kind: 'response', method: 'before', content: { b: 1 } },
    { kind: 'notification', method: 'later', content: { b: 2 }, isAnsweredToo: true },
  ];
  const saidWithin = () => ({ events, memory: 'kept' });
  const within = (kind: string, method: string, content: object, of: string) => ({
    ...{ ...theirs, kind, method, content, session: 's', within: of },
  });
  const notification = { kind: 'notification', session: 's', method: 'n', params: {} };

  test.each([
    ['request', request],
    ['notification', notification],
  ])('records them before the %s that contains them', (_, message) => {
    const effects = serving(server({}, { saidWithin })).take(message);
    expect(recorded(effects)).toStrictEqual([
      within('response', 'before', { b: 1 }, message.method),
      within('notification', 'later', { b: 2 }, message.method),
      expect.objectContaining({ method: message.method }),
    ]);
  });
  test('records them in the era of the message', () => {
    const effects = serving(server({}, { saidWithin })).take({ ...request, era: 'e' });
    expect(recorded(effects).map((each) => 'era' in each && each.era)).toEqual(['e', 'e', 'e']);
  });
  test('extracts from an answer as an answer and from others as requests', () => {
    const extractors = [taking('answer', 'response', '$.b'), taking('other', 'request', '$.b')];
    const actor = serving(server({ staysOpen: true }, { saidWithin }), { extractors });
    actor.take(notification);
    expect(actor.state().values).toEqual({ answer: '1', other: '2' });
  });
  test.each([
    ['request', request],
    ['notification', notification],
  ])('counts them before or after the %s that contains them', (_, message) => {
    const phaseOf = (event: string) => {
      const actor = serving(server({}, { saidWithin }), {}, event);
      const itself = recorded(actor.take(message)).find((each) => each.kind === message.kind && !('within' in each));
      return [actor.state().phase, itself?.phase];
    };
    expect([phaseOf('before'), phaseOf('later'), phaseOf('none')]).toEqual([
      [1, 'two'],
      [1, 'one'],
      [0, 'one'],
    ]);
  });
  test('gives the binding its memory and keeps the new memory', () => {
    const seen: unknown[] = [];
    const said: ServerBinding['saidWithin'] = (asked, state, { memory }) => {
      seen.push([asked, state, memory]);
      return { events: [], ...(memory === undefined && { memory: 'kept' }) };
    };
    const actor = serving(server({}, { saidWithin: said }));
    actor.take({ ...request, era: 'e' });
    actor.take(notification);
    actor.take(notification);
    expect(seen).toEqual([
      [{ method: 'm', params: { a: 1 }, id: 1, era: 'e' }, {}, undefined],
      [{ method: 'n', params: {}, id: undefined, era: undefined }, {}, 'kept'],
      [{ method: 'n', params: {}, id: undefined, era: undefined }, {}, 'kept'],
    ]);
  });
});

describe('a server actor, for a phase that waits for what the peer never sends', () => {
  const isUnheard: ServerBinding['isUnheard'] = (event, era) => event === 'ping' && era === 'new';
  test.each<[object, string, string | undefined, boolean]>([
    [{ isUnheard }, 'ping', 'new', true],
    [{ isUnheard }, 'ping', 'old', false],
    [{ isUnheard }, 'ping', undefined, false],
    [{ isUnheard: () => true }, 'ping', undefined, false],
    [{ isUnheard }, 'other', 'new', false],
    [{}, 'ping', 'new', false],
  ])('warns with O-113 for the binding %j, the event %s and the era %s: %s', (more, event, era, isTold) => {
    const effects = serving(server({}, more), {}, event).take({ ...request, era });
    expect(warned(effects)).toEqual(
      isTold ? [['O-113', 'a, one: the phase waits for ping, which no client of new sends']] : [],
    );
  });
  test('does not warn for a phase that waits for nothing', () => {
    const actor = stepped(server({}, { isUnheard: () => true }), [{ state: {} }]);
    actor.start();
    expect(warned(actor.take({ ...request, era: 'new' }))).toEqual([]);
  });
});
