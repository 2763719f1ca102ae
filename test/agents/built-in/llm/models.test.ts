import { describe, expect, test } from 'vitest';
import { createAnthropicModel } from '../../../../src/agents/built-in/llm/anthropic.ts';
import type { Pause } from '../../../../src/agents/built-in/llm/ask-service.ts';
import type { LlmSettings } from '../../../../src/agents/built-in/llm/llm-settings.ts';
import { createOpenAiModel } from '../../../../src/agents/built-in/llm/open-ai.ts';
import type { ChatMessage, Model, OfferedTool } from '../../../../src/agents/built-in/model.ts';
import { anthropicEvents, openAiEvents, type Reply, type ScriptedAnswer, scriptedService } from './scripted-service.ts';

const key = 'sk-planted-0001';
const apis = [
  { api: 'openai', make: createOpenAiModel, events: openAiEvents, path: '/chat/completions' },
  { api: 'anthropic', make: createAnthropicModel, events: anthropicEvents, path: '/v1/messages' },
] as const;

async function start(replies: readonly Reply[], make: typeof createOpenAiModel, api: LlmSettings['api']) {
  const service = await scriptedService(replies);
  const pauses: number[] = [];
  const pause: Pause = async (milliseconds) => {
    pauses.push(milliseconds);
  };
  const settings = { api, model: 'm', baseUrl: service.url, key, maxTokens: 100, temperature: 0.5 } as const;
  return { service, pauses, model: make(settings, pause) };
}

const user: ChatMessage = { role: 'user', content: 'hello' };
const tools: readonly OfferedTool[] = [
  {
    name: 'odd name!',
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
  },
  { name: 'odd name?', description: 'd', inputSchema: true },
];
const ask = (model: Model, messages: readonly ChatMessage[] = [user]) =>
  model.complete({ system: 'be good', messages, tools });

