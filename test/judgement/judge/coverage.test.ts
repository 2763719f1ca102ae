import { describe, expect, test } from 'vitest';
import { includedViews } from '../../../src/attack/bindings/included-views.ts';
import { trackDelivery } from '../../../src/judgement/judge/delivery.ts';
import { documentWith } from '../../support/records.ts';
import {
  answered,
  asked,
  asking,
  attackedState,
  broken,
  called,
  declares,
  elicited,
  end,
  evaluated,
  type Fields,
  listed,
  phase,
  type Run,
  reported,
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
const odd: Run = { execution: { ...attackedState, state: { ...attackedState.state, odd: 1, 'x-own': 1 } } };
const user: Fields = { kind: 'phase', actor: 'user', phase: 'phase-1' };
const unresolved = [asked('tools/list'), reported('tools/list', [tools], { unresolved: ['word'] })];
const refused = [declares({ elicitation: {} }), elicited, answered({ code: -32601, message: 'no' }, { failed: true })];
const waiting = { default: { event: 'tools/call', count: 1, of: 3 } };

function poisonedPhase() {
  return { name: 'phase-1', state: attackedState.state };
}

const noAnswer = 'an answer of the tool "search" was never given';

describe('coverage.missing', () => {
  test.each<[title: string, records: readonly Fields[], missing: readonly string[], run?: Run]>([
    ['is empty if everything was delivered', whole, []],
    ['names an answer that was never given', [phase, ...listed], [noAnswer]],
    ['names a tool that was never listed and its answer', [phase], ['the tool "search" was never listed', noAnswer]],
    ['names a phase that never began', [], ['phase "phase-1" never began']],
    ['knows a phase by its messages even without a record of the phase', listed, [noAnswer]],
    ['names a later phase that never began', whole, ['phase "phase-2" never began'], later],
    [
      'says how far the trigger before a later phase got',
      [...whole, end({ waiting })],
      ['phase "phase-2" never began: tools/call 1 of 3'],
      later,
    ],
    ['names the actor of a phase if there are two actors', whole, ['phase "phase-1" of "user" never began'], two],
    [
      'names an actor that was not played',
      [...whole, end({ skipped: ['user'], doors: ['ag_ui'] })],
      ['"user" was not played: it had no agent to speak to'],
      two,
    ],
    [
      'names an interface that the agent does not serve',
      [...whole, end({ skipped: ['user'], doors: ['mcp'] })],
      ['the agent does not serve AG-UI, so "user" cannot speak to it'],
      two,
    ],
    [
      'names a message that could not be sent',
      [...whole, user],
      ['the user message at /run_agent_input/messages/0 (phase "phase-1" of "user") could not be sent'],
      two,
    ],
    ['leaves out the user if an operator takes that part', [...whole, end({ skipped: ['user'] })], [], two],
    [
      'names a capability that the client does not declare',
      [phase, declares({}), ...listed, ...called],
      ['the client declares no elicitation'],
      elicitation,
    ],
    [
      'names a surface that the target is configured to be without',
      [...whole, end({ without: ['elicitation'] })],
      ['the target is configured to be without elicitation'],
      elicitation,
    ],
    [
      'names a question that was refused, with the error',
      [phase, ...refused, ...listed, ...called],
      ['the elicitation at /elicitations/0 was refused: error -32601 (no)'],
      elicitation,
    ],
    [
      'names a template that resolved to nothing',
      [phase, ...unresolved, ...called],
      ['a template in the tool "search" resolved to nothing'],
      template,
    ],
    ['leaves out a template that resolved later', [phase, ...unresolved, ...listed, ...called], [], template],
    [
      'names the first phase of an actor that did nothing, with demand "reached"',
      [...whole, end({ demand: 'reached' })],
      ['phase "phase-1" of "user" never began'],
      two,
    ],
    [
      'names a state key that no binding plays',
      whole,
      ['no binding plays `state.odd` of phase "phase-1" of "default"'],
      odd,
    ],
  ])('%s', (_, records, missing, run) => {
    const ended = records.at(-1)?.kind === 'end' ? records : [...records, end()];
    expect(evaluated(ended, run).coverage.missing).toEqual(missing);
  });
});

test('the pieces of coverage include the entry actions of a phase, except for log messages', () => {
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

describe('the delivery of an actor', () => {
  const all = { reached: true, engaged: true, served: 2, delivered: true };
  const none = { reached: false, engaged: false, served: 0, delivered: false };
  test.each<[title: string, records: readonly Fields[], expected: object, run?: Run]>([
    [
      'is complete if everything was served and used',
      whole,
      { ...all, phases_entered: ['phase-1'], phases_seen: ['phase-1'] },
    ],
    [
      'has phases from messages if the trace has no record of the phase',
      called,
      { phases_entered: ['phase-1'], phases_seen: ['phase-1'] },
    ],
    [
      'has only the phase if nothing but its record is there',
      [phase],
      { ...none, phases_entered: ['phase-1'], phases_seen: [] },
    ],
    ['has nothing if there are no records', [], { ...none, phases_entered: [], phases_seen: [] }],
    [
      'is reached and served but not engaged after a list',
      [phase, ...listed],
      { reached: true, engaged: false, served: 1, delivered: true },
    ],
    ['is engaged by a message of an unknown protocol', [{ ...asked('said'), protocol: 'voice' }], { engaged: true }],
    [
      'is not reached or engaged by our own message of an unknown protocol',
      [{ ...reported('said', []), protocol: 'voice' }],
      { reached: false, engaged: false },
    ],
    [
      'counts a notification as served but not as delivered',
      [phase, reported('notifications/progress', ['/phases/0/on_enter/0'], { kind: 'notification' })],
      { served: 1, delivered: false, phases_seen: [] },
      {
        execution: {
          mode: 'mcp_server',
          phases: [{ ...poisonedPhase(), on_enter: [{ send: { method: 'notifications/progress' } }] }],
        },
      },
    ],
    ['says which trigger the actor waits for', [...whole, end({ waiting })], { waiting: waiting.default }, later],
  ])('%s', (_, records, expected, run) => {
    expect(evaluated(records, run).delivery.default).toMatchObject(expected);
  });

  test('trackDelivery keeps the first 50 messages that could not be read', () => {
    const tracker = trackDelivery(documentWith({ execution: attackedState }), includedViews);
    for (let seq = 0; seq < 60; seq++) tracker.add({ seq, timestamp: '', ...broken, reason: `${seq}` } as never);
    expect(tracker.facts().unread.map(({ reason }) => Number(reason))).toEqual(Array.from(Array(50).keys()));
  });
});
