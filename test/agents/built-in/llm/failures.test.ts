import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createAnthropicModel } from '../../../../src/agents/built-in/llm/anthropic.ts';
import type { Pause } from '../../../../src/agents/built-in/llm/ask-service.ts';
import { createOpenAiModel } from '../../../../src/agents/built-in/llm/open-ai.ts';
import type { Model } from '../../../../src/agents/built-in/model.ts';
import { anthropicEvents, openAiEvents, type Reply, scriptedService } from './scripted-service.ts';

// One service on loopback speaks both APIs, and fails in every documented way and in some others.

const key = 'sk-planted-0815-echo';
const apis = [
  {
    api: 'openai',
    make: createOpenAiModel,
    events: openAiEvents,
    error: { error: { message: 'upstream is gone', type: 'server_error' } },
    cutOff: 'length',
    refused: 'content_filter',
    isDone: (event: unknown) => event === '[DONE]' || JSON.stringify(event).includes('finish_reason'),
  },
  {
    api: 'anthropic',
    make: createAnthropicModel,
    events: anthropicEvents,
    error: { type: 'error', error: { type: 'overloaded_error', message: 'upstream is gone' } },
    cutOff: 'max_tokens',
    refused: 'refusal',
    isDone: (event: unknown) => /message_stop|stop_reason/.test(JSON.stringify(event)),
  },
] as const;

async function start(replies: readonly Reply[], { api, make }: Pick<(typeof apis)[number], 'api' | 'make'>) {
  const service = await scriptedService(replies);
  const pauses: number[] = [];
  const pause: Pause = async (milliseconds) => {
    pauses.push(milliseconds);
  };
  const settings = { api, model: 'm', baseUrl: service.url, key, maxTokens: 100 };
  return { service, pauses, model: make(settings, pause) };
}

const ask = (model: Model, signal?: AbortSignal) =>
  model.complete({ system: 's', messages: [{ role: 'user', content: 'hello' }], tools: [], signal });

const failureOf = async (model: Model): Promise<string> => {
  const thrown = await ask(model).then(
    (output) => `no failure, but ${JSON.stringify(output)}`,
    (error: Error) => `${error.message}\n${error.stack}`,
  );
  expect(thrown).not.toContain(key);
  return thrown.split('\n', 1)[0] ?? '';
};

const flood = (response: ServerResponse, piece: string): void => {
  const more = (): void => {
    while (response.write(piece));
  };
  response.on('drain', more);
  more();
};

