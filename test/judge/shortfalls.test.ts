import { describe, expect, test } from 'vitest';
import {
  arrivalOfNeed,
  type Coverage,
  coverageOf,
  type Delivery,
  deliveryOf,
  shortfallsOf,
  voidedClaims,
} from '../../src/judge/coverage.ts';
import type { DeliveryFacts } from '../../src/judge/delivery-facts.ts';
import type { Need } from '../../src/judge/needs.ts';
import type { PlacedPiece } from '../../src/judge/pieces.ts';
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

describe('a piece', () => {
  test.each<
    [
      title: string,
      piece: Partial<PlacedPiece>,
      facts: Partial<DeliveryFacts>,
      lack?: string,
      reason?: string,
    ]
  >([
    ['arrived', {}, {}],
    ['did not', b, {}, 'not_delivered', 'b was never listed'],
    ['in a trace without an end', {}, { end: undefined }],
    ['did not, in a trace without an end', b, { end: undefined }, 'not_delivered', 'b was never listed'],
    [
      'cannot be handed over',
      {},
      ended({ lacks: ['tool'] }),
      'not_applicable',
      'this kind of agent cannot be handed the tool "a"',
    ],
    ['is not what cannot be handed over', {}, ended({ lacks: ['history'] })],
    [
      'is kept back by the client',
      instructions,
      ended({ without: ['instructions'] }),
      'not_applicable',
      `${without} instructions`,
    ],
    [
      'is kept back for one of its surfaces',
      { surfaces: ['tools', 'progress'] },
      ended({ without: ['progress'] }),
      'not_applicable',
      `${without} progress`,
    ],
    ['is not what the client keeps back', instructions, ended({ without: ['progress'] })],
    ['was used though there is no such surface', {}, ended({ without: ['tools'] })],
    [
      'has no surface here',
      b,
      ended({ without: ['prompts', 'tools'] }),
      'not_applicable',
      `${without} tools`,
    ],
    [
      'has two surfaces, one of them here',
      { ...b, surfaces: ['tools', 'list-changes'] },
      ended({ without: ['list-changes'] }),
      'not_applicable',
      `${without} list-changes`,
    ],
    [
      'has two surfaces, none of them here',
      { ...b, surfaces: ['tools', 'list-changes'] },
      ended({ without: ['list-changes', 'tools'] }),
      'not_applicable',
      `${without} tools`,
    ],
    ['has another surface here', b, ended({ without: ['prompts'] }), 'not_delivered', 'b was never listed'],
    [
      'has a surface after all',
      b,
      { ...ended({ without: ['tools'] }), usesSurface: (name) => name === 'tools' },
      'not_delivered',
      'b was never listed',
    ],
    [
      'has no surface, though another is there',
      b,
      { ...ended({ without: ['prompts', 'tools'] }), usesSurface: (name) => name === 'prompts' },
      'not_applicable',
      `${without} tools`,
    ],
    ['has no door', userB, ended({ doors: ['mcp'], skipped: ['server'] }), 'not_applicable', unserved],
    [
      'has a door, and nobody there',
      userB,
      ended({ doors: ['ag_ui'], skipped: ['server'] }),
      'not_delivered',
      unplayed,
    ],
    ['has a door that nobody told of', userB, ended({ skipped: ['server'] }), 'not_delivered', unplayed],
    ['needs no door', b, ended({ doors: [], skipped: ['server'] }), 'not_delivered', unplayed],
    ['has no door, and was played', userB, ended({ doors: [] }), 'not_delivered', 'b was never listed'],
    ['of one who was played', b, ended({ skipped: ['other'] }), 'not_delivered', 'b was never listed'],
    [
      'takes a capability',
      question,
      { lacksCapability: (actor, name) => actor === 'server' && name === 'elicitation' },
      'not_applicable',
      'the client declares no elicitation',
    ],
    ['takes a capability that is there', question, {}, 'not_delivered', 'b was never asked and understood'],
    ['takes no capability', b, { lacksCapability: () => true }, 'not_delivered', 'b was never listed'],
    [
      'is of a phase that never began',
      { ...b, phase: 'two' },
      {},
      'not_delivered',
      'phase "two" never began',
    ],
    [
      'is of a phase that waits',
      { ...b, phase: 'two' },
      ended({ waiting: { server: { phase: 'one', event: 'tools/call', count: 1, of: 3 } } }),
      'not_delivered',
      'phase "two" never began: tools/call 1 of 3',
    ],
    [
      'is of a phase of one of two',
      { ...b, phase: 'two' },
      { actors: { server: actorOf(), other: actorOf() } },
      'not_delivered',
      'phase "two" of "server" never began',
    ],
    [
      'is of a phase beside an actor that we added',
      { ...b, phase: 'two' },
      { actors: { server: actorOf(), other: actorOf({ phases: [] }) } },
      'not_delivered',
      'phase "two" never began',
    ],
    [
      'is of an actor that nobody saw',
      { ...b, actor: 'other' },
      {},
      'not_delivered',
      'phase "one" never began',
    ],
    [
      'was refused',
      b,
      { refusalOf: (actor, at) => (actor === 'server' && at === '/b' ? 'error 1' : undefined) },
      'not_delivered',
      'b was refused: error 1',
    ],
    [
      'was never said',
      { ...b, kind: 'message' },
      {},
      'not_sent',
      'b (phase "one" of "server") could not be sent',
    ],
    [
      'was said',
      { ...b, kind: 'message' },
      { wasSent: (actor, at) => actor === 'server' && at === '/b' },
      'not_delivered',
      'b was never heard',
    ],
    [
      'was never pushed',
      { ...b, kind: 'push' },
      {},
      'not_sent',
      'b (phase "one" of "server") could not be sent',
    ],
    ['was pushed', { ...b, kind: 'push' }, { wasSent: () => true }, 'not_delivered', 'b was never sent'],
    [
      'is nothing that we send by ourselves',
      { ...b, kind: 'tool_response' },
      {},
      'not_delivered',
      'b was never given',
    ],
  ])('%s', (_, piece, facts, lack, reason) => {
    expect(shortfallsOf(needing(piece), factsOf(facts))).toEqual(
      lack === undefined ? [] : [{ lack, reason }],
    );
  });
});

