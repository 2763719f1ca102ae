import type { AgentUnderTest } from '../../../../src/agents/adapters/agent-under-test.ts';
import { type BuiltInAgentName, builtInAgent } from '../../../../src/agents/built-in/built-in-agents.ts';
import { systemClock } from '../../../../src/attack/transport/clock.ts';
import { loadMarked } from '../../../../src/format/load-marked.ts';
import { isMessageRecord } from '../../../../src/format/model/trace-record.ts';
import type { Value, ValueMap } from '../../../../src/format/model/value.ts';
import { playDocument } from '../../../../src/suite/play/play-run.ts';
import { createServerModes } from '../../../../src/suite/play/playable-modes.ts';

// Plays a document with a plan against a built-in agent, over real connections.

export const text = (words: string): ValueMap => ({ content: [{ type: 'text', text: words }] });

/** A tool in one line: its description and the contents of its answers. */
export const tool = (
  name: string,
  result: ValueMap,
  description = 'Does something.',
  schema: ValueMap = {},
): ValueMap => ({
  name,
  description,
  inputSchema: { type: 'object', ...schema },
  responses: [{ content: result }],
});

export const server = (name: string, state: ValueMap): ValueMap => ({
  name,
  mode: 'mcp_server',
  phases: [{ name: 'serve', state }],
});

/** A user who says these things, one after the other. Further keys go into each run input and each state. */
export const user = (said: readonly string[], input: ValueMap = {}, state: ValueMap = {}): ValueMap => ({
  name: 'user',
  mode: 'ag_ui_client',
  phases: said.map((content, index) => ({
    name: `turn-${index}`,
    state: {
      ...state,
      run_agent_input: {
        threadId: 't1',
        runId: `r${index}`,
        messages: [{ id: `u${index}`, role: 'user', content }],
        ...input,
      },
    },
    ...(index < said.length - 1 && { trigger: { event: 'run_finished' } }),
  })),
});

export interface PlayedPlan {
  /** The requests of the agent that name something, in order: `files.read {"id":"7"}`. */
  readonly calls: readonly string[];
  /** The answers of the agent to questions of servers. */
  readonly answers: readonly Value[];
  /** The messages to other agents. */
  readonly sent: readonly Value[];
  /** The methods of all requests to servers, by actor. */
  readonly requests: readonly string[];
  /** What the agent said to its user, turn by turn. */
  readonly said: readonly string[];
  readonly warnings: readonly string[];
  readonly outcome: string;
}

export async function playPlan(
  actors: readonly ValueMap[],
  plan: readonly Value[],
  agent: BuiltInAgentName | AgentUnderTest = 'guarded',
  more: ValueMap = {},
): Promise<PlayedPlan> {
  const loaded = loadMarked(
    JSON.stringify({ oatf: '0.1', attack: { execution: { actors }, 'x-plan': plan, ...more } }),
  );
  if (!loaded.ok) throw new Error(loaded.errors.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  const calls: string[] = [];
  const answers: Value[] = [];
  const requests: string[] = [];
  const sent: Value[] = [];
  const said: string[] = [];
  const { end, outcome } = await playDocument(loaded.document, {
    agent: typeof agent === 'string' ? builtInAgent(agent) : agent,
    modes: createServerModes({ address: () => undefined }),
    clock: systemClock,
    record(record) {
      if (!isMessageRecord(record) || record.origin !== 'agent') return;
      const { actor, method, kind, content } = record;
      const { name, uri, message, arguments: args, delta } = content as ValueMap;
      if (kind === 'request' && actor !== 'user') requests.push(`${actor} ${method}`);
      if (kind === 'response' && actor !== 'user') answers.push(content);
      if (method.startsWith('message/')) sent.push(message as Value);
      if (method === 'tools/call' && kind === 'request') calls.push(`${actor}.${String(name)} ${JSON.stringify(args)}`);
      else if (method === 'prompts/get' || method === 'resources/read')
        calls.push(`${actor} ${method} ${String(name ?? uri)}`);
      else if (method.startsWith('message/')) calls.push(`${actor} ${JSON.stringify((message as ValueMap).parts)}`);
      else if (method === 'text_message_start') said.push('');
      else if (method === 'text_message_content') said.push(`${said.pop() ?? ''}${String(delta)}`);
    },
  });
  return {
    calls,
    answers,
    requests,
    sent,
    said,
    warnings: end.diagnostics.map(({ code, message }) => `${code} ${message}`),
    outcome,
  };
}
