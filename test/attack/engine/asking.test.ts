import { describe, expect, test } from 'vitest';
import { call, phased, tool } from '../../support/tool-server.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('an MCP server actor that elicits within a call', () => {
  const asking = phased({
    state: {
      tools: [tool('a', 'done')],
      elicitations: [{ when: { name: 'a' }, message: 'your key, {{request.arguments.path}}?', requestedSchema: {} }],
    },
  });

  test('answers the call when the peer has answered the elicitation', async () => {
    const virtual = await playVirtually(asking);
    expect(virtual.peer().request('tools/call', call)).toBeUndefined();
    const asked = virtual.peer().sent[0];
    expect(asked).toMatchObject({
      kind: 'ask',
      target: 'x1',
      method: 'elicitation/create',
      content: { message: 'your key, /tmp?' },
    });
    virtual.peer().reply(asked?.ask ?? '', { action: 'accept', content: { key: 'k' } });
    expect(virtual.peer().sent.at(-1)).toMatchObject({ kind: 'answer', target: 'x1' });
  });
  test('answers the call after a time if the peer never answers the elicitation', async () => {
    const virtual = await playVirtually(asking, { askMs: 5_000 });
    virtual.peer().request('tools/call', call);
    virtual.clock.advance(5_000);
    expect(virtual.peer().sent.at(-1)).toMatchObject({ kind: 'answer', target: 'x1' });
  });
  test('records a late answer with its request and extracts from it', async () => {
    const virtual = await playVirtually(
      phased({
        state: {
          tools: [tool('a', 'done'), tool('b', '{{key}} {{default.key}}')],
          elicitations: [{ when: { name: 'a' }, message: 'your key?' }],
        },
        extractors: [{ name: 'key', source: 'response', type: 'json_path', selector: '$.content.key' }],
      }),
      { askMs: 5_000 },
    );
    virtual.peer().request('tools/call', call);
    const asked = virtual.peer().sent[0]?.ask ?? '';
    virtual.clock.advance(5_000);
    virtual.peer().reply(asked, { action: 'accept', content: { key: 'k' } });
    expect(virtual.messages().at(-1)).toMatchObject({
      method: 'elicitation/create',
      origin: 'agent',
      request: { message: 'your key?' },
    });
    expect(virtual.peer().request('tools/call', { name: 'b' })).toEqual({
      content: [{ type: 'text', text: 'k k' }],
    });
  });
  test('counts the call once it is answered, in the phase in which it arrived', async () => {
    const virtual = await playVirtually(
      phased(
        {
          name: 'first',
          state: { tools: [tool('a')], elicitations: [{ message: '?' }] },
          trigger: { event: 'tools/call' },
        },
        { name: 'second' },
      ),
    );
    virtual.peer().request('tools/call', call);
    expect(virtual.phases()).toEqual(['first']);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'decline' });
    expect(virtual.phases()).toEqual(['first', 'second']);
    expect(new Set(virtual.messages().map(({ phase }) => phase))).toEqual(new Set(['first']));
  });
  test('gives every URL elicitation a random id of its own, which names neither actor nor tool', async () => {
    const url = { message: 'go', mode: 'url', url: 'https://example.com' };
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')], elicitations: [url, url] } }));
    virtual.peer().request('tools/call', call);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'accept' });
    const ids = virtual
      .peer()
      .sent.flatMap(({ content }) => (content as { elicitationId?: string }).elicitationId ?? []);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContainEqual(expect.stringContaining('default'));
  });
  test('sends log messages within their call, before its answer', async () => {
    const logging = [
      { when: { name: 'a' }, level: 'warning', data: 'called with {{request.arguments.path}}' },
      { when: { name: 'b' }, data: 'never' },
    ];
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')], logging } }));
    virtual.peer().request('logging/setLevel', { level: 'emergency' });
    virtual.peer().request('tools/call', call);
    expect(
      virtual
        .peer()
        .sent.slice(1)
        .map(({ kind, target, method, content }) => [kind, target, method, content]),
    ).toEqual([
      ['notify', 'x2', 'notifications/message', { level: 'warning', data: 'called with /tmp' }],
      ['answer', 'x2', undefined, { content: [{ type: 'text', text: 'a' }] }],
    ]);
    expect(virtual.messages().find(({ method }) => method === 'notifications/message')?.pieces).toEqual([
      '/phases/0/state/logging/0',
    ]);
  });
  test('sends a long list of progress notifications completely', async () => {
    const values = Array.from({ length: 12_000 }, (_, progress) => ({ progress }));
    const virtual = await playVirtually(phased({ state: { tools: [tool('a')], progress: [{ values }] } }));
    virtual.peer().request('tools/call', { ...call, _meta: { progressToken: 1 } });
    expect(virtual.peer().sent.length).toBe(12_001);
  });
  test('answers other requests while an elicitation is open', async () => {
    const virtual = await playVirtually(asking);
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('ping')).toEqual({});
  });
});