describe('a need', () => {
  const message = { ...b, kind: 'message', label: 'm' };
  const late = { ...b, label: 'c' };
  const barred = { ...b, kind: 'prompt', surfaces: ['prompts'], label: 'p' };
  const written =
    (text: string): DeliveryFacts['arrivalOf'] =>
    (_, __, of) =>
      of === text ? undefined : { seq: 3, byUse: false };
  const any = (pieces: readonly Partial<PlacedPiece>[], more: Partial<Need> = {}): Need => ({
    anyOf: pieces.map(pieceOf),
    ...more,
  });
  test.each<[title: string, need: Need, reasons: readonly string[], facts?: Partial<DeliveryFacts>]>([
    ['is met by one of two', any([b, {}]), []],
    ['is met by none of two', any([b, late]), ['not_delivered: b was never listed']],
    ['could have been met', any([barred, message, b]), ['not_delivered: b was never listed']],
    [
      'could have been met, had it been sent',
      any([barred, message, { ...message, label: 'n' }]),
      ['not_sent: m (phase "one" of "server") could not be sent'],
    ],
    [
      'could not have been met',
      any([barred, { ...barred, label: 'q', surfaces: ['tools', 'prompts'] }]),
      [`not_applicable: ${without} prompts`],
    ],
    ['has nothing to meet it', any([]), ['not_delivered: nothing of it could be delivered']],
    [
      'was met but for its template',
      any([{}], { written: '{{x}}' }),
      ['not_delivered: a template in the tool "a" resolved to nothing'],
      { arrivalOf: written('{{x}}') },
    ],
    ['was met with another template', any([{}], { written: '{{x}}' }), [], { arrivalOf: written('{{y}}') }],
    ['with a template was not met', any([b], { written: '{{x}}' }), ['not_delivered: b was never listed']],
  ])('%s', (_, need, reasons, facts = {}) => {
    const found = shortfallsOf(needsOfAll([need]), factsOf({ ...ended({ without: ['prompts'] }), ...facts }));
    expect(found.map(({ lack, reason }) => `${lack}: ${reason}`)).toEqual(reasons);
  });

  test('is met by the first of its pieces that arrives', () => {
    const need = any([{ at: '/b' }, {}, { at: '/c' }, { at: '/d' }]);
    const facts = factsOf({ arrivalOf: arrivals({ '/a': 5, '/c': 3, '/d': 4 }) });
    expect(arrivalOfNeed(need, facts)?.seq).toBe(3);
    expect(arrivalOfNeed(any([]), facts)).toBeUndefined();
  });

  test('is met by the first of two that arrive at once', () => {
    const facts = factsOf({ arrivalOf: (_, at) => ({ seq: 3, byUse: at === '/a' }) });
    expect(arrivalOfNeed(any([{}, { at: '/b' }]), facts)?.byUse).toBe(true);
  });
});

