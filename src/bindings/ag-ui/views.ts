import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { BindingViews, Projection, Projector } from '../../model/views.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: assistantText,
  delivers: ({ origin }) => origin === 'agent',
  undelivered: { server: 'never answered', client: 'never answered' },
};

interface Unfinished {
  text: string;
  record: number;
}

/** The assistant's text, put together from its deltas: one projection per finished message. */
function assistantText(): Projector {
  const unfinished = new Map<string, Unfinished>();

  function append(record: MessageRecord, delta: Value | undefined): void {
    const key = keyOf(record);
    const before = unfinished.get(key)?.text ?? '';
    if (typeof delta === 'string') unfinished.set(key, { text: before + delta, record: record.seq });
  }

  function complete(key: string): Projection[] {
    const message = unfinished.get(key);
    unfinished.delete(key);
    if (message === undefined || message.text === '') return [];
    return [
      {
        path: 'response.content',
        content: { response: { content: message.text } },
        record: message.record,
        direction: 'response',
        anyProtocol: true,
      },
    ];
  }

  const completeAll = (): Projection[] => [...unfinished.keys()].flatMap(complete);

  return {
    add(record) {
      if (record.origin !== 'agent' || !isValueMap(record.content)) return [];
      switch (record.method) {
        case 'text_message_content':
          append(record, record.content.delta);
          return [];
        case 'text_message_chunk': {
          // A chunk with a new id ends the message before it; there is no end event.
          const others = [...unfinished.keys()].filter((key) => key !== keyOf(record));
          append(record, record.content.delta);
          return others.flatMap(complete);
        }
        case 'text_message_end':
          return complete(keyOf(record));
        case 'run_finished':
        case 'run_error':
          return completeAll();
        default:
          return [];
      }
    },
    finish: completeAll,
  };
}

function keyOf({ actor, content }: MessageRecord): string {
  const id = isValueMap(content) ? content.messageId : undefined;
  return `${actor} ${typeof id === 'string' ? id : ''}`;
}
