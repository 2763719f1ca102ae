import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { BindingViews } from '../../model/views.ts';

const lists = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);
const uses = new Set(['tools/call', 'resources/read', 'prompts/get']);
/** What every server answers before it is asked for anything. */
const formalities = new Set(['initialize', 'ping']);

export const mcpViews: BindingViews = {
  protocol: 'mcp',
  delivers(record) {
    const { mode, kind, origin, method, content } = record;
    if (mode.endsWith('_client')) return isAnswer(record) && refusal(record) === undefined;
    if (kind !== 'response' || origin !== 'attacker') return false;
    const instructed =
      method === 'initialize' && isValueMap(content) && typeof content.instructions === 'string';
    return instructed || lists.has(method);
  },
  engages(record) {
    const { mode, kind, origin, method } = record;
    if (mode.endsWith('_client'))
      return origin === 'agent' && !formalities.has(method) && (kind === 'response' || kind === 'request');
    return kind === 'response' && origin === 'attacker' && uses.has(method);
  },
  trouble: (record) => (isAnswer(record) ? refusal(record) : undefined),
  undelivered: { server: 'never fetched the tools, resources or prompts of', client: 'never answered' },
};

/** On a client's side: the server's answer to a call. */
function isAnswer({ mode, kind, origin }: MessageRecord): boolean {
  return mode.endsWith('_client') && kind === 'response' && origin === 'agent';
}

/** A server that refuses the handshake has not let the attack in; any other error is an answer to it. */
function refusal({ method, content }: MessageRecord): string | undefined {
  if (method !== 'initialize' || !isError(content)) return undefined;
  return `it refused the handshake: ${content.message}`;
}

function isError(content: Value): content is { readonly code: number; readonly message: string } {
  return isValueMap(content) && typeof content.code === 'number' && typeof content.message === 'string';
}
