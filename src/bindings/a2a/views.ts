import type { BindingViews } from '../../model/views.ts';
import { a2aEchoes } from './echoes.ts';
import { a2aProjector } from './projector.ts';

const cards = new Set(['agent_card/get', 'agent/getAuthenticatedExtendedCard']);
const messages = new Set(['message/send', 'message/stream']);

export const a2aViews: BindingViews = {
  protocol: 'a2a',
  projector: a2aProjector,
  echoes: a2aEchoes,
  delivers({ mode, kind, origin, method }) {
    if (mode.endsWith('_client')) return origin === 'agent' && (kind === 'response' || kind === 'event');
    return kind === 'response' && origin === 'attacker' && (cards.has(method) || messages.has(method));
  },
  engages({ mode, kind, origin, method }) {
    if (mode.endsWith('_client')) return origin === 'agent' && (kind === 'response' || kind === 'event');
    return kind === 'response' && origin === 'attacker' && messages.has(method);
  },
  undelivered: { server: 'never read the card of, or got an answer from,', client: 'never answered' },
};
