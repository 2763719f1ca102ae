import { describe, expect, test } from 'vitest';
import type { PieceEntry } from '../../../src/format/model/results-file.ts';
import {
  computeCoverage,
  computeDelivery,
  findNeedArrival,
  findShortfalls,
  listVoidedClaims,
} from '../../../src/judgement/judge/compute-coverage.ts';
import type { DeliveryFacts } from '../../../src/judgement/judge/delivery-facts.ts';
import type { PlacedPiece } from '../../../src/judgement/judge/list-pieces.ts';
import type { Need } from '../../../src/judgement/judge/needs.ts';
import { actorOf, arrivals, endOf, factsOf, needing, needsOfAll, pieceOf } from './small-case.ts';

// Why a need is unmet, by the facts alone. `/a` arrived, `/b` did not.

const ended = (more: Parameters<typeof endOf>[0]): Partial<DeliveryFacts> => ({ end: endOf(more) });
const b = { at: '/b', label: 'b' };
const userB = { ...b, mode: 'ag_ui_client' };
const instructions = { kind: 'instructions', surfaces: ['instructions'] };
const question = { ...b, kind: 'elicitation', surfaces: ['elicitation'], capability: 'elicitation' };
const unserved = 'the agent does not serve AG-UI, so "server" cannot speak to it';
const unplayed = '"server" was not played: it had no agent to speak to';
const without = 'the target is configured to be without';

