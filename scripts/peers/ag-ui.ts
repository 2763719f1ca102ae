import assert from 'node:assert/strict';
import type { ValueMap } from '../../src/index.ts';
import { documentWith } from '../../test/support/records.ts';
import { type Behaviour, behaviours, type Played, playPeer } from './attacked.ts';
import type { Check, Checks } from './peer.ts';
import type { Programs } from './programs.ts';

// Plays AG-UI agents that were made with other packages against our `ag_ui_client`.

const python = 'ag_ui_agents.py';
const node = 'ag_ui_agent.mjs';

/** An attack that succeeds if an event has this text in the field. */
interface Attack {
  readonly state: ValueMap;
  readonly target: string;
  readonly contains: string;
  readonly headers?: { readonly [name: string]: string } | undefined;
}

async function play(
  programs: Programs,
  [program, kind]: readonly [string, string],
  { state, target, contains, headers }: Attack,
): Promise<Played> {
  const server = await programs.start(program, 'serve', kind);
  try {
    const document = documentWith({
      execution: { mode: 'ag_ui_client', state },
      indicators: [{ protocol: 'ag_ui', target, pattern: { contains } }],
    });
    return await playPeer(document, { connect: () => ({ url: server.line, headers }) });
  } finally {
    server.stop();
  }
}

const said = (content: string): ValueMap => ({ messages: [{ id: 'm1', role: 'user', content }] });
const heard = ({ messages }: Played): string =>
  messages.flatMap(({ content }) => (content as ValueMap).delta ?? []).join('');
const idsIn = ({ messages }: Played): unknown[] => [
  ...new Set(messages.flatMap(({ content }) => (content as ValueMap).messageId ?? [])),
];
const inputs = ({ messages }: Played): number => messages.filter(({ method }) => method === 'run_agent_input').length;

function assertOutcome({ outcome }: Played, behaviour: Behaviour): void {
  assert.equal(outcome, behaviours[behaviour], JSON.stringify(outcome));
}

/** An agent that reads a run input with its package's own types, and repeats what was said. */
function talking(program: string, headers?: Attack['headers']): Checks {
  const rows: readonly [string, string, Behaviour][] = [
    ['says what it is told', 'POISON', 'obeys'],
    ['says something else', 'hello', 'declines'],
    ['breaks off', 'break off', 'leaves'],
  ];
  return Object.fromEntries(
    rows.map(([name, words, behaviour]): [string, Check] => [
      `${name}${headers === undefined ? '' : ', in protobuf'}`,
      async (programs) => {
        const state = { run_agent_input: said(words) };
        const attack = { state, target: 'delta', contains: 'POISON', headers };
        const played = await play(programs, [program, 'plain'], attack);
        assertOutcome(played, behaviour);
        if (behaviour !== 'leaves') assert.equal(heard(played), `you said: ${words}`);
        if (program === node) assert.deepEqual(idsIn(played), [headers?.accept ?? 'text/event-stream']);
      },
    ]),
  );
}

export const protocolChecks: Checks = talking(python);

export const encoderChecks: Checks = {
  ...talking(node),
  ...talking(node, { accept: 'application/vnd.ag-ui.event+proto' }),
};

/**
 * An agent that calls a frontend tool and continues with its result, and one that asks for an approval, which is
 * ignored, given or refused.
 */
export const pydanticAiChecks: Checks = {
  async 'calls a frontend tool'(programs) {
    const tools = [{ name: 'confirm', description: 'Ask the user.', parameters: { type: 'object', properties: {} } }];
    const state = { run_agent_input: { ...said('hello'), tools }, tool_responses: [{ content: 'yes, do' }] };
    const attack = { state, target: 'delta', contains: 'POISON' };
    const played = await play(programs, [python, 'pydantic-ai'], attack);
    assertOutcome(played, 'declines');
    assert.match(heard(played), /yes, do/);
    assert.equal(inputs(played), 2);
  },
  ...approvals('pydantic-ai-approval', {
    approved: { approved: true },
    refused: { approved: false },
    target: 'content',
    contains: 'paid 900',
  }),
};

export const langGraphChecks: Checks = Object.fromEntries(
  ['langgraph', 'langgraph-outcome'].flatMap((kind) =>
    Object.entries(
      approvals(kind, {
        approved: 'approved',
        refused: 'refused',
        // The agent's answer comes in a snapshot of all messages.
        target: 'messages[*].content',
        contains: 'you decided: approved',
      }),
    ).map(([name, check]) => [`${kind} ${name}`, check]),
  ),
);

interface Approval {
  readonly approved: ValueMap | string;
  readonly refused: ValueMap | string;
  readonly target: string;
  readonly contains: string;
}

/** An agent that asks for approval before it pays. */
function approvals(kind: string, { approved, refused, target, contains }: Approval): Checks {
  const rows: readonly [string, ValueMap, Behaviour, number][] = [
    ['asks, and nobody answers', {}, 'declines', 1],
    ['asks, and is refused', { interrupt_responses: [{ payload: refused }] }, 'declines', 2],
    ['asks, and may', { interrupt_responses: [{ payload: approved }] }, 'obeys', 2],
  ];
  return Object.fromEntries(
    rows.map(([name, more, behaviour, count]): [string, Check] => [
      name,
      async (programs) => {
        const state = { run_agent_input: said('pay'), ...more };
        const played = await play(programs, [python, kind], { state, target, contains });
        assertOutcome(played, behaviour);
        assert.equal(inputs(played), count, 'run inputs');
        const isTold = played.end.diagnostics.some(({ code }) => code === 'O-130');
        assert.equal(isTold, count === 1, 'a question that nobody answers is told');
      },
    ]),
  );
}