test('a claim that the agent itself voids', () => {
  const facts = factsOf({
    ...ended({ without: ['tools', 'prompts'] }),
    usesSurface: (name) => name === 'prompts',
  });
  expect(voidedClaims(facts)).toEqual(['prompts']);
  expect(voidedClaims(factsOf({ end: undefined, usesSurface: () => true }))).toEqual([]);
});

test('every piece says whether it arrived, whether it had to, and why it did not', () => {
  const pieces = [pieceOf(), pieceOf(b), pieceOf({ at: '/c', phase: 'two', kind: 'prompt', label: 'c' })];
  const needs = needsOfAll([{ anyOf: pieces.slice(1) }, { anyOf: pieces.slice(1, 2) }], {
    unplayed: ['the rest'],
  });
  const common = { actor: 'server', phase: 'one', kind: 'tool' };
  expect(coverageOf(pieces, needs, factsOf())).toEqual({
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
    inferred: false,
    missing: ['b was never listed', 'no binding plays the rest'],
  });
  expect(coverageOf([], needsOfAll([], { inferred: true }), factsOf())).toMatchObject({
    inferred: true,
    missing: [],
  });
});

describe('how far an actor got', () => {
  const piece = (more: object): Coverage['pieces'][number] => ({
    ...{ actor: 'server', phase: 'one', at: '/a', kind: 'tool', label: 'a', delivered: true, needed: true },
    ...more,
  });
  const waiting = { phase: 'one', event: 'tools/call', count: 1, of: 3 };
  const seen = { delivered: true, phasesSeen: ['one'] };
  const notSeen = { delivered: false, phasesSeen: [] };
  test.each<
    [
      title: string,
      pieces: readonly object[],
      expected: object | undefined,
      facts?: Partial<DeliveryFacts>,
      absent?: string,
    ]
  >([
    ['with a piece', [{}], seen],
    ['with two', [{}, { phase: 'two' }, { phase: 'one' }], { delivered: true, phasesSeen: ['one', 'two'] }],
    ['without', [], notSeen],
    ['with one that did not arrive', [{ delivered: false }], notSeen],
    ['with a notice', [{ kind: 'push' }], notSeen],
    ['with another’s', [{ actor: 'other' }], notSeen],
    ['where the operator stands in', [{}], undefined, {}, 'server'],
    ['where the operator stands in for another', [{}], seen, {}, 'other'],
    [
      'that we added',
      [{}],
      { delivered: true, phasesSeen: ['x'] },
      { actors: { server: actorOf({ phases: [], phasesEntered: ['x'] }) } },
    ],
    [
      'that we added, and that nobody met',
      [{}],
      { delivered: false, phasesSeen: [] },
      { actors: { server: actorOf({ phases: [], phasesEntered: [], reached: false }) } },
    ],
    ['that waits', [{}], { ...seen, waiting }, ended({ waiting: { server: waiting } })],
    ['beside another that waits', [{}], seen, ended({ waiting: { other: waiting } })],
    ['in a trace without an end', [{}], seen, { end: undefined }],
  ])('%s', (_, pieces, expected, facts = {}, absent) => {
    const all = factsOf(facts);
    const coverage: Coverage = { pieces: pieces.map(piece), delivered: 1, inferred: true, missing: [] };
    const found: Delivery = deliveryOf(coverage, all, absent === undefined ? [] : [absent]);
    expect(found.server).toStrictEqual(expected && { ...all.actors.server, ...expected });
  });
});