describe.each(apis)('LLM client, $api API', (row) => {
  const { events, error, cutOff, refused, isDone } = row;
  const says = (text: string): Reply => ({ events: events({ text }) });

  describe('asks again', () => {
    test.each([429, 500, 502, 503, 529])('after HTTP %d', async (status) => {
      const busy = { status, body: JSON.stringify(error) };
      const { service, model } = await start([busy, says('hi')], row);
      expect([(await ask(model)).text, service.asked.length]).toEqual(['hi', 2]);
    });

    test.each([
      ['a number of seconds', '7', 7_000],
      ['zero seconds', '0', 0],
      ['too many seconds', '3600', 30_000],
      ['a date far in the future', 'Fri, 31 Dec 2100 23:59:59 GMT', 30_000],
      ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
      ['a word that is no time', 'soon', 500],
    ])('after HTTP 429, waiting as Retry-After says with %s', async (_, retryAfter, expected) => {
      const busy = { status: 429, headers: { 'retry-after': retryAfter } };
      const { pauses, model } = await start([busy, says('hi')], row);
      await ask(model);
      expect(pauses).toEqual([expected]);
    });

    test('when the connection breaks before an answer, five times at most', async () => {
      const { service, model } = await start([{ write: (response) => response.destroy() }], row);
      expect(await failureOf(model)).toMatch(/^127\.0\.0\.1:\d+: other side closed$|the connection was reset/);
      expect(service.asked).toHaveLength(5);
    });

    test('when nothing listens, with a longer pause each time', async () => {
      const { service, pauses, model } = await start([], row);
      await service.close();
      expect(await failureOf(model)).toMatch(/^nothing listens at 127\.0\.0\.1:\d+$/);
      expect(pauses).toEqual([500, 1_000, 2_000, 4_000]);
    });
  });

  describe('does not ask again', () => {
    test.each([400, 401, 403, 404, 413, 422])('after HTTP %d, and gives the reason', async (status) => {
      const { service, model } = await start([{ status, body: JSON.stringify(error) }], row);
      expect(await failureOf(model)).toMatch(new RegExp(`answered HTTP ${status}: upstream is gone$`));
      expect(service.asked).toHaveLength(1);
    });

    test('at the address of a redirect', async () => {
      const elsewhere = await scriptedService([says('gotcha')]);
      const redirect = { status: 307, headers: { location: elsewhere.url } };
      const { service, model } = await start([redirect], row);
      expect(await failureOf(model)).toMatch(/HTTP 307 and points somewhere else, which is not followed$/);
      expect([service.asked.length, elsewhere.asked.length]).toEqual([1, 0]);
    });
  });

  describe('masks the key', () => {
    test.each<[string, (key: string) => Reply]>([
      ['in a refusal', (text) => ({ status: 401, body: JSON.stringify({ error: { message: `bad ${text}` } }) })],
      ['in a refusal that is not JSON', (text) => ({ status: 403, body: `<h1>${text}</h1>` })],
      ['in an error within the stream', (text) => ({ events: [{ type: 'error', error: { message: text } }] })],
      ['in an event that is not JSON', (text) => ({ events: [`{"oops: ${text}`] })],
    ])('when the service repeats it %s', async (_, reply) => {
      const { service, model } = await start([reply(key)], row);
      expect(await failureOf(model)).toContain('******');
      expect(service.asked).toHaveLength(1);
    });
  });

  describe('fails on a stream', () => {
    const half = events({ text: 'half' }).slice(0, 4);

    test('that ends with an error after some text', async () => {
      const { service, model } = await start([{ events: [...half, error] }], row);
      expect(await failureOf(model)).toBe('upstream is gone');
      expect(service.asked).toHaveLength(1);
    });

    test('that has an empty error', async () => {
      const { model } = await start([{ events: [...half, { type: 'error', error: {} }] }], row);
      expect(await failureOf(model)).toBe('the model failed');
    });

    test('that ends in the middle', async () => {
      const { model } = await start([{ events: half, cut: true }], row);
      expect(await failureOf(model)).toMatch(/^the answer of 127\.0\.0\.1:\d+ broke off$/);
    });

    test('that ends before the answer does', async () => {
      const unfinished = events({ text: 'half' }).filter((event) => !isDone(event));
      const { model } = await start([{ events: unfinished }], row);
      expect(await failureOf(model)).toBe('the answer of the model broke off');
    });

    test('that has an event which is not JSON', async () => {
      const { model } = await start([{ events: [...half, '<html>'] }], row);
      expect(await failureOf(model)).toBe('the service sent an event that is not JSON: <html>');
    });

    test.each([
      ['with an endless event', 'data: ', 'x'.repeat(64 * 1024), /event of more than 4194304 bytes/],
      ['with endless events', '', `data: {"pad":"${'x'.repeat(64 * 1024)}"}\n\n`, /longer than 67108864 bytes/],
    ])('%s', async (_, first, piece, reason) => {
      const write = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(first);
        flood(response, piece);
      };
      const { model } = await start([{ write }], row);
      expect(await failureOf(model)).toMatch(reason);
    });

    test('that stalls, as soon as the run is cancelled', async () => {
      const controller = new AbortController();
      const write = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(half[0])}\n\n`);
        controller.abort(new Error('enough'));
      };
      const { model, pauses } = await start([{ write }], row);
      await expect(ask(model, controller.signal)).rejects.toThrow('enough');
      expect(pauses).toEqual([]);
    });
  });

  test('reads an endless refusal only as far as it is reported', async () => {
    const write = (response: ServerResponse): void => {
      response.writeHead(400);
      flood(response, 'no. '.repeat(16 * 1024));
    };
    const { model } = await start([{ write }], row);
    expect((await failureOf(model)).length).toBeLessThan(1_000);
  });

  test('stops waiting for a slow service when the run is cancelled', async () => {
    const controller = new AbortController();
    const { service, model } = await start([{ write: () => controller.abort(new Error('enough')) }], row);
    await expect(ask(model, controller.signal)).rejects.toThrow('enough');
    expect(service.asked).toHaveLength(1);
  });

  test('stops pausing when the run is cancelled', async () => {
    const controller = new AbortController();
    const { service } = await start([{ status: 503, headers: { 'retry-after': '30' } }], row);
    const model = row.make({ api: row.api, model: 'm', baseUrl: service.url, key, maxTokens: 1 });
    const asking = ask(model, controller.signal);
    await expect.poll(() => service.asked.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toThrow();
  });

  test('reports an answer that was cut off, and drops the unfinished tool call', async () => {
    const calls = [{ id: 'c', name: 'pay', args: '{"amount": 1' }];
    const reply = { events: events({ text: 'I will', calls, ending: cutOff }) };
    const { model } = await start([reply], row);
    expect(await ask(model)).toEqual({
      text: 'I will',
      toolCalls: [],
      usage: { inputTokens: 11, outputTokens: 7 },
      cutOff: 'the answer of the model was cut off, it may have 100 tokens',
    });
  });

  test('returns a refusal by the model as its answer', async () => {
    const { model } = await start([{ events: events({ text: 'I will not.', ending: refused }) }], row);
    const { text, cutOff } = await ask(model);
    expect([text, cutOff]).toEqual(['I will not.', undefined]);
  });

  test.each(['', ' \n'])('reports an empty answer (%j) and counts its tokens', async (text) => {
    const { model } = await start([{ events: events({ text }) }], row);
    expect(await ask(model)).toMatchObject({
      toolCalls: [],
      usage: { outputTokens: 7 },
      cutOff: 'the model answered with nothing',
    });
  });

  test.each([
    ['application/json', '{"text":"hi"}'],
    ['application/json; charset=utf-8', '{"error":{"message":"no credit"}}'],
    ['text/html', '<h1>Log in</h1>'],
    ['text/plain', 'come back later'],
  ])('names the content type %s when the service sends no stream', async (type, body) => {
    const { service, model } = await start([{ status: 200, body, headers: { 'content-type': type } }], row);
    expect(await failureOf(model)).toMatch(
      new RegExp(`^127\\.0\\.0\\.1:\\d+ answered with ${type.split(';')[0]} instead of an event stream`),
    );
    expect(service.asked).toHaveLength(1);
  });

  test('asks a service on a port that browsers block', async () => {
    const pause: Pause = async () => {};
    const model = row.make({ api: row.api, model: 'm', baseUrl: 'http://127.0.0.1:1', maxTokens: 1 }, pause);
    expect(await failureOf(model)).toBe('nothing listens at 127.0.0.1:1');
  });
});

test('LLM client, anthropic API: returns a refusal without text as an answer', async () => {
  const { model } = await start([{ events: anthropicEvents({ ending: 'refusal' }) }], apis[1]);
  const { text, cutOff } = await ask(model);
  expect([text, cutOff]).toEqual(['[The model refused to answer.]', undefined]);
});

describe('LLM client, openai API', () => {
  const [row] = apis;

  test('reports text that the service has filtered as no answer', async () => {
    const { model } = await start([{ events: openAiEvents({ ending: 'content_filter' }) }], row);
    expect(await ask(model)).toMatchObject({
      text: '',
      cutOff: 'the model answered with nothing: the service has filtered it',
    });
  });

  test('returns the text of the refusal field as the answer', async () => {
    const refusal = { choices: [{ delta: { refusal: 'I cannot help with that.' } }] };
    const { model } = await start([{ events: [refusal, ...openAiEvents({})] }], row);
    expect((await ask(model)).text).toBe('I cannot help with that.');
  });

  test('fails on an answer without choices', async () => {
    const events = [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } }, '[DONE]'];
    const { model } = await start([{ events }], row);
    expect(await failureOf(model)).toBe('the service gave no answer: no choices');
  });

  test('quotes an error that is a plain string', async () => {
    const { model } = await start([{ events: [{ error: 'model not loaded' }] }], row);
    expect(await failureOf(model)).toBe('model not loaded');
    const refusing = await start([{ status: 404, body: '{"error":"model not found"}' }], row);
    expect(await failureOf(refusing.model)).toMatch(/HTTP 404: model not found$/);
  });
});
