import { describe, expect, test } from 'vitest';
import { a2aViews } from '../../../src/attack/bindings/a2a/a2a-views.ts';
import { agUiViews } from '../../../src/attack/bindings/ag-ui/ag-ui-views.ts';
import { mcpViews } from '../../../src/attack/bindings/mcp/mcp-views.ts';
import type { BindingViews } from '../../../src/format/model/binding-views.ts';
import type { MessageRecord } from '../../../src/index.ts';

type Fields = Partial<MessageRecord>;

/** What the agent says in these messages to a client. */
function wordsIn(views: BindingViews, mode: string, messages: readonly Fields[]): readonly string[] {
  const reader = views.createWordsReader?.();
  const base = {
    timestamp: '',
    actor: 'user',
    protocol: views.protocol,
    mode,
    session: 's',
    kind: 'response',
    origin: 'agent',
  };
  const said = messages.flatMap((fields, seq) => reader?.add({ ...base, seq, ...fields } as never) ?? []);
  return [...said, ...(reader?.finish?.() ?? [])].map(({ text }) => text).filter(Boolean);
}

const task = (more: object): Fields => ({ method: 'message/send', content: { id: 't', ...more } as never });
const parts = (...texts: string[]): object => ({ parts: texts.map((text) => ({ kind: 'text', text })) });
const update = (text: string, more: object = {}): Fields => ({
  kind: 'event',
  method: 'message/stream',
  content: { taskId: 't', artifact: { artifactId: 'a', ...parts(text) }, ...more } as never,
});
const event = (method: string, content: object): Fields => ({ kind: 'event', method, content: content as never });

describe('the words of an agent to its user', () => {
  test.each<[title: string, words: readonly string[], views: BindingViews, mode: string, messages: readonly Fields[]]>([
    [
      'over A2A are those of a message',
      ['One.\nTwo.'],
      a2aViews,
      'a2a_client',
      [task({ role: 'agent', ...parts('One.', 'Two.') })],
    ],
    [
      'over A2A are those of a task’s state and artifacts',
      ['Done.\nThe list.'],
      a2aViews,
      'a2a_client',
      [
        task({
          status: { state: 'completed', message: { role: 'agent', ...parts('Done.') } },
          artifacts: [parts('The list.')],
        }),
      ],
    ],
    [
      'over A2A are not those of its user in the history',
      [],
      a2aViews,
      'a2a_client',
      [task({ role: 'user', ...parts('Ask.') }), task({ status: { state: 'completed' }, history: [parts('Ask.')] })],
    ],
    [
      'over A2A are joined from the updates of an artifact',
      ['The l', 'ist.', 'The list.'],
      a2aViews,
      'a2a_client',
      [update('The l'), update('ist.', { append: true, lastChunk: true })],
    ],
    [
      'over A2A are not what it says to a server of ours',
      [],
      a2aViews,
      'a2a_server',
      [task({ role: 'agent', ...parts('One.') })],
    ],
    [
      'over MCP are those of a tool’s result',
      ['One.', 'Two.'],
      mcpViews,
      'mcp_client',
      [
        {
          method: 'tools/call',
          content: {
            content: [{ type: 'text', text: 'One.' }, { type: 'image' }, { type: 'text', text: 'Two.' }],
          } as never,
        },
      ],
    ],
    [
      'over MCP are those of a task’s result',
      ['One.'],
      mcpViews,
      'mcp_client',
      [{ method: 'tasks/get', content: { status: 'completed', result: { content: [{ text: 'One.' }] } } as never }],
    ],
    [
      'over MCP are its questions',
      ['May I?'],
      mcpViews,
      'mcp_client',
      [{ kind: 'request', method: 'elicitation/create', content: { message: 'May I?' } as never }],
    ],
    [
      'over MCP are not its lists',
      [],
      mcpViews,
      'mcp_client',
      [{ method: 'tools/list', content: { tools: [{ description: 'One.' }] } as never }],
    ],
    [
      'over MCP are not what it sends to a server of ours',
      [],
      mcpViews,
      'mcp_server',
      [{ kind: 'request', method: 'tools/call', content: { content: [{ text: 'One.' }] } as never }],
    ],
    [
      'over MCP are not ours',
      [],
      mcpViews,
      'mcp_client',
      [{ origin: 'attacker', method: 'tools/call', content: { content: [{ text: 'One.' }] } as never }],
    ],
    [
      'over AG-UI are joined from the parts of a message',
      ['One, two.'],
      agUiViews,
      'ag_ui_client',
      [
        event('text_message_start', { messageId: 'm', role: 'assistant' }),
        event('text_message_content', { messageId: 'm', delta: 'One, ' }),
        event('text_message_content', { messageId: 'm', delta: 'two.' }),
        event('text_message_end', { messageId: 'm' }),
      ],
    ],
    [
      'over AG-UI count even if the message has no end',
      ['One.'],
      agUiViews,
      'ag_ui_client',
      [event('text_message_content', { messageId: 'm', delta: 'One.' })],
    ],
    [
      'over AG-UI are those of a new message in a snapshot',
      ['One.'],
      agUiViews,
      'ag_ui_client',
      [event('messages_snapshot', { messages: [{ id: 'a', role: 'assistant', content: 'One.' }] })],
    ],
    [
      'over AG-UI are not its calls and thoughts',
      [],
      agUiViews,
      'ag_ui_client',
      [
        event('tool_call_args', { toolCallId: 'c', delta: 'One.' }),
        event('thinking_text_message_content', { delta: 'Two.' }),
      ],
    ],
  ])('%s', (_, words, views, mode, messages) => {
    expect(wordsIn(views, mode, messages)).toEqual(words);
  });
});
