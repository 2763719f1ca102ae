import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { BindingViews, Projection, Projector } from '../../model/views.ts';
import { directionOf } from '../../primitives/direction-of.ts';
import { a2aPieces } from './pieces.ts';
import { a2aSigns } from './signs.ts';

const cards = new Set(['agent_card/get', 'agent/getAuthenticatedExtendedCard']);
const messages = new Set(['message/send', 'message/stream']);

export const a2aViews: BindingViews = {
  protocol: 'a2a',
  projector: a2aProjector,
  pieces: a2aPieces,
  signs: a2aSigns,
};

/** Public documents look at a delegated task as if it were a tool call: an agent's name and its arguments. */
function a2aProjector(): Projector {
  const cardNames = new Map<string, string>();
  return {
    add(record) {
      rememberCard(cardNames, record);
      if (record.kind !== 'request' || !messages.has(record.method) || !isValueMap(record.content)) return [];
      const message = record.content.message;
      const cardName = cardNames.get(record.actor);
      const views: [string, Projection['content']][] = [];
      const text = textOfParts(message);
      if (text !== '') views.push(['a2a.task.message', { a2a: { task: { message: text } } }]);
      if (cardName !== undefined) views.push(['name', { name: cardName }]);
      if (message !== undefined) views.push(['arguments', { arguments: message }]);
      const place = {
        record: record.seq,
        protocol: record.protocol,
        direction: directionOf(record),
        ...(record.origin === 'attacker' && { own: true as const }),
      };
      return views.map(([path, content]) => ({ path, content, ...place }));
    },
    finish: () => [],
  };
}

function rememberCard(names: Map<string, string>, { method, kind, actor, content }: MessageRecord): void {
  if (cards.has(method) && kind === 'response' && isValueMap(content) && typeof content.name === 'string')
    names.set(actor, content.name);
}

function textOfParts(message: Value | undefined): string {
  if (!isValueMap(message) || !Array.isArray(message.parts)) return '';
  return message.parts
    .flatMap((part: Value) => (isValueMap(part) && typeof part.text === 'string' ? part.text : []))
    .join('\n');
}
