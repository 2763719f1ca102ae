import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOwnConnections } from '../../../src/agents/built-in/own-connections.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function serve(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_, response) => response.end('here'));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** The pools of the platform's own `fetch`, one for each origin, which it keeps under a symbol. */
function placesKnown(): number {
  const own = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as object;
  const maps = Object.getOwnPropertySymbols(own).map((symbol) => Reflect.get(own, symbol));
  return maps.reduce((sum: number, each) => sum + (each instanceof Map ? each.size : 0), 0);
}

test('createOwnConnections: leave nothing behind in the platform’s connection pools', async () => {
  const { url } = await serve();
  const first = await fetch(url);
  await first.text();
  const known = placesKnown();
  expect(known).toBeGreaterThan(0);
  for (let run = 0; run < 3; run++) {
    const connections = createOwnConnections();
    const response = await connections.fetch((await serve()).url);
    expect(await response.text()).toBe('here');
    await connections.close();
  }
  expect(placesKnown()).toBe(known);
});

test('createOwnConnections: close their open connections', async () => {
  const { url, server } = await serve();
  const connections = createOwnConnections();
  await (await connections.fetch(url)).text();
  const open = (): Promise<number> => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(await open()).toBe(1);
  await connections.close();
  await expect.poll(open).toBe(0);
  await expect(connections.fetch(url)).rejects.toThrow();
});
