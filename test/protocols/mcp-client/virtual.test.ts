import { describe, expect, test } from 'vitest';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import { evaluateTrace, type Value } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playVirtually, type VirtualRun } from '../../support/virtual-run.ts';

// A client on a virtual clock; the test plays the server.

const does = (...methods: string[]) => ({
  actions: methods.map((method) => ({ method, params: { method } })),
});
const phased = (...phases: object[]): NormalizedDocument => documentWith({ execution: { mode: 'mcp_client', phases } });

/** Methods that went out, in order. */
const sent = (virtual: VirtualRun): (string | undefined)[] => virtual.peer().sent.map(({ method }) => method);

/** Answers the open handshake. */
async function connected(document: NormalizedDocument, limits = {}): Promise<VirtualRun> {
  const virtual = await playVirtually(document, limits);
  virtual.peer().reply('default-1', { protocolVersion: '2025-11-25' });
  return virtual;
}

const codes = async (virtual: VirtualRun): Promise<string[]> => {
  virtual.run.stop();
  return (await virtual.end()).diagnostics.map(({ code }) => code);
};

describe('the handshake of our MCP client', () => {
  test('comes first, and nothing else goes out before it is answered', async () => {
    const virtual = await playVirtually(phased({ state: does('tools/list') }));
    expect(sent(virtual)).toEqual(['initialize']);
    virtual.peer().reply('default-1', {});
    expect(sent(virtual)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
  });
  test('happens once, whatever client_info later phases have', async () => {
    const virtual = await connected(
      phased(
        { state: does('a'), trigger: { event: 'a' } },
        { state: { ...does('b'), client_info: { name: 'other' } } },
      ),
    );
    virtual.peer().reply('default-2', {});
    expect(sent(virtual)).toEqual(['initialize', 'notifications/initialized', 'a', 'b']);
  });
  test('counts as the event initialize when it is answered', async () => {
    const virtual = await connected(phased({ state: does('a'), trigger: { event: 'initialize' } }, {}));
    expect(virtual.phases()).toEqual(['phase-1', 'phase-2']);
  });
  test('is followed by entry actions, and then by the actions of the state', async () => {
    const virtual = await connected(
      phased({ state: does('a'), on_enter: [{ send: { method: 'notifications/roots/list_changed' } }] }),
    );
    expect(sent(virtual)).toEqual(['initialize', 'notifications/initialized', 'notifications/roots/list_changed', 'a']);
  });
});

describe('answers to our MCP client', () => {
  test('are recorded with the method, id and params of their request', async () => {
    const virtual = await connected(phased({ state: does('tools/call') }));
    virtual.peer().reply('default-2', { content: [] });
    expect(virtual.messages().slice(-2)).toMatchObject([
      { kind: 'request', origin: 'attacker', method: 'tools/call', id: 'default-2' },
      {
        kind: 'response',
        origin: 'agent',
        method: 'tools/call',
        id: 'default-2',
        content: { content: [] },
        request: { method: 'tools/call' },
      },
    ]);
  });
  test('belong to actions that have no params on the wire if the document writes none', async () => {
    const virtual = await connected(phased({ state: { actions: [{ method: 'tools/list' }] } }));
    // The virtual peer shows missing params as null.
    expect(virtual.peer().calls().at(-1)).toBeNull();
    expect(virtual.messages().at(-1)).toMatchObject({ method: 'tools/list', content: {} });
  });
  test('let the next call go out', async () => {
    const virtual = await connected(phased({ state: does('a', 'b') }));
    expect(sent(virtual).slice(2)).toEqual(['a']);
    virtual.peer().reply('default-2', {});
    expect(sent(virtual).slice(2)).toEqual(['a', 'b']);
  });
  test('are events also if they are errors', async () => {
    const virtual = await connected(phased({ state: does('a', 'b'), trigger: { event: 'b' } }, {}));
    for (const ask of ['default-2', 'default-3'])
      virtual.peer().deliver({
        kind: 'answer',
        session: 's1',
        ask,
        answer: { kind: 'error', error: { code: -32601, message: 'no' } },
      });
    expect(virtual.messages().at(-1)).toMatchObject({ method: 'b', content: { code: -32601 } });
    expect(virtual.phases()).toEqual(['phase-1', 'phase-2']);
  });
  test('let triggers see their request under _request', async () => {
    const virtual = await connected(
      phased(
        { state: does('a', 'b'), trigger: { event: 'b', match: { '_request.method': 'b' } } },
        { state: does('c') },
      ),
    );
    virtual.peer().reply('default-2', {});
    virtual.peer().reply('default-3', { own: true });
    expect(sent(virtual).at(-1)).toBe('c');
  });
  test('give values that go out with the next request', async () => {
    const virtual = await connected(
      phased({
        state: {
          actions: [
            { method: 'tools/call', params: { name: 'read' } },
            { method: 'tools/call', params: { name: 'send', arguments: { text: 'got {{key}}' } } },
          ],
        },
        extractors: [{ name: 'key', source: 'response', type: 'json_path', selector: '$.content[0].text' }],
      }),
    );
    virtual.peer().reply('default-2', { content: [{ type: 'text', text: 'k-1 {{key}}' }] });
    expect(virtual.peer().calls().at(-1)).toEqual({ name: 'send', arguments: { text: 'got k-1 {{key}}' } });
  });
  test('are recorded but are no event if they answer no request', async () => {
    const virtual = await connected(phased({ state: does('a'), trigger: { event: 'a' } }, {}));
    virtual.peer().reply('default-99', { stray: true });
    expect(virtual.messages().at(-1)).toMatchObject({ method: 'unknown', content: { stray: true } });
    expect([virtual.phases(), sent(virtual).at(-1)]).toEqual([['phase-1'], 'a']);
  });
  test('count only once if the server answers a request twice', async () => {
    const virtual = await connected(
      phased({ state: does('a', 'a'), trigger: { event: 'a', count: 2 } }, { state: does('b') }),
    );
    virtual.peer().reply('default-2', { n: 1 });
    virtual.peer().reply('default-2', { n: 2 });
    expect(virtual.messages().at(-1)).toMatchObject({ method: 'unknown', content: { n: 2 } });
    expect(virtual.phases()).toEqual(['phase-1']);
  });
  test('are matched to two open requests by their ids', async () => {
    const virtual = await connected(
      phased({ state: does('a'), trigger: { event: 'notifications/message' } }, { state: does('b') }),
    );
    virtual.peer().notification('notifications/message', {});
    virtual.peer().reply('default-3', { for: 'b' });
    virtual.peer().reply('default-2', { for: 'a' });
    const responses = virtual.messages().filter(({ kind }) => kind === 'response');
    expect(responses.slice(1).map(({ method, content }) => [method, content])).toEqual([
      ['b', { for: 'b' }],
      ['a', { for: 'a' }],
    ]);
  });
});

describe('timeouts of our MCP client', () => {
  test('give up a call after 30 seconds and send the next', async () => {
    const virtual = await connected(phased({ state: does('a', 'b') }));
    virtual.clock.advance(29_999);
    expect(sent(virtual).at(-1)).toBe('a');
    virtual.clock.advance(1);
    expect(sent(virtual).at(-1)).toBe('b');
    expect(await codes(virtual)).toEqual(['O-102']);
  });
  test('recognize a late answer and count it', async () => {
    const virtual = await connected(phased({ state: does('a', 'b'), trigger: { event: 'a' } }, { state: does('c') }));
    virtual.clock.advance(30_000);
    virtual.peer().reply('default-2', { late: true });
    expect(
      virtual.messages().find(({ kind, content }) => kind === 'response' && 'late' in (content as object)),
    ).toMatchObject({ method: 'a', request: { method: 'a' } });
    expect(sent(virtual).at(-1)).toBe('c');
  });
  const trouble = (virtual: VirtualRun): Value[] =>
    virtual.records.flatMap((record) =>
      record.kind === 'connection' && 'reason' in record ? [record.reason as Value] : [],
    );
  test('are reported as trouble at the end if a call was never answered', async () => {
    const virtual = await connected(phased({ state: does('a', 'b') }));
    virtual.clock.advance(30_000);
    virtual.peer().reply('default-3', {});
    expect((await virtual.end()).reason).toBe('finished');
    expect(trouble(virtual)).toEqual(['a was not answered in time']);
  });
  test('are not reported as trouble if the answer came late', async () => {
    const virtual = await connected(phased({ state: does('a', 'b') }));
    virtual.clock.advance(30_000);
    virtual.peer().reply('default-2', {});
    virtual.peer().reply('default-3', {});
    await virtual.end();
    expect(trouble(virtual)).toEqual([]);
  });
  test('end the run if the server answers nothing at all', async () => {
    const virtual = await playVirtually(phased({ state: does('a', 'b', 'c', 'd', 'e') }));
    expect((await virtual.end()).reason).toBe('session_limit');
  });
  test('leave a broken connection reported as trouble, and the next call is tried', async () => {
    const virtual = await connected(phased({ state: does('a', 'b') }));
    virtual.peer().deliver({ kind: 'end', session: 's1', ask: 'default-2', reason: 'it died' });
    expect(sent(virtual).at(-1)).toBe('b');
    expect(trouble(virtual)).toEqual(['it died']);
  });
});

describe('phases of our MCP client', () => {
  test('drop the actions that are left when the trigger fires (O-110)', async () => {
    const virtual = await connected(
      phased({ state: does('a', 'b', 'c'), trigger: { event: 'a' } }, { state: does('d') }),
    );
    virtual.peer().reply('default-2', {});
    expect(sent(virtual).slice(2)).toEqual(['a', 'd']);
    expect(await codes(virtual)).toEqual(['O-110']);
  });
  test('let as many calls through as the trigger counts', async () => {
    const virtual = await connected(
      phased({ state: does('a', 'a', 'a'), trigger: { event: 'a', count: 2 } }, { state: does('d') }),
    );
    virtual.peer().reply('default-2', {});
    virtual.peer().reply('default-3', {});
    expect(sent(virtual).slice(2)).toEqual(['a', 'a', 'd']);
  });
  test('send the actions of the next phase at once, even if a call is open', async () => {
    const virtual = await connected(phased({ state: does('a', 'b'), trigger: { after: '1s' } }, { state: does('c') }));
    virtual.clock.advance(1_000);
    expect(sent(virtual).slice(2)).toEqual(['a', 'c']);
  });
  test('send nothing if they have no state of their own', async () => {
    const virtual = await connected(phased({ state: does('a'), trigger: { event: 'a' } }, {}));
    virtual.peer().reply('default-2', {});
    expect(sent(virtual).slice(2)).toEqual(['a']);
    expect((await virtual.end()).reason).toBe('finished');
  });
});

describe('messages that the MCP server begins', () => {
  test('are answered from the state in force, recorded, and count as events', async () => {
    const virtual = await connected(
      phased(
        {
          state: { ...does('a'), elicitation_responses: [{ content: { who: '{{request.message}}' } }] },
          trigger: { event: 'elicitation/create' },
        },
        { state: { ...does('b'), elicitation_responses: [{ action: 'cancel' }] } },
      ),
    );
    expect(virtual.peer().request('elicitation/create', { message: 'you?' })).toEqual({
      action: 'accept',
      content: { who: 'you?' },
    });
    expect(virtual.phases()).toEqual(['phase-1', 'phase-2']);
    expect(virtual.peer().request('elicitation/create', {})).toEqual({ action: 'cancel' });
  });
  test('get an error if the state has no answer', async () => {
    const virtual = await connected(phased({ state: does('a') }));
    expect(virtual.peer().request('sampling/createMessage', {})).toMatchObject({ code: -32601 });
  });
  test('are events and can be extracted from if they are notifications', async () => {
    const virtual = await connected(
      phased(
        {
          state: does('a'),
          extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.data' }],
          trigger: { event: 'notifications/message', match: { level: 'info' } },
        },
        { state: { actions: [{ method: 'b', params: { said: '{{said}}' } }] } },
      ),
    );
    virtual.peer().notification('notifications/message', { level: 'debug', data: 'x' });
    virtual.peer().notification('notifications/message', { level: 'info', data: 'y' });
    expect(virtual.peer().calls().at(-1)).toEqual({ said: 'y' });
  });
  test('end the run as a flood if there are too many', async () => {
    const virtual = await connected(phased({ state: does('a') }), { records: 50 });
    for (let count = 0; count < 100; count++) virtual.peer().notification('notifications/message', {});
    expect((await virtual.end()).reason).toBe('flood');
  });
  test('are recorded as a log if they come on the standard error of a program', async () => {
    const virtual = await connected(phased({ state: does('a') }));
    virtual.peer().deliver({ kind: 'log', session: 's1', level: 'info', message: 'ready' });
    expect(virtual.records.at(-1)).toMatchObject({ kind: 'log', phase: 'phase-1', message: 'ready' });
  });
});

describe('the verdict on an MCP server', () => {
  const judged = documentWith({
    execution: { mode: 'mcp_client', state: does('tools/call') },
    indicators: [
      {
        surface: 'tools/call',
        direction: 'response',
        target: 'leak',
        expression: { cel: 'message._request.method == "tools/call" && message.leak == "k"' },
      },
    ],
  });
  const outcome = async (virtual: VirtualRun) => {
    const { reason } = await virtual.end();
    const end = { kind: 'end', reason, demand: 'payload', skipped: [] } as const;
    const last = { seq: virtual.records.length, timestamp: '', ...end };
    return evaluateTrace(judged, [...virtual.records, last]);
  };

  test.each<[string, (virtual: VirtualRun) => void, object]>([
    [
      'is exploited if the server leaks',
      (virtual) => virtual.peer().reply('default-2', { leak: 'k' }),
      { outcome: 'exploited' },
    ],
    [
      'is resisted if the server answers without a leak',
      (virtual) => virtual.peer().reply('default-2', { content: [], leak: '' }),
      { outcome: 'resisted' },
    ],
    [
      'is inconclusive if the server dies',
      (virtual) => virtual.peer().deliver({ kind: 'end', session: 's1', ask: 'default-2', reason: 'it died' }),
      { outcome: 'inconclusive', reason: expect.stringContaining('it died') },
    ],
    [
      'is inconclusive if the server never answers',
      () => {},
      { outcome: 'inconclusive', reason: expect.stringContaining('not answered in time') },
    ],
  ])('%s', async (_what, act, expected) => {
    const virtual = await connected(judged);
    act(virtual);
    expect(await outcome(virtual)).toMatchObject(expected);
  });
});
