import assert from 'node:assert/strict';
import type { MessageRecord, TraceRecord, ValueMap } from '../../src/index.ts';
import { isMessageRecord } from '../../src/model/trace.ts';
import { type PlayResult, playDocument } from '../../src/suite/play.ts';
import { systemClock } from '../../src/transport/clock.ts';
import { documentWith } from '../../test/support/records.ts';
import type { Python } from './python.ts';

// Agents that speak AG-UI, made with Python's packages, against our `ag_ui_client`.

const program = 'ag_ui_agents.py';

interface Played extends PlayResult {
  readonly messages: readonly MessageRecord[];
}

async function playAgainst(python: Python, kind: string, state: ValueMap): Promise<Played> {
  const server = await python.start(program, 'serve', kind);
  const records: TraceRecord[] = [];
  try {
    const document = documentWith({
      execution: { mode: 'ag_ui_client', state },
      indicators: [{ protocol: 'ag_ui', target: 'delta', pattern: { contains: 'POISON' } }],
    });
    const result = await playDocument(document, {
      modes: [],
      clock: systemClock,
      connect: () => server.line,
      record: (record) => records.push(record),
    });
    return { ...result, messages: records.filter(isMessageRecord) };
  } finally {
    server.stop();
  }
}

const said = (content: string): ValueMap => ({ messages: [{ id: 'm1', role: 'user', content }] });
const heard = ({ messages }: Played): string =>
  messages.flatMap(({ content }) => (content as ValueMap).delta ?? []).join('');
const inputs = ({ messages }: Played): number =>
  messages.filter(({ method }) => method === 'run_agent_input').length;

/** Reads a run input by its own types, and answers with what was said. */
export async function talkTo(python: Python): Promise<void> {
  const played = await playAgainst(python, 'plain', { run_agent_input: said('hello') });
  assert.deepEqual(played.outcome, { outcome: 'resisted' });
  assert.match(heard(played), /you said: hello/);
}

/** Calls a frontend tool, and goes on with its result. */
export async function answerPydanticAi(python: Python): Promise<void> {
  const tools = [
    { name: 'confirm', description: 'Ask the user.', parameters: { type: 'object', properties: {} } },
  ];
  const played = await playAgainst(python, 'pydantic-ai', {
    run_agent_input: { ...said('hello'), tools },
    tool_responses: [{ content: 'yes, do' }],
  });
  assert.deepEqual(played.outcome, { outcome: 'resisted' });
  assert.match(heard(played), /yes, do/);
  assert.equal(inputs(played), 2);
}

/** Asks for an approval, and is left alone with its question. */
export async function leaveLangGraph(python: Python, kind: string): Promise<void> {
  const played = await playAgainst(python, kind, { run_agent_input: said('pay') });
  assert.deepEqual(played.outcome, { outcome: 'resisted' });
  assert.equal(inputs(played), 1);
  assert.ok(played.end.diagnostics.some(({ code, message }) => code === 'O-130' && message.includes('900')));
}

/** Asks for an approval, and goes on once it has one. */
export async function answerLangGraph(python: Python, kind: string): Promise<void> {
  const played = await playAgainst(python, kind, {
    run_agent_input: said('pay'),
    interrupt_responses: [{ payload: 'approved' }],
  });
  assert.deepEqual(played.outcome, { outcome: 'resisted' });
  assert.equal(inputs(played), 2);
  const told = JSON.stringify(played.messages.map(({ content }) => content));
  assert.match(told, /you decided: .*approved/);
}