describe('findShortfalls a needed piece', () => {
  test.each<
    [title: string, piece: Partial<PlacedPiece>, facts: Partial<DeliveryFacts>, lack?: string, reason?: string]
  >([
    ['is empty if the piece arrived', {}, {}],
    ['is not_delivered if the piece did not arrive', b, {}, 'not_delivered', 'b was never listed'],
    ['is empty if the piece arrived in a trace without an end', {}, { end: undefined }],
    [
      'is not_delivered if the piece did not arrive in a trace without an end',
      b,
      { end: undefined },
      'not_delivered',
      'b was never listed',
    ],
    [
      'is not_applicable if this kind of agent cannot be handed the piece',
      {},
      ended({ lacks: ['tool'] }),
      'not_applicable',
      'this kind of agent cannot be handed the tool "a"',
    ],
    ['is empty if the agent cannot be handed another kind of piece', {}, ended({ lacks: ['history'] })],
    [
      'is not_applicable if the client never shows that kind of piece',
      instructions,
      ended({ without: ['instructions'] }),
      'not_applicable',
      `${without} instructions`,
    ],
    [
      'is not_applicable if the client never shows one of the surfaces of the piece',
      { surfaces: ['tools', 'progress'] },
      ended({ without: ['progress'] }),
      'not_applicable',
      `${without} progress`,
    ],
    ['is empty if the client never shows another kind of piece', instructions, ended({ without: ['progress'] })],
    ['is empty if the piece arrived although the target claims to lack its surface', {}, ended({ without: ['tools'] })],
    [
      'is not_applicable if the target lacks the surface of the piece',
      b,
      ended({ without: ['prompts', 'tools'] }),
      'not_applicable',
      `${without} tools`,
    ],
    [
      'is not_applicable if the target lacks one of two surfaces',
      { ...b, surfaces: ['tools', 'list-changes'] },
      ended({ without: ['list-changes'] }),
      'not_applicable',
      `${without} list-changes`,
    ],
    [
      'is not_applicable with the first surface if the target lacks both',
      { ...b, surfaces: ['tools', 'list-changes'] },
      ended({ without: ['list-changes', 'tools'] }),
      'not_applicable',
      `${without} tools`,
    ],
    [
      'is not_delivered if the target lacks another surface',
      b,
      ended({ without: ['prompts'] }),
      'not_delivered',
      'b was never listed',
    ],
    [
      'is not_delivered if the target used the surface it claims to lack',
      b,
      { ...ended({ without: ['tools'] }), usesSurface: (name) => name === 'tools' },
      'not_delivered',
      'b was never listed',
    ],
    [
      'is not_applicable if the target used only another surface that it claims to lack',
      b,
      { ...ended({ without: ['prompts', 'tools'] }), usesSurface: (name) => name === 'prompts' },
      'not_applicable',
      `${without} tools`,
    ],
    [
      'is not_applicable if the agent lacks the interface',
      userB,
      ended({ doors: ['mcp'], skipped: ['server'] }),
      'not_applicable',
      unserved,
    ],
    [
      'is not_delivered if the agent has the interface but the actor was not played',
      userB,
      ended({ doors: ['ag_ui'], skipped: ['server'] }),
      'not_delivered',
      unplayed,
    ],
    [
      'is not_delivered if nothing is known of the interface and the actor was not played',
      userB,
      ended({ skipped: ['server'] }),
      'not_delivered',
      unplayed,
    ],
    [
      'is not_delivered if a server was not played, which needs no interface',
      b,
      ended({ doors: [], skipped: ['server'] }),
      'not_delivered',
      unplayed,
    ],
    [
      'is not_delivered if the actor was played though no interface is known',
      userB,
      ended({ doors: [] }),
      'not_delivered',
      'b was never listed',
    ],
    [
      'is not_delivered if only another actor was not played',
      b,
      ended({ skipped: ['other'] }),
      'not_delivered',
      'b was never listed',
    ],
    [
      'is not_applicable if the client lacks the capability',
      question,
      { lacksCapability: (actor, name) => actor === 'server' && name === 'elicitation' },
      'not_applicable',
      'the client declares no elicitation',
    ],
    [
      'is not_delivered if the client has the capability',
      question,
      {},
      'not_delivered',
      'b was never asked and understood',
    ],
    [
      'is not_delivered if the piece needs no capability',
      b,
      { lacksCapability: () => true },
      'not_delivered',
      'b was never listed',
    ],
    ['says that the phase never began', { ...b, phase: 'two' }, {}, 'not_delivered', 'phase "two" never began'],
    [
      'says how far the trigger of the phase before got',
      { ...b, phase: 'two' },
      ended({ waiting: { server: { phase: 'one', event: 'tools/call', count: 1, of: 3 } } }),
      'not_delivered',
      'phase "two" never began: tools/call 1 of 3',
    ],
    [
      'names the actor of the phase if there are two actors',
      { ...b, phase: 'two' },
      { actors: { server: actorOf(), other: actorOf() } },
      'not_delivered',
      'phase "two" of "server" never began',
    ],
    [
      'does not name the actor if the other one was added by us',
      { ...b, phase: 'two' },
      { actors: { server: actorOf(), other: actorOf({ phases: [] }) } },
      'not_delivered',
      'phase "two" never began',
    ],
    [
      'says that the phase of an unseen actor never began',
      { ...b, actor: 'other' },
      {},
      'not_delivered',
      'phase "one" never began',
    ],
    [
      'says how the piece was refused',
      b,
      { findRefusal: (actor, at) => (actor === 'server' && at === '/b' ? 'error 1' : undefined) },
      'not_delivered',
      'b was refused: error 1',
    ],
    [
      'is not_sent if a message was never sent',
      { ...b, kind: 'message' },
      {},
      'not_sent',
      'b (phase "one" of "server") could not be sent',
    ],
    [
      'is not_delivered if a message was sent but not heard',
      { ...b, kind: 'message' },
      { wasSent: (actor, at) => actor === 'server' && at === '/b' },
      'not_delivered',
      'b was never heard',
    ],
    [
      'is not_sent if a push was never sent',
      { ...b, kind: 'push' },
      {},
      'not_sent',
      'b (phase "one" of "server") could not be sent',
    ],
    [
      'is not_delivered if a push was sent but did not arrive',
      { ...b, kind: 'push' },
      { wasSent: () => true },
      'not_delivered',
      'b was never sent',
    ],
    [
      'is not_delivered if an answer was never asked for',
      { ...b, kind: 'tool_response' },
      {},
      'not_delivered',
      'b was never given',
    ],
  ])('%s', (_, piece, facts, lack, reason) => {
    expect(findShortfalls(needing(piece), factsOf(facts))).toEqual(lack === undefined ? [] : [{ lack, reason }]);
  });
});

