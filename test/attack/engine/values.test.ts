import { describe, expect, test } from 'vitest';
import { documentWith } from '../../support/records.ts';
import { call, phased, tool } from '../../support/tool-server.ts';
import { playVirtually } from '../../support/virtual-run.ts';

describe('an MCP server actor, filling in extracted values', () => {
  test('uses values of a request in its own answer', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'you said {{said}} and {{request.arguments.path}}')] },
        extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
      }),
    );
    expect(virtual.peer().request('tools/call', call)).toEqual({
      content: [{ type: 'text', text: 'you said /tmp and /tmp' }],
    });
  });
  test('uses values of an answer in later answers', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'token=42'), tool('b', 'it was {{token}}')] },
        extractors: [{ name: 'token', source: 'response', type: 'regex', selector: 'token=(\\d+)' }],
      }),
    );
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('tools/call', { name: 'b' })).toEqual({
      content: [{ type: 'text', text: 'it was 42' }],
    });
  });
  test('extracts values from requests of either side', async () => {
    const virtual = await playVirtually(
      phased({
        state: { tools: [tool('a', 'asked {{asked}}')], elicitations: [{ message: 'your key?' }] },
        extractors: [{ name: 'asked', source: 'request', type: 'json_path', selector: '$.message' }],
      }),
    );
    virtual.peer().request('tools/call', call);
    virtual.peer().reply(virtual.peer().sent[0]?.ask ?? '', { action: 'decline' });
    expect(virtual.peer().sent.at(-1)?.content).toEqual({
      content: [{ type: 'text', text: 'asked your key?' }],
    });
  });
  test.each([
    ['{{request.arguments.path}}', undefined],
    ['{{nobody}} and {{request.nothing}}', ['nobody', 'request.nothing']],
  ])('records the values that "%s" lacks in the message: %j', async (text, unresolved) => {
    const virtual = await playVirtually(phased({ state: { tools: [tool('a', text)] } }));
    virtual.peer().request('tools/call', call);
    expect(virtual.messages().at(-1)?.unresolved).toEqual(unresolved);
  });
  test('uses values of one actor in answers of another', async () => {
    const document = documentWith({
      execution: {
        actors: [
          {
            name: 'reader',
            mode: 'mcp_server',
            phases: [
              {
                state: { tools: [tool('a')] },
                extractors: [{ name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
              },
            ],
          },
          {
            name: 'sender',
            mode: 'mcp_server',
            phases: [{ state: { tools: [{ name: 'send', description: 'send {{reader.path}}' }] } }],
          },
        ],
      },
    });
    const virtual = await playVirtually(document);
    const listed = () => virtual.peer('sender').request('tools/list');
    expect(listed()).toEqual({ tools: [{ name: 'send', description: 'send ' }] });
    virtual.peer('reader').request('tools/call', call);
    expect(listed()).toEqual({ tools: [{ name: 'send', description: 'send /tmp' }] });
  });
});

describe('text of the peer, which is never a template', () => {
  const document = phased({
    state: { tools: [tool('t-{{said}}', 'here')], progress: [{ values: [{ progress: 1 }] }] },
    extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
  });

  test('stays as it is in errors', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('tools/call', { name: '{{said}}' })).toMatchObject({
      message: 'Unknown tool: {{said}}',
    });
    expect(virtual.peer().request('no/{{said}}')).toMatchObject({ message: 'Method not found: no/{{said}}' });
  });
  test('stays as it is in progress tokens', async () => {
    const virtual = await playVirtually(document);
    const params = { name: 't-/tmp', arguments: { path: '/tmp' }, _meta: { progressToken: '{{said}}' } };
    expect(virtual.peer().request('tools/call', params)).toMatchObject({ content: [{ text: 'here' }] });
    expect(virtual.peer().sent[0]).toMatchObject({
      kind: 'notify',
      content: { progressToken: '{{said}}', progress: 1 },
    });
  });
});

describe('a template with {{response.…}}', () => {
  const answering = (content: object) => phased({ state: { tools: [{ name: 'a', responses: [{ content }] }] } });

  test.each([
    ['a field that was filled in', { to: '{{request.name}}!', echo: '<{{response.to}}>' }, { to: 'a!', echo: '<a!>' }],
    [
      'a field that refers to another',
      { one: '1{{response.two}}', two: '2{{response.three}}', three: '{{request.name}}' },
      { one: '12a', two: '2a', three: 'a' },
    ],
    ['a list as JSON', { list: ['{{request.name}}'], echo: '{{response.list}}' }, { list: ['a'], echo: '["a"]' }],
    ['an unknown field as nothing', { echo: '<{{response.no}}>' }, { echo: '<>' }],
  ])('shows %s', async (_, content, expected) => {
    const virtual = await playVirtually(answering(content));
    expect(virtual.peer().request('tools/call', call)).toEqual(expected);
  });
});
