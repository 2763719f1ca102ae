import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { anthropicModel } from '../../../src/built-in/llm/anthropic.ts';
import type { Pause } from '../../../src/built-in/llm/ask-service.ts';
import { openAiModel } from '../../../src/built-in/llm/open-ai.ts';
import type { Model } from '../../../src/built-in/model.ts';
import { anthropicEvents, openAiEvents, type Reply, scriptedService } from './scripted-service.ts';

// One service on loopback speaks both APIs, and fails in every documented way and in some others.

const key = 'sk-planted-0815-echo';
const apis = [
  {
    api: 'openai',
    make: openAiModel,
    events: openAiEvents,
    error: { error: { message: 'upstream is gone', type: 'server_error' } },
    cutOff: 'length',
    refused: 'content_filter',
    isDone: (event: unknown) => event === '[DONE]' || JSON.stringify(event).includes('finish_reason'),
  },
  {
    api: 'anthropic',
    make: anthropicModel,
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

describe.each(apis)('$api', (row) => {
  const { events, error, cutOff, refused, isDone } = row;
  const says = (text: string): Reply => ({ events: events({ text }) });

  describe('is asked again', () => {
    test.each([429, 500, 502, 503, 529])('after HTTP %d', async (status) => {
      const busy = { status, body: JSON.stringify(error) };
      const { service, model } = await start([busy, says('hi')], row);
      expect([(await ask(model)).text, service.asked.length]).toEqual(['hi', 2]);
    });

    test.each([
      ['so many seconds', '7', 7_000],
      ['no time at all', '0', 0],
      ['too long', '3600', 30_000],
      ['a date far away', 'Fri, 31 Dec 2100 23:59:59 GMT', 30_000],
      ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
      ['what is neither', 'soon', 500],
    ])('after HTTP 429 and %s', async (_, retryAfter, expected) => {
      const busy = { status: 429, headers: { 'retry-after': retryAfter } };
      const { pauses, model } = await start([busy, says('hi')], row);
      await ask(model);
      expect(pauses).toEqual([expected]);
    });

    test('when the connection breaks before an answer, and no more than five times', async () => {
      const { service, model } = await start([{ write: (response) => response.destroy() }], row);
      expect(await failureOf(model)).toMatch(
        /^127\.0\.0\.1:\d+: other side closed$|the connection was reset/,
      );
      expect(service.asked).toHaveLength(5);
    });

    test('when nothing listens, a little later each time', async () => {
      const { service, pauses, model } = await start([], row);
      await service.close();
      expect(await failureOf(model)).toMatch(/^nothing listens at 127\.0\.0\.1:\d+$/);
      expect(pauses).toEqual([500, 1_000, 2_000, 4_000]);
    });
  });

  describe('is asked once', () => {
    test.each([400, 401, 403, 404, 413, 422])('and tells why after HTTP %d', async (status) => {
      const { service, model } = await start([{ status, body: JSON.stringify(error) }], row);
      expect(await failureOf(model)).toMatch(new RegExp(`answered HTTP ${status}: upstream is gone$`));
      expect(service.asked).toHaveLength(1);
    });

    test('and is not followed elsewhere', async () => {
      const elsewhere = await scriptedService([says('gotcha')]);
      const redirect = { status: 307, headers: { location: elsewhere.url } };
      const { service, model } = await start([redirect], row);
      expect(await failureOf(model)).toMatch(/HTTP 307 and points somewhere else, which is not followed$/);
      expect([service.asked.length, elsewhere.asked.length]).toEqual([1, 0]);
    });
  });

  describe('the key', () => {
    test.each<[string, (key: string) => Reply]>([
      [
        'in a refusal',
        (text) => ({ status: 401, body: JSON.stringify({ error: { message: `bad ${text}` } }) }),
      ],
      ['in a refusal that is no JSON', (text) => ({ status: 403, body: `<h1>${text}</h1>` })],
      [
        'in an error within the stream',
        (text) => ({ events: [{ type: 'error', error: { message: text } }] }),
      ],
      ['in an event that is not JSON', (text) => ({ events: [`{"oops: ${text}`] })],
    ])('is not repeated when it comes back %s', async (_, reply) => {
      const { service, model } = await start([reply(key)], row);
      expect(await failureOf(model)).toContain('******');
      expect(service.asked).toHaveLength(1);
    });
  });

  describe('a stream', () => {
    const half = events({ text: 'half' }).slice(0, 4);

    test('that ends with an error is an error, whatever came before', async () => {
      const { service, model } = await start([{ events: [...half, error] }], row);
      expect(await failureOf(model)).toBe('upstream is gone');
      expect(service.asked).toHaveLength(1);
    });

    test('with an empty error is still an error', async () => {
      const { model } = await start([{ events: [...half, { type: 'error', error: {} }] }], row);
      expect(await failureOf(model)).toBe('the model failed');
    });

    test('that breaks off is an error', async () => {
      const { model } = await start([{ events: half, cut: true }], row);
      expect(await failureOf(model)).toMatch(/^the answer of 127\.0\.0\.1:\d+ broke off$/);
    });

    test('that ends before the answer has is an error', async () => {
      const unfinished = events({ text: 'half' }).filter((event) => !isDone(event));
      const { model } = await start([{ events: unfinished }], row);
      expect(await failureOf(model)).toBe('the answer of the model broke off');
    });

    test('that is not JSON is an error', async () => {
      const { model } = await start([{ events: [...half, '<html>'] }], row);
      expect(await failureOf(model)).toBe('the service sent an event that is not JSON: <html>');
    });

    test.each([
      ['one endless event', 'data: ', 'x'.repeat(64 * 1024), /event of more than 4194304 bytes/],
      ['endless events', '', `data: {"pad":"${'x'.repeat(64 * 1024)}"}\n\n`, /longer than 67108864 bytes/],
    ])('of %s is given up', async (_, first, piece, reason) => {
      const write = (response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(first);
        flood(response, piece);
      };
      const { model } = await start([{ write }], row);
      expect(await failureOf(model)).toMatch(reason);
    });

    test('that never continues is left when the run is cancelled', async () => {
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

  test('an endless refusal is read only as far as it is reported', async () => {
    const write = (response: ServerResponse): void => {
      response.writeHead(400);
      flood(response, 'no. '.repeat(16 * 1024));
    };
    const { model } = await start([{ write }], row);
    expect((await failureOf(model)).length).toBeLessThan(1_000);
  });

  test('a service that is slow to answer is left when the run is cancelled', async () => {
    const controller = new AbortController();
    const { service, model } = await start([{ write: () => controller.abort(new Error('enough')) }], row);
    await expect(ask(model, controller.signal)).rejects.toThrow('enough');
    expect(service.asked).toHaveLength(1);
  });

  test('a pause is left, too', async () => {
    const controller = new AbortController();
    const { service } = await start([{ status: 503, headers: { 'retry-after': '30' } }], row);
    const model = row.make({ api: row.api, model: 'm', baseUrl: service.url, key, maxTokens: 1 });
    const asking = ask(model, controller.signal);
    await expect.poll(() => service.asked.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toThrow();
  });

  test('an answer that was cut off is reported as such, and no half-written call is made', async () => {
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

  test('a refusal that says so is an answer', async () => {
    const { model } = await start([{ events: events({ text: 'I will not.', ending: refused }) }], row);
    const { text, cutOff } = await ask(model);
    expect([text, cutOff]).toEqual(['I will not.', undefined]);
  });

  test.each(['', ' \n'])('an empty answer (%j) is reported as such, and counted', async (text) => {
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
  ])('%s in place of a stream is named', async (type, body) => {
    const { service, model } = await start([{ status: 200, body, headers: { 'content-type': type } }], row);
    expect(await failureOf(model)).toMatch(
      new RegExp(`^127\\.0\\.0\\.1:\\d+ answered with ${type.split(';')[0]} instead of an event stream`),
    );
    expect(service.asked).toHaveLength(1);
  });

  test('a port that browsers will not go to is a port like any other', async () => {
    const pause: Pause = async () => {};
    const model = row.make({ api: row.api, model: 'm', baseUrl: 'http://127.0.0.1:1', maxTokens: 1 }, pause);
    expect(await failureOf(model)).toBe('nothing listens at 127.0.0.1:1');
  });
});

test('anthropic: a refusal that leaves the words to us is an answer', async () => {
  const { model } = await start([{ events: anthropicEvents({ ending: 'refusal' }) }], apis[1]);
  const { text, cutOff } = await ask(model);
  expect([text, cutOff]).toEqual(['[The model refused to answer.]', undefined]);
});

describe('openai', () => {
  const [row] = apis;

  test('text that the service has filtered is not an answer of the model', async () => {
    const { model } = await start([{ events: openAiEvents({ ending: 'content_filter' }) }], row);
    expect(await ask(model)).toMatchObject({
      text: '',
      cutOff: 'the model answered with nothing: the service has filtered it',
    });
  });

  test('a refusal in its own field is what the model says', async () => {
    const refusal = { choices: [{ delta: { refusal: 'I cannot help with that.' } }] };
    const { model } = await start([{ events: [refusal, ...openAiEvents({})] }], row);
    expect((await ask(model)).text).toBe('I cannot help with that.');
  });

  test('an answer without choices is none', async () => {
    const events = [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } }, '[DONE]'];
    const { model } = await start([{ events }], row);
    expect(await failureOf(model)).toBe('the service gave no answer: no choices');
  });

  test('an error may be a plain text', async () => {
    const { model } = await start([{ events: [{ error: 'model not loaded' }] }], row);
    expect(await failureOf(model)).toBe('model not loaded');
    const refusing = await start([{ status: 404, body: '{"error":"model not found"}' }], row);
    expect(await failureOf(refusing.model)).toMatch(/HTTP 404: model not found$/);
  });
});