describe.each(apis)('LLM client, $api API', ({ api, make, events, path }) => {
  const says = (said: ScriptedAnswer): Reply => ({ events: events(said) });

  test('posts to the right path with the key only in a header', async () => {
    const { service, model } = await start([says({ text: 'hi' })], make, api);
    await ask(model);
    const [asked] = service.asked;
    expect(asked?.path).toBe(path);
    expect(JSON.stringify(asked?.headers)).toContain(key);
    expect(JSON.stringify(asked?.body)).not.toContain(key);
    expect(asked?.body).toMatchObject({ model: 'm', stream: true, temperature: 0.5 });
  });

  test('joins a streamed text and counts its tokens', async () => {
    const { model } = await start([says({ text: 'good day' })], make, api);
    expect(await ask(model)).toEqual({
      text: 'good day',
      toolCalls: [],
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  test('joins streamed tool calls and restores the tool names of the servers', async () => {
    const calls = [
      { id: 'c1', name: 'odd_name_', args: '{"a":15}' },
      { id: 'c2', name: 'odd_name__2', args: '' },
    ];
    const { model } = await start([says({ calls })], make, api);
    expect((await ask(model)).toolCalls).toEqual([
      { id: 'c1', name: 'odd name!', arguments: { a: 15 } },
      { id: 'c2', name: 'odd name?', arguments: {} },
    ]);
  });

  test.each([
    ['not JSON', '{"a":', { text: '{"a":' }],
    ['not an object', '[1]', { value: [1] }],
  ])('passes on tool arguments that are %s', async (_, args, expected) => {
    const { model } = await start([says({ calls: [{ id: 'c', name: 'odd_name_', args }] })], make, api);
    expect((await ask(model)).toolCalls[0]?.arguments).toEqual(expected);
  });

  test.each([408, 429, 500, 503, 529])('asks again after HTTP %d, with a longer pause each time', async (status) => {
    const { service, pauses, model } = await start([{ status }, { status }, says({ text: 'hi' })], make, api);
    expect([(await ask(model)).text, service.asked.length, pauses]).toEqual(['hi', 3, [500, 1_000]]);
  });

  test('waits as long as Retry-After says', async () => {
    const busy = { status: 429, headers: { 'retry-after': '7' } };
    const { pauses, model } = await start([busy, says({ text: 'hi' })], make, api);
    await ask(model);
    expect(pauses).toEqual([7_000]);
  });

  test('gives up after five attempts', async () => {
    const { service, model } = await start([{ status: 503, body: 'busy' }], make, api);
    await expect(ask(model)).rejects.toThrow(/HTTP 503: busy/);
    expect(service.asked).toHaveLength(5);
  });

  test.each([400, 401, 403, 404, 422])('does not ask again after HTTP %d, and gives the reason', async (status) => {
    const body = JSON.stringify({ error: { message: 'not like that' } });
    const { service, model } = await start([{ status, body }], make, api);
    await expect(ask(model)).rejects.toThrow(`HTTP ${status}: not like that`);
    expect(service.asked).toHaveLength(1);
  });

  test('fails on an error within the stream', async () => {
    const failing = { events: [{ type: 'error', error: { message: 'overloaded' } }] };
    const { model } = await start([failing], make, api);
    await expect(ask(model)).rejects.toThrow('overloaded');
  });

  test('fails on a stream that is not JSON or ends in the middle', async () => {
    const garbled = await start([{ events: ['{nope'] }], make, api);
    await expect(ask(garbled.model)).rejects.toThrow('not JSON');
    const cut = await start([{ events: [...events({ text: 'half' })].slice(0, 2), cut: true }], make, api);
    await expect(ask(cut.model)).rejects.toThrow();
  });

  test('leaves the key out of its errors', async () => {
    const { model } = await start([{ status: 401, body: 'who are you' }], make, api);
    const error = await ask(model).catch((thrown: unknown) => thrown);
    expect(`${String(error)} ${(error as Error).stack}`).not.toContain(key);
  });
});

describe('LLM client, messages on the wire', () => {
  const conversation: readonly ChatMessage[] = [
    user,
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'odd name!', arguments: { a: 1 } }] },
    { role: 'system', content: 'a server asked something' },
    { role: 'tool', toolCallId: 'c1', content: 'done', isError: true },
    { role: 'assistant', content: 'so it is', toolCalls: [{ id: 'c2', name: 'odd name?', arguments: {} }] },
    { role: 'user', content: 'and now?' },
  ];

  test('openai: puts results after their calls and notes after the results, and closes open calls', async () => {
    const { service, model } = await start([{ events: openAiEvents({ text: '' }) }], createOpenAiModel, 'openai');
    await ask(model, conversation);
    expect(service.asked[0]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'system',
      'assistant',
      'tool',
      'user',
    ]);
  });

  test('anthropic: alternates between user and assistant', async () => {
    const { service, model } = await start(
      [{ events: anthropicEvents({ text: '' }) }],
      createAnthropicModel,
      'anthropic',
    );
    await ask(model, conversation);
    const turns = service.asked[0]?.body.messages as { role: string; content: { type: string }[] }[];
    expect(turns.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result', 'text'],
      ['assistant', 'text', 'tool_use'],
      ['user', 'tool_result', 'text'],
    ]);
  });
});

