import { describe, expect, test } from 'vitest';
import { createGuard } from '../../../src/attack/transport/http-server/guard.ts';
import { isJsonContentType, readAcceptedTypes } from '../../../src/attack/transport/mcp-server/accepted-types.ts';

const none = { allowedHosts: [], allowedOrigins: [] };

describe('createGuard', () => {
  test.each<[string, string, boolean]>([
    ['127.0.0.1', '127.0.0.1:8080', true],
    ['127.0.0.1', 'localhost:8080', true],
    ['127.0.0.1', 'LOCALHOST:8080', true],
    ['127.0.0.1', '[::1]:8080', true],
    ['127.0.0.1', '127.8.9.1:8080', true],
    ['127.0.0.1', 'localhost', true],
    ['127.0.0.1', 'localhost:8081', false],
    ['127.0.0.1', 'evil.example.com', false],
    ['127.0.0.1', 'evil.example.com:8080', false],
    ['127.0.0.1', '127.evil.com:8080', false],
    ['127.0.0.1', 'localhost.evil.com:8080', false],
    ['127.0.0.1', 'localhost:8080@evil.com', false],
    ['127.0.0.1', '192.168.1.4:8080', false],
    ['127.0.0.1', '', false],
    ['127.0.0.1', ':8080', false],
    ['0.0.0.0', '192.168.1.4:8080', true],
    ['0.0.0.0', 'evil.example.com:8080', false],
    ['::', '[fe80::1]:8080', true],
    ['192.168.1.4', '192.168.1.4:8080', true],
    ['192.168.1.4', '192.168.1.5:8080', false],
    ['box.lan', 'Box.lan:8080', true],
  ])('on the address %s, allows requests to the Host "%s": %s', (host, given, allowed) => {
    const guard = createGuard({ host, port: 8080, ...none });
    expect(guard({ host: given }) === undefined).toBe(allowed);
    expect(guard({ host: 'evil.example.com' })).toBeDefined();
  });

  test.each([
    ['agent.test', 'agent.test:9', true],
    ['agent.test:9', 'agent.test:9', true],
    ['agent.test:9', 'agent.test:8', false],
  ])('with the allowed host %s passes the Host %s: %s', (allowed, given, passes) => {
    const guard = createGuard({ host: '127.0.0.1', port: 8080, ...none, allowedHosts: [allowed] });
    expect(guard({ host: given }) === undefined).toBe(passes);
  });
});

test.each([
  ['cross-site', undefined, false],
  ['cross-site', 'http://localhost:3000', true],
  ['same-site', undefined, true],
  ['none', undefined, true],
])('createGuard passes a request with Sec-Fetch-Site %s and the Origin %s: %s', (site, origin, passes) => {
  const guard = createGuard({ host: '127.0.0.1', port: 1, ...none });
  const headers = { host: '127.0.0.1:1', 'sec-fetch-site': site, ...(origin !== undefined && { origin }) };
  expect(guard(headers) === undefined).toBe(passes);
});

test.each<[string, boolean]>([
  ['http://localhost:3000', true],
  ['https://127.0.0.1', true],
  ['http://[::1]:1', true],
  ['https://allowed.example', true],
  ['http://evil.example.com', false],
  ['http://localhost.evil.com', false],
  ['null', false],
  ['file://localhost', false],
  ['', false],
])('createGuard passes the Origin %s: %s', (origin, allowed) => {
  const guard = createGuard({
    host: '127.0.0.1',
    port: 1,
    allowedHosts: [],
    allowedOrigins: ['https://allowed.example'],
  });
  expect(guard({ host: 'localhost:1', origin }) === undefined).toBe(allowed);
});

test.each<[string | undefined, boolean, boolean]>([
  [undefined, true, true],
  ['application/json, text/event-stream', true, true],
  ['text/event-stream,application/json;q=0.5', true, true],
  ['*/*', true, true],
  ['application/json', true, false],
  ['Application/JSON; charset=utf-8', true, false],
  ['text/event-stream', false, true],
  ['text/*', false, true],
  ['application/json, text/event-stream;q=0', true, false],
  ['text/html', false, false],
  ['', false, false],
])('readAcceptedTypes of Accept: %s are JSON %s, events %s', (accept, json, events) => {
  expect(readAcceptedTypes(accept)).toEqual({ json, events });
});

test.each<[string | undefined, boolean]>([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['APPLICATION/JSON', true],
  ['application/jsonp', false],
  ['text/plain', false],
  [undefined, false],
])('isJson of the Content-Type %s is %s', (contentType, json) => {
  expect(isJsonContentType(contentType)).toBe(json);
});
