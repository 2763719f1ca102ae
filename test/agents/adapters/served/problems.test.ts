import { describe, expect, test } from 'vitest';
import { checkA2aTarget } from '../../../../src/agents/adapters/a2a-agent.ts';
import { checkAgUiTarget } from '../../../../src/agents/adapters/ag-ui-agent.ts';
import { checkHttpTarget } from '../../../../src/agents/adapters/http-agent.ts';
import type { HttpTarget, ServedTarget, Start } from '../../../../src/agents/adapters/targets.ts';

const http = 'http://127.0.0.1:9/';

describe('problem checks of served targets', () => {
  const served: ServedTarget = {
    headers: {
      authorization: 'Bearer {{env.TOKEN}}',
      'x-run': '{{ run }}',
      'x-mcp': '{{actors.mail-1.url}}',
    },
    start: {
      command: 'node server.mjs --port "{{env.PORT}}"',
      env: { A: '{{env.A}}' },
      health: http,
      timeout: '1m',
    },
    configure: {
      url: http,
      method: 'PATCH',
      headers: { a: '{{run}}' },
      body: { a: ['{{mcp_config}}', '{{a2a_cards}}'] },
    },
  };
  test.each([
    ['agUi', checkAgUiTarget({ agUi: http, ...served })],
    ['a2a', checkA2aTarget({ a2a: 'grpc://127.0.0.1:9', ...served })],
    [
      'http',
      checkHttpTarget({
        http,
        ...served,
        method: 'PUT',
        answer: '$..text',
        body: [{ a: '{{input}} {{thread}}' }],
      }),
    ],
    ['http with a thread header', checkHttpTarget({ http, headers: { 'x-thread': '{{thread}}' } })],
  ])('accept a valid target: %s', (_, problem) => {
    expect(problem).toBeUndefined();
  });
});

describe('checkHttpTarget', () => {
  const start = (fields: Partial<Start>) => ({ start: { command: 'node x', ...fields } });
  test.each<[Partial<HttpTarget>, RegExp]>([
    [{ http: 'nowhere' }, /^http: "nowhere" is no http:\/\/ or https:\/\/ URL$/],
    [{ http: 'ftp://me:planted@a/' }, /^http: "ftp:\/\/a\/" is no/],
    [{ http: 'http://a/{{env.PATH}}' }, /^http: a URL cannot have placeholders/],
    [{ method: 'GET' as never }, /^method: "GET" is not one of POST, PUT, PATCH$/],
    [{ body: { a: 'hello' } }, /^body: it has none of \{\{prompt\}\}/],
    [
      { body: { a: '{{promt}}' } },
      /^body: \{\{promt\}\} has no value here; known: \{\{prompt\}\}, .*\{\{env\.NAME\}\}$/,
    ],
    [{ body: ['{{prompt}}', { b: '{{actors.a b.url}}' }] }, /^body: \{\{actors\.a b\.url\}\}/],
    [{ answer: 'text' }, /^answer: "text" is not an RFC 9535 path such as \$\.answer/],
    [{ headers: { 'a b': 'c' } }, /^headers: "a b" is not the name of a header$/],
    [{ headers: { a: 'planted\nline' } }, /^headers\.a: its value cannot be sent in a header/],
    [{ headers: { 'Content-Length': '1' } }, /^headers\.Content-Length: the HTTP client sets/],
    [{ headers: { a: '{{prompt}}' } }, /^headers\.a: \{\{prompt\}\} has no value here/],
    [start({ command: 'node x | tee' }), /^start\.command: "\|" needs a shell/],
    [start({ command: ' ' }), /^start\.command: there is no program in it$/],
    [start({ command: [] }), /^start\.command: there is no program in it$/],
    [start({ command: 'node {{mcp_config}}' }), /^start\.command: \{\{mcp_config\}\} .*known: \{\{env\.NAME\}\}$/],
    [start({ env: { URL: '{{run}}' } }), /^start\.env\.URL: \{\{run\}\}/],
    [start({ health: '/health' }), /^start\.health: "\/health" is no/],
    [start({ timeout: 'soon' }), /^start\.timeout: "soon" is not a duration; write 30s/],
    [start({ timeout: '0s' }), /^start\.timeout: it must be longer than zero/],
    [{ configure: { url: 'x' } }, /^configure\.url: "x" is no/],
    [{ configure: { url: http, headers: { a: '{{thread}}' } } }, /^configure\.headers\.a: \{\{thread\}\}/],
    [{ configure: { url: http, body: '{{prompt}}' } }, /^configure\.body: \{\{prompt\}\}/],
    [{ configure: { url: http, method: 'DELETE' as never } }, /^configure\.method: "DELETE"/],
  ])('names what is wrong in %j, without its secrets', (fields, expected) => {
    const problem = checkHttpTarget({ http, ...fields });
    expect(problem).toMatch(expected);
    expect(problem).not.toContain('planted');
  });

  test('names what is wrong like checkAgUiTarget and checkA2aTarget', () => {
    expect(checkAgUiTarget({ agUi: 'grpc://a' })).toMatch(/^agUi: /);
    expect(checkAgUiTarget({ agUi: http, headers: { a: '{{thread}}' } })).toMatch(/^headers\.a: \{\{thread\}\}/);
    expect(checkA2aTarget({ a2a: 'a' })).toMatch(/^a2a: .*grpc/);
  });
});