describe('LLM client, invented messages of an attack', () => {
  const call = (id: string, name = 'pay') => ({ id, name, arguments: {} });
  const result = (toolCallId: string, content: string): ChatMessage => ({
    role: 'tool',
    toolCallId,
    content,
  });
  const made = (...ids: string[]): ChatMessage => ({
    role: 'assistant',
    content: '',
    toolCalls: ids.map((id) => call(id)),
  });

  interface Wired {
    readonly role: string;
    readonly content: string;
    readonly tool_calls?: readonly { readonly id: string }[];
    readonly tool_call_id?: string;
  }

  const rows: readonly [string, readonly ChatMessage[], readonly string[]][] = [
    ['a result without a call', [user, result('x', 'forged')], ['user', 'call x', 'x: forged']],
    [
      'a result after another message',
      [made('x'), { role: 'user', content: 'well?' }, result('x', 'late')],
      ['call x', 'x: late', 'user'],
    ],
    [
      'two results of one call',
      [made('x'), result('x', 'first'), result('x', 'second')],
      ['call x', 'x: first', 'call x-2', 'x-2: second'],
    ],
    [
      'a result before its call',
      [result('x', 'early'), made('x')],
      ['call x', 'x: early', 'call x-2', 'x-2: no result'],
    ],
    ['a result without an id', [result('', 'forged')], ['call call-2', 'call-2: forged']],
    [
      'the same call twice',
      [made('x'), result('x', 'one'), made('x'), result('x', 'two')],
      ['call x', 'x: one', 'call x-2', 'x-2: two'],
    ],
    [
      'results in another order',
      [made('x', 'y'), result('y', '2'), { role: 'system', content: 'note' }, result('x', '1')],
      ['call x y', 'x: 1', 'y: 2', 'system'],
    ],
  ];

  test.each(rows)('delivers %s', async (_, messages, expected) => {
    const { service, model } = await start([{ events: openAiEvents({ text: 'hi' }) }], createOpenAiModel, 'openai');
    await ask(model, messages);
    const wired: readonly Wired[] = service.asked[0]?.body.messages.slice(1) ?? [];
    expect(
      wired.map(({ role, content, tool_calls: calls, tool_call_id: id }) =>
        calls !== undefined
          ? `call ${calls.map((each) => each.id).join(' ')}`
          : id === undefined
            ? role
            : `${id}: ${content}`,
      ),
    ).toEqual(expected);
  });

  test('anthropic: puts a user message before a history that begins with the agent', async () => {
    const { service, model } = await start(
      [{ events: anthropicEvents({ text: 'hi' }) }],
      createAnthropicModel,
      'anthropic',
    );
    await ask(model, [result('x', 'forged'), user]);
    const turns = service.asked[0]?.body.messages as { role: string; content: { type: string }[] }[];
    expect(turns.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result', 'text'],
    ]);
    expect(JSON.stringify(turns)).toContain('forged');
  });

  test('gives a call of an unknown tool a name that services accept', async () => {
    const { service, model } = await start([{ events: openAiEvents({ text: 'hi' }) }], createOpenAiModel, 'openai');
    await ask(model, [{ role: 'assistant', content: '', toolCalls: [call('x', 'send money!')] }]);
    expect(service.asked[0]?.body.messages[1].tool_calls[0].function.name).toBe('send_money_');
  });

  test.each<[string, OfferedTool['inputSchema'], object]>([
    [
      'without a type',
      { description: 'poison', properties: { a: { description: 'more' } }, anyOf: [] },
      { type: 'object', description: 'poison', properties: { a: { description: 'more' } }, anyOf: [] },
    ],
    [
      'of another type',
      { type: 'string', description: 'poison' },
      { type: 'object', description: 'poison', properties: {} },
    ],
    ['that is a string', 'poison', { type: 'object', description: 'poison', properties: {} }],
    [
      'whose properties are a list',
      { type: 'object', properties: ['poison'] },
      { type: 'object', description: '["poison"]', properties: {} },
    ],
    ['that is true', true, { type: 'object', properties: {} }],
  ])('keeps the text of a tool schema %s', async (_, inputSchema, expected) => {
    const { service, model } = await start([{ events: openAiEvents({ text: 'hi' }) }], createOpenAiModel, 'openai');
    await model.complete({
      system: 's',
      messages: [user],
      tools: [{ name: 't', description: 'd', inputSchema }],
    });
    expect(service.asked[0]?.body.tools[0].function.parameters).toEqual(expected);
  });
});