describe('findShortfalls a need', () => {
  const message = { ...b, kind: 'message', label: 'm' };
  const late = { ...b, label: 'c' };
  const barred = { ...b, kind: 'prompt', surfaces: ['prompts'], label: 'p' };
  const written =
    (text: string): DeliveryFacts['findArrival'] =>
    (_, __, of) =>
      of === text ? undefined : { seq: 3, byUse: false };
  const any = (pieces: readonly Partial<PlacedPiece>[], more: Partial<Need> = {}): Need => ({
    anyOf: pieces.map(pieceOf),
    ...more,
  });
  test.each<[title: string, need: Need, reasons: readonly string[], facts?: Partial<DeliveryFacts>]>([
    ['is empty if one of two pieces arrived', any([b, {}]), []],
    ['has the first piece if none of two arrived', any([b, late]), ['not_delivered: b was never listed']],
    ['prefers the piece that could have arrived', any([barred, message, b]), ['not_delivered: b was never listed']],
    [
      'prefers a piece that could have been sent to one that does not apply',
      any([barred, message, { ...message, label: 'n' }]),
      ['not_sent: m (phase "one" of "server") could not be sent'],
    ],
    [
      'is not_applicable if no piece applies',
      any([barred, { ...barred, label: 'q', surfaces: ['tools', 'prompts'] }]),
      [`not_applicable: ${without} prompts`],
    ],
    ['is not_delivered if the need has no pieces', any([]), ['not_delivered: nothing of it could be delivered']],
    [
      'names the template if the piece arrived without it',
      any([{}], { written: '{{x}}' }),
      ['not_delivered: a template in the tool "a" resolved to nothing'],
      { findArrival: written('{{x}}') },
    ],
    [
      'is empty if another template was not resolved',
      any([{}], { written: '{{x}}' }),
      [],
      { findArrival: written('{{y}}') },
    ],
    [
      'does not name the template if the piece did not arrive',
      any([b], { written: '{{x}}' }),
      ['not_delivered: b was never listed'],
    ],
  ])('%s', (_, need, reasons, facts = {}) => {
    const found = findShortfalls(needsOfAll([need]), factsOf({ ...ended({ without: ['prompts'] }), ...facts }));
    expect(found.map(({ lack, reason }) => `${lack}: ${reason}`)).toEqual(reasons);
  });

  test('findNeedArrival is the arrival of the first piece that came', () => {
    const need = any([{ at: '/b' }, {}, { at: '/c' }, { at: '/d' }]);
    const facts = factsOf({ findArrival: arrivals({ '/a': 5, '/c': 3, '/d': 4 }) });
    expect(findNeedArrival(need, facts)?.seq).toBe(3);
    expect(findNeedArrival(any([]), facts)).toBeUndefined();
  });

  test('findNeedArrival takes the first of two pieces that arrived together', () => {
    const facts = factsOf({ findArrival: (_, at) => ({ seq: 3, byUse: at === '/a' }) });
    expect(findNeedArrival(any([{}, { at: '/b' }]), facts)?.byUse).toBe(true);
  });
});

test('listVoidedClaims lists surfaces that the agent uses although it claims to be without', () => {
  const facts = factsOf({
    ...ended({ without: ['tools', 'prompts'] }),
    usesSurface: (name) => name === 'prompts',
  });
  expect(listVoidedClaims(facts)).toEqual(['prompts']);
  expect(listVoidedClaims(factsOf({ end: undefined, usesSurface: () => true }))).toEqual([]);
});

test('computeCoverage says of every piece whether it arrived, whether it was needed, and why it is missing', () => {
  const pieces = [pieceOf(), pieceOf(b), pieceOf({ at: '/c', phase: 'two', kind: 'prompt', label: 'c' })];
  const needs = needsOfAll([{ anyOf: pieces.slice(1) }, { anyOf: pieces.slice(1, 2) }], {
    unplayed: ['the rest'],
  });
  const common = { actor: 'server', phase: 'one', kind: 'tool' };
  expect(computeCoverage(pieces, needs, factsOf())).toEqual({
    pieces: [
      { ...common, at: '/a', label: 'the tool "a"', delivered: true, needed: false },
      { ...common, ...b, delivered: false, needed: true, reason: 'b was never listed' },
      {
        ...common,
        at: '/c',
        phase: 'two',
        kind: 'prompt',
        label: 'c',
        delivered: false,
        needed: true,
        reason: 'phase "two" never began',
      },
    ],
    delivered: 1,
    of: 3,
    inferred: false,
    missing: ['b was never listed', 'no binding plays the rest'],
  });
  expect(computeCoverage([], needsOfAll([], { inferred: true }), factsOf())).toMatchObject({
    inferred: true,
    missing: [],
  });
});

