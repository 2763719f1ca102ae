import { afterEach, describe, expect, test } from 'vitest';
import type { HttpServerOptions } from '../../../src/attack/transport/mcp-server/streamable-http.ts';
import {
  call,
  eventually,
  initialize,
  isFree,
  type OpenTransport,
  openEvents,
  openTransport,
  post,
} from '../../support/http-peer.ts';

let peer: OpenTransport;

afterEach(async () => {
  await peer.transport.close();
  expect(await isFree(peer.port)).toBe(true);
});

async function open(options?: HttpServerOptions, onRequest?: Parameters<typeof openTransport>[1]) {
  peer = await openTransport(options, onRequest);
  return initialize(peer.url);
}

describe('close of the Streamable HTTP server', () => {
  test('ends streams and open requests at once, and can be called again', async () => {
    const session = await open({}, () => {});
    const stream = await openEvents(peer.url, session);
    const held = post(peer.url, call('tools/call', {}), session).then(
      () => 'answered',
      () => 'gone',
    );
    await eventually(() => peer.received.at(-1)).toMatchObject({ method: 'tools/call' });
    const { url, port, transport } = peer;
    await transport.close();
    await transport.close();
    expect(await stream.next()).toBeUndefined();
    expect(await held).toBe('gone');
    expect(transport.openSessions()).toBe(0);
    expect(await isFree(port)).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('leaves no sockets or timers behind, a hundred times', async () => {
    const handles = () => process.getActiveResourcesInfo().filter((name) => /^TCP|Timeout/.test(name)).length;
    const before = handles();
    for (let round = 0; round < 100; round++) {
      const session = await open();
      const stream = await openEvents(peer.url, session);
      await peer.transport.close();
      expect(await stream.next()).toBeUndefined();
    }
    await eventually(handles).toBeLessThanOrEqual(before + 2);
  });

  test('can be called before the server was opened', async () => {
    const { createMcpServer } = await import('../../../src/attack/transport/mcp-server/streamable-http.ts');
    await createMcpServer().close();
  });

  test('leaves it to open to fail if the port is taken', async () => {
    await open();
    await expect(openTransport({ port: peer.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
