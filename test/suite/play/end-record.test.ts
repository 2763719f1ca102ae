import { describe, expect, test } from 'vitest';
import type { AgentUnderTest, ProgramFacts } from '../../../src/agents/adapters/agent-under-test.ts';
import {
  createEndRecord,
  describeProgramTrouble,
  readAbortReason,
  usesChance,
} from '../../../src/suite/play/end-record.ts';
import { documentWith } from '../../support/records.ts';

// The last record of a trace holds every fact that a judgement needs in addition to the messages, and nothing else.

type Known = Parameters<typeof createEndRecord>[0];
const end: Known['end'] = { reason: 'finished', diagnostics: [], skipped: [], waiting: {} };
const bare: Known = {
  execution: 'e',
  seed: undefined,
  end,
  trouble: undefined,
  missed: undefined,
  absent: undefined,
  left: undefined,
  fault: undefined,
  stopped: undefined,
  demand: undefined,
  agent: undefined,
  addresses: {},
};
const always = {
  seq: 7,
  timestamp: 'now',
  kind: 'end',
  reason: 'finished',
  demand: 'payload',
  execution: 'e',
  skipped: [],
};
const agent = { speaks: ['ag_ui'] } as unknown as AgentUnderTest;
const addresses = { shop: 'http://127.0.0.1:8080/mcp' };
const waiting = { a: { event: 'tools/call', seen: 1, of: 3 } } as unknown as Known['end']['waiting'];

describe('createEndRecord', () => {
  test.each<[Partial<Known>, object]>([
    [{}, {}],
    [{ demand: 'strict' }, { demand: 'strict' }],
    [{ seed: 0 }, { seed: 0 }],
    [{ fault: 'disk full' }, { error: 'disk full' }],
    [{ fault: 'disk full', end: { ...end, error: 'port in use' } }, { error: 'port in use' }],
    [{ trouble: 'code 3' }, { trouble: 'code 3' }],
    [{ trouble: 'code 3', end: { ...end, trouble: 'not ready' } }, { trouble: 'not ready' }],
    [{ stopped: 'enough' }, { stopped: 'enough' }],
    [{ missed: 'the history' }, { missed: 'the history' }],
    [{ absent: 'no model' }, { absent: 'no model' }],
    [{ agent }, { doors: ['ag_ui'] }],
    [
      { agent: { ...agent, lacks: ['history'], without: ['tools'] } },
      { doors: ['ag_ui'], lacks: ['history'], without: ['tools'] },
    ],
    [{ addresses }, { addresses }],
    [
      { addresses, agent: { ...agent, isTold: false } },
      { addresses, doors: ['ag_ui'] },
    ],
    [{ addresses, agent: { ...agent, isTold: true } }, { doors: ['ag_ui'] }],
    [{ end: { ...end, reason: 'idle', skipped: ['a'], waiting } }, { reason: 'idle', skipped: ['a'], waiting }],
  ])('writes what is known of the run: %j', (known, more) => {
    expect(createEndRecord({ ...bare, ...known }, 7, 'now')).toStrictEqual({ ...always, ...more });
  });
});

test.each<[ProgramFacts | undefined, string | undefined]>([
  [undefined, undefined],
  [{ stderr: '' }, undefined],
  [{ stderr: '', exitCode: 0 }, undefined],
  [{ stderr: '', exitCode: 1 }, 'its program ended with code 1'],
  [{ stderr: '', signal: 'SIGSEGV' }, 'its program was ended by SIGSEGV'],
])('describeProgramTrouble gives for the program %j the words: %s', (program, trouble) => {
  expect(describeProgramTrouble(program)).toBe(trouble);
});

test.each<[unknown, string | undefined]>([
  [undefined, undefined],
  [new Error('enough'), 'enough'],
  ['enough', 'enough'],
  [Object.assign(new Error('enough'), { name: 'AbortError' }), undefined],
])('readAbortReason gives for a signal aborted with %s the reason: %s', (reason, reported) => {
  const controller = new AbortController();
  controller.abort(reason);
  expect(readAbortReason(controller.signal)).toBe(reported);
});

test.each<[object, boolean]>([
  [{ mode: 'mcp_server', state: {} }, false],
  [{ mode: 'mcp_server', state: {}, 'x-other': [] }, false],
  [{ mode: 'mcp_server', state: {}, 'x-wire': [] }, true],
  [{ mode: 'mcp_server', state: {}, 'x-generate': [] }, true],
  [
    {
      mode: 'mcp_server',
      phases: [
        { state: {}, trigger: { after: '1s' } },
        { name: 'b', 'x-wire': [] },
      ],
    },
    true,
  ],
])('usesChance of the execution %j is %s', (execution, does) => {
  expect(usesChance(documentWith({ execution }))).toBe(does);
});
