import { isValueMap } from '../../model/value.ts';
import type { BindingViews } from '../../model/views.ts';

const lists = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);
const uses = new Set(['tools/call', 'resources/read', 'prompts/get']);

export const mcpViews: BindingViews = {
  protocol: 'mcp',
  delivers({ mode, kind, origin, method, content }) {
    if (mode.endsWith('_client')) return kind === 'response' && origin === 'agent';
    if (kind !== 'response' || origin !== 'attacker') return false;
    const instructed =
      method === 'initialize' && isValueMap(content) && typeof content.instructions === 'string';
    return instructed || lists.has(method);
  },
  engages({ mode, kind, origin, method }) {
    if (mode.endsWith('_client')) return kind === 'response' && origin === 'agent';
    return kind === 'response' && origin === 'attacker' && uses.has(method);
  },
  undelivered: { server: 'never fetched the tools, resources or prompts of', client: 'never answered' },
};
