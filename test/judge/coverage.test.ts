import { describe, expect, test } from 'vitest';
import { includedViews } from '../../src/bindings/included.ts';
import { trackDelivery } from '../../src/judge/delivery.ts';
import { documentWith } from '../support/records.ts';
import {
  answered,
  asked,
  asking,
  broken,
  called,
  declares,
  elicited,
  end,
  evaluated,
  type Fields,
  listed,
  phase,
  poisoned,
  type Run,
  told,
  tools,
  whole,
} from './small-trace.ts';

// What a trace shows of each actor and each piece, and the words for it.

const hello = { run_agent_input: { messages: [{ role: 'user', content: 'Hi.' }] } };
const two: Run = {
  execution: {
    actors: [
      { name: 'default', mode: 'mcp_server', phases: [poisonedPhase()] },
      { name: 'user', mode: 'ag_ui_client', phases: [{ name: 'phase-1', state: hello }] },
    ],
  },
  indicators: [{ protocol: 'mcp', target: 'x', pattern: { contains: 'x' } }],
};
const later: Run = {
  execution: {
    mode: 'mcp_server',
    phases: [
      { ...poisonedPhase(), trigger: { event: 'tools/call', count: 3 } },
      { state: { tools: [{ name: 'late', description: 'Late.' }] } },
    ],
  },
};
const elicitation: Run = { execution: asking };
const template: Run = {
  execution: {
    mode: 'mcp_server',
    state: { tools: [{ name: 'search', description: 'Say {{word}}.' }] },
  },
  marks: [{ at: '/state/tools/0/description' }],
};
const odd: Run = { execution: { ...poisoned, state: { ...poisoned.state, odd: 1, 'x-own': 1 } } };
const user: Fields = { kind: 'phase', actor: 'user', phase: 'phase-1' };
const unresolved = [asked('tools/list'), told('tools/list', [tools], { unresolved: ['word'] })];
const refused = [
  declares({ elicitation: {} }),
  elicited,
  answered({ code: -32601, message: 'no' }, { failed: true }),
];
const waiting = { default: { event: 'tools/call', count: 1, of: 3 } };

function poisonedPhase() {
  return { name: 'phase-1', state: poisoned.state };
}

const noAnswer = 'an answer of the tool "search" was never given';

describe('what is missing, and why', () => {
  test.each<[title: string, records: readonly Fields[], missing: readonly string[], run?: Run]>([
    ['nothing', whole, []],
    ['an answer', [phase, ...listed], [noAnswer]],
    ['everything', [phase], ['the tool "search" was never listed', noAnswer]],
    ['a phase', [], ['phase "phase-1" never began']],
    ['an answer of a phase that only messages name', listed, [noAnswer]],
    ['a later phase', whole, ['phase "phase-2" never began'], later],
    ['… that waits', [...whole, end({ waiting })], ['phase "phase-2" never began: tools/call 1 of 3'], later],
    ['a phase of one of two', whole, ['phase "phase-1" of "user" never began'], two],
    [
      'an actor that was not played',
      [...whole, end({ skipped: ['user'], doors: ['ag_ui'] })],
      ['"user" was not played: it had no agent to speak to'],
      two,
    ],
    [
      'a door',
      [...whole, end({ skipped: ['user'], doors: ['mcp'] })],
      ['the agent does not serve AG-UI, so "user" cannot speak to it'],
      two,
    ],
    [
      'what could not be sent',
      [...whole, user],
      ['the user message at /run_agent_input/messages/0 (phase "phase-1" of "user") could not be sent'],
      two,
    ],
    ['nothing that the operator does', [...whole, end({ skipped: ['user'] })], [], two],
    [
      'a capability',
      [phase, declares({}), ...listed, ...called],
      ['the client declares no elicitation'],
      elicitation,
    ],
    [
      'a surface',
      [...whole, end({ without: ['elicitation'] })],
      ['the target is configured to be without elicitation'],
      elicitation,
    ],
    [
      'what was refused',
      [phase, ...refused, ...listed, ...called],
      ['the elicitation at /elicitations/0 was refused: error -32601 (no)'],
      elicitation,
    ],
    [
      'a template',
      [phase, ...unresolved, ...called],
      ['a template in the tool "search" resolved to nothing'],
      template,
    ],
    ['nothing of a template that resolved later', [phase, ...unresolved, ...listed, ...called], [], template],
    [
      'all of an actor',
      [...whole, end({ demand: 'reached' })],
      ['phase "phase-1" of "user" never began'],
      two,
    ],
    ['what no binding plays', whole, ['no binding plays `state.odd` of phase "phase-1" of "default"'], odd],
  ])('%s', (_, records, missing, run) => {
    const ended = records.at(-1)?.kind === 'end' ? records : [...records, end()];
    expect(evaluated(ended, run).coverage.missing).toEqual(missing);
  });
});

