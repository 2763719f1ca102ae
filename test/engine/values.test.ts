import { describe, expect, test } from 'vitest';
import { documentWith } from '../support/records.ts';
import { call, phased, tool } from '../support/tool-server.ts';
import { playVirtually } from '../support/virtual-run.ts';

describe('values', () => {
  test('of a request are there for its own answer', async () => {
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
  test('of an answer are there afterwards', async () => {
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
  test('of a request are taken, whichever side sent it', async () => {
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
  ])('that %s lacks are named in the record of the sent message', async (text, unresolved) => {
    const virtual = await playVirtually(phased({ state: { tools: [tool('a', text)] } }));
    virtual.peer().request('tools/call', call);
    expect(virtual.messages().at(-1)?.unresolved).toEqual(unresolved);
  });
  test('cross from one actor to another', async () => {
    const document = documentWith({
      execution: {
        actors: [
          {
            name: 'reader',
            mode: 'mcp_server',
            phases: [
              {
                state: { tools: [tool('a')] },
                extractors: [
                  { name: 'path', source: 'request', type: 'json_path', selector: '$.arguments.path' },
                ],
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

describe('text of the peer is never a template', () => {
  const document = phased({
    state: { tools: [tool('t-{{said}}', 'here')], progress: [{ values: [{ progress: 1 }] }] },
    extractors: [{ name: 'said', source: 'request', type: 'json_path', selector: '$.arguments.path' }],
  });

  test('in errors', async () => {
    const virtual = await playVirtually(document);
    virtual.peer().request('tools/call', call);
    expect(virtual.peer().request('tools/call', { name: '{{said}}' })).toMatchObject({
      message: 'Unknown tool: {{said}}',
    });
    expect(virtual.peer().request('no/{{said}}')).toMatchObject({ message: 'Method not found: no/{{said}}' });
  });
  test('in progress tokens', async () => {
    const virtual = await playVirtually(document);
    const params = { name: 't-/tmp', arguments: { path: '/tmp' }, _meta: { progressToken: '{{said}}' } };
    expect(virtual.peer().request('tools/call', params)).toMatchObject({ content: [{ text: 'here' }] });
    expect(virtual.peer().sent[0]).toMatchObject({
      kind: 'notify',
      content: { progressToken: '{{said}}', progress: 1 },
    });
  });
});

describe('{{response.…}} sees the answer as it goes out', () => {
  const answering = (content: object) =>
    phased({ state: { tools: [{ name: 'a', responses: [{ content }] }] } });

  test.each([
    [
      'what was filled in',
      { to: '{{request.name}}!', echo: '<{{response.to}}>' },
      { to: 'a!', echo: '<a!>' },
    ],
    [
      'what looks at another part',
      { one: '1{{response.two}}', two: '2{{response.three}}', three: '{{request.name}}' },
      { one: '12a', two: '2a', three: 'a' },
    ],
    ['a list', { list: ['{{request.name}}'], echo: '{{response.list}}' }, { list: ['a'], echo: '["a"]' }],
    ['nothing', { echo: '<{{response.no}}>' }, { echo: '<>' }],
  ])('%s', async (_, content, expected) => {
    const virtual = await playVirtually(answering(content));
    expect(virtual.peer().request('tools/call', call)).toEqual(expected);
  });
});
