import type { McpConfig, ServedAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import type { Persona } from '../../../src/agents/built-in/built-in-agent.ts';
import type { Model, ModelInput, ToolCall } from '../../../src/agents/built-in/model.ts';
import { guarded } from '../../../src/agents/built-in/policies/guarded.ts';
import { gullible } from '../../../src/agents/built-in/policies/gullible.ts';
import { serveAgent } from '../../../src/agents/built-in/serve-agent.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';

export const personas = {
  gullible: { model: gullible },
  guarded: { model: guarded },
} satisfies Record<string, Persona>;

/** A model with scripted answers, turn by turn, which remembers what it was shown. */
export function scripted(
  ...turns: readonly (string | readonly Omit<ToolCall, 'id'>[])[]
): Model & { readonly seen: ModelInput[] } {
  const seen: ModelInput[] = [];
  return {
    seen,
    async complete(input) {
      seen.push({ ...input, messages: [...input.messages] });
      const turn = turns[seen.length - 1] ?? 'done';
      if (typeof turn === 'string') return { text: turn, toolCalls: [] };
      return {
        text: '',
        toolCalls: turn.map((call, index) => ({ ...call, id: `c${seen.length}-${index}` })),
      };
    },
  };
}

export const configOf = (urls: Readonly<Record<string, string>>): McpConfig => ({
  mcpServers: Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { type: 'http', url }])),
});

export function launch(
  persona: Persona,
  urls: Readonly<Record<string, string>> = {},
  timeoutMs = 2000,
): Promise<ServedAgent> {
  return serveAgent({ persona, mcpConfig: configOf(urls), timeoutMs });
}

export interface Ran {
  readonly status: number;
  readonly events: readonly ValueMap[];
  readonly text: string;
}

export async function post(agent: ServedAgent, input: Value | string, init: RequestInit = {}): Promise<Ran> {
  const body = typeof input === 'string' ? input : JSON.stringify(input);
  const response = await fetch(agent.addresses.ag_ui ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    ...init,
  });
  const received = await response.text();
  const events = received
    .split('\n\n')
    .filter((part) => part.startsWith('data: '))
    .map((part) => JSON.parse(part.slice(6)) as ValueMap);
  const text = events.map(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? delta : '')).join('');
  return { status: response.status, events, text };
}

export const saying = (content: string, threadId = 't1'): ValueMap => ({
  threadId,
  runId: 'r1',
  messages: [{ role: 'user', content }],
});