test('entry actions of a phase are pieces, except for the operator', () => {
  const on_enter = [
    { log: { message: 'now' } },
    { send: { method: 'notifications/progress' } },
    { send: { method: 'roots/list' } },
    { delay_ms: 5 },
  ];
  const { pieces } = evaluated([], {
    execution: { mode: 'mcp_server', phases: [{ state: {}, on_enter }] },
  }).coverage;
  expect(pieces.map(({ at, kind, label }) => [at, kind, label])).toEqual([
    ['/phases/0/on_enter/1', 'entry_notification', 'notifications/progress on entry'],
    ['/phases/0/on_enter/2', 'entry_request', 'roots/list on entry'],
    ['/phases/0/on_enter/3', 'push', 'delay_ms on entry'],
  ]);
});

describe('how far an actor got', () => {
  const all = { reached: true, engaged: true, served: 2, delivered: true };
  const none = { reached: false, engaged: false, served: 0, delivered: false };
  test.each<[title: string, records: readonly Fields[], expected: object, run?: Run]>([
    ['all the way', whole, { ...all, phasesEntered: ['phase-1'], phasesSeen: ['phase-1'] }],
    ['without its phase’s record', called, { phasesEntered: ['phase-1'], phasesSeen: ['phase-1'] }],
    ['to its phase', [phase], { ...none, phasesEntered: ['phase-1'], phasesSeen: [] }],
    ['nowhere', [], { ...none, phasesEntered: [], phasesSeen: [] }],
    ['to a list', [phase, ...listed], { reached: true, engaged: false, served: 1, delivered: true }],
    [
      'to a word of a protocol that nobody knows',
      [{ ...asked('said'), protocol: 'voice' }],
      { engaged: true },
    ],
    ['… but not by ours', [{ ...told('said', []), protocol: 'voice' }], { reached: false, engaged: false }],
    [
      'to a notice, which nobody need read',
      [phase, told('notifications/progress', ['/phases/0/on_enter/0'], { kind: 'notification' })],
      { served: 1, delivered: false, phasesSeen: [] },
      {
        execution: {
          mode: 'mcp_server',
          phases: [{ ...poisonedPhase(), on_enter: [{ send: { method: 'notifications/progress' } }] }],
        },
      },
    ],
    ['to a wait', [...whole, end({ waiting })], { waiting: waiting.default }, later],
  ])('%s', (_, records, expected, run) => {
    expect(evaluated(records, run).delivery.default).toMatchObject(expected);
  });

  test('of what went wrong so many times the first are kept', () => {
    const tracker = trackDelivery(documentWith({ execution: poisoned }), includedViews);
    for (let seq = 0; seq < 60; seq++)
      tracker.add({ seq, timestamp: '', ...broken, reason: `${seq}` } as never);
    expect(tracker.facts().unread.map(({ reason }) => Number(reason))).toEqual(Array.from(Array(50).keys()));
  });
});
