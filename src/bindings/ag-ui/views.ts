import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type ValueMap } from '../../model/value.ts';
import type { BindingViews, Projection, Projector } from '../../model/views.ts';
import { agUiPieces } from './pieces.ts';
import { agUiSigns } from './signs.ts';

export const agUiViews: BindingViews = {
  protocol: 'ag_ui',
  projector: assistantText,
  pieces: agUiPieces,
  signs: agUiSigns,
};

/** An assistant's message that is still being streamed, or whose end has not been seen. */
interface Unfinished {
  readonly role: string;
  text: string;
  record: number;
}

/** What a connection is streaming; ids mean something within it only. */
interface Stream {
  readonly messages: Map<string, Unfinished>;
  /** The message that an event without an id belongs to. */
  current: string;
  /** Messages that a snapshot may repeat: what we sent, and what was streamed or told before. */
  readonly known: Set<string>;
}

/** The assistant's text, put together from its deltas: one projection per finished message. */
function assistantText(): Projector {
  const streams = new Map<string, Stream>();

  function streamOf({ actor, session }: MessageRecord): Stream {
    const key = JSON.stringify([actor, session ?? null]);
    let stream = streams.get(key);
    if (stream === undefined) {
      stream = { messages: new Map(), current: '', known: new Set() };
      streams.set(key, stream);
    }
    return stream;
  }

  return {
    add(record) {
      const { content, method, origin } = record;
      if (!isValueMap(content)) return [];
      const stream = streamOf(record);
      if (origin !== 'agent') {
        if (method === 'run_agent_input')
          for (const each of messagesIn(content)) stream.known.add(nameOf(each));
        return [];
      }
      switch (method) {
        case 'text_message_start':
          open(stream, content);
          return [];
        case 'text_message_content':
          append(stream, record.seq, content);
          return [];
        case 'text_message_chunk': {
          // A chunk with a new id ends the message before it; there is no end event.
          const ended = stream.current !== idIn(content, stream) ? completeAll(stream) : [];
          append(stream, record.seq, content);
          return ended;
        }
        case 'text_message_end':
          return complete(stream, idIn(content, stream));
        case 'messages_snapshot':
          return newIn(content, stream, record.seq);
        case 'run_finished':
        case 'run_error':
          return completeAll(stream);
        default:
          return [];
      }
    },
    finish: () => [...streams.values()].flatMap(completeAll),
  };
}

function messagesIn({ messages }: ValueMap): readonly ValueMap[] {
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}

function nameOf({ id, role, content }: ValueMap): string {
  return JSON.stringify(typeof id === 'string' ? id : [role, content]);
}

/** What an agent says by a snapshot in place of a stream: the assistant's messages that nobody has told before. */
function newIn(content: ValueMap, stream: Stream, seq: number): readonly Projection[] {
  return messagesIn(content).flatMap((message) => {
    const name = nameOf(message);
    if (stream.known.has(name) || stream.messages.has(String(message.id))) return [];
    stream.known.add(name);
    const isSaid =
      message.role === 'assistant' && typeof message.content === 'string' && message.content !== '';
    return isSaid ? [assistantSays(message.content as string, seq)] : [];
  });
}

function idIn(content: ValueMap, stream: Stream): string {
  return typeof content.messageId === 'string' ? content.messageId : stream.current;
}

function open(stream: Stream, content: ValueMap): Unfinished {
  const id = idIn(content, stream);
  stream.current = id;
  let message = stream.messages.get(id);
  if (message === undefined) {
    message = { role: typeof content.role === 'string' ? content.role : 'assistant', text: '', record: 0 };
    stream.messages.set(id, message);
  }
  return message;
}

function append(stream: Stream, seq: number, content: ValueMap): void {
  const message = open(stream, content);
  message.record = seq;
  if (typeof content.delta === 'string') message.text += content.delta;
}

function complete(stream: Stream, id: string): Projection[] {
  const message = stream.messages.get(id);
  stream.messages.delete(id);
  stream.known.add(JSON.stringify(id));
  // An agent may stream the user's own words back; those are not its answer.
  if (message === undefined || message.text === '' || message.role !== 'assistant') return [];
  return [assistantSays(message.text, message.record)];
}

function assistantSays(content: string, record: number): Projection {
  return {
    path: 'response.content',
    content: { response: { content } },
    record,
    protocol: 'ag_ui',
    direction: 'response',
    anyProtocol: true,
  };
}

function completeAll(stream: Stream): Projection[] {
  return [...stream.messages.keys()].flatMap((id) => complete(stream, id));
}