describe('computeDelivery an actor', () => {
  const piece = (more: object): PieceEntry => ({
    ...{ actor: 'server', phase: 'one', at: '/a', kind: 'tool', label: 'a', delivered: true, needed: true },
    ...more,
  });
  const waiting = { phase: 'one', event: 'tools/call', count: 1, of: 3 };
  const seen = { delivered: true, phases_seen: ['one'] };
  const notSeen = { delivered: false, phases_seen: [] };
  test.each<
    [
      title: string,
      pieces: readonly object[],
      expected: object | undefined,
      facts?: Partial<DeliveryFacts>,
      absent?: string,
    ]
  >([
    ['has the phase of a piece that arrived', [{}], seen],
    [
      'has the phases of all pieces that arrived',
      [{}, { phase: 'two' }, { phase: 'one' }],
      { delivered: true, phases_seen: ['one', 'two'] },
    ],
    ['has no phase if it has no pieces', [], notSeen],
    ['has no phase if its piece did not arrive', [{ delivered: false }], notSeen],
    ['has no phase if only a push arrived', [{ kind: 'push' }], notSeen],
    ['has no phase if only a piece of another actor arrived', [{ actor: 'other' }], notSeen],
    ['leaves out an actor whom the operator replaces', [{}], undefined, {}, 'server'],
    ['keeps an actor if the operator replaces another', [{}], seen, {}, 'other'],
    [
      'has the entered phases of an actor that we added',
      [{}],
      { delivered: true, phases_seen: ['x'] },
      { actors: { server: actorOf({ phases: [], phases_entered: ['x'] }) } },
    ],
    [
      'is not delivered for an actor that we added and nobody met',
      [{}],
      { delivered: false, phases_seen: [] },
      { actors: { server: actorOf({ phases: [], phases_entered: [], reached: false }) } },
    ],
    ['says which trigger the actor waits for', [{}], { ...seen, waiting }, ended({ waiting: { server: waiting } })],
    ['does not say which trigger another actor waits for', [{}], seen, ended({ waiting: { other: waiting } })],
    ['is right in a trace without an end', [{}], seen, { end: undefined }],
  ])('%s', (_, pieces, expected, facts = {}, absent) => {
    const all = factsOf(facts);
    const found = computeDelivery({ pieces: pieces.map(piece) }, all, absent === undefined ? [] : [absent]);
    expect(found.server).toStrictEqual(expected && { ...all.actors.server, ...expected });
  });
});

describe('computeCoverage of an agent whose adapter saw a loss', () => {
  const user = { actor: 'user', mode: 'ag_ui_client' as const };
  const pieces = [
    pieceOf(),
    pieceOf({ ...user, at: '/u', kind: 'message', label: 'the message' }),
    pieceOf({ ...user, at: '/r', kind: 'tool_result', label: 'the result' }),
  ];
  const findArrival = arrivals({ '/a': 3, '/u': 2, '/r': 4 });
  const actors = { server: actorOf(), user: actorOf({ mode: 'ag_ui_client' }) };
  const covered = (more: Parameters<typeof factsOf>[0]) => {
    const found = computeCoverage(pieces, needsOfAll([]), factsOf({ findArrival, actors, ...more }));
    return [found.delivered, found.missing, found.pieces.map(({ reason = '' }) => reason)];
  };
  const loss = 'not all of the attack reached the agent: it read one turn';

  test('counts no word of the user as delivered, and says why', () => {
    expect(covered(ended({ missed: 'it read one turn' }))).toEqual([2, [loss], ['', loss, '']]);
  });

  test('counts every piece that arrived if nothing was lost', () => {
    expect(covered({})).toEqual([3, [], ['', '', '']]);
  });

  test('says of a piece that never arrived how it is missing, and not that it was lost', () => {
    const facts = { ...ended({ missed: 'it read one turn' }), findArrival: arrivals({ '/a': 3, '/r': 4 }) };
    expect(covered(facts)).toEqual([2, [loss], ['', 'the message (phase "one" of "user") could not be sent', '']]);
  });

  test('takes no loss for one of the document if no user of it spoke', () => {
    expect(covered({ ...ended({ missed: 'it read one turn' }), actors: { server: actorOf() } })).toEqual([
      3,
      [],
      ['', '', ''],
    ]);
  });
});
