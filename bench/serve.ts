import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Figure } from './measure.ts';

const connections = 16;
const roundMs = 500;
const rounds = 15;

/** tools/call with tracing on, against a bare node:http server that parses JSON and writes it back. */
export async function benchServe(): Promise<Figure[]> {
  const [ours, nameless, bare] = [
    await startPeer('serve-attack'),
    await startPeer('serve-attack', 'nameless'),
    await startPeer('serve-echo'),
  ];
  try {
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'convert', arguments: { amount: 1 } },
    };
    const sessionOf = async ({ url }: Peer) => ({ 'Mcp-Session-Id': await openSession(url) });
    const [session, namelessSession] = [await sessionOf(ours), await sessionOf(nameless)];
    const rates = { ours: [] as number[], nameless: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await requestsPerSecond(bare.url, call, {}));
      rates.ours.push(await requestsPerSecond(ours.url, call, session));
      rates.nameless.push(await requestsPerSecond(nameless.url, call, namelessSession));
    }
    const [our, echo, without] = [middle(rates.ours), middle(rates.bare), middle(rates.nameless)];
    return [
      {
        name: 'tools/call with tracing, requests per second',
        value: `${(our / echo).toFixed(2)} × (${Math.round(our)}/s against ${Math.round(echo)}/s)`,
        bound: '≥ 0.3 ×',
        ok: our / echo >= 0.3,
      },
      {
        name: 'the same, with the pieces of the document named in each record',
        value: `${(our / without).toFixed(2)} × (${Math.round(our)}/s against ${Math.round(without)}/s without)`,
        bound: '≥ 0.85 ×',
        ok: our / without >= 0.85,
      },
    ];
  } finally {
    for (const { process: child } of [ours, nameless, bare]) child.kill();
  }
}

export interface Peer {
  readonly url: URL;
  readonly process: ChildProcess;
}

export async function startPeer(name: string, ...args: readonly string[]): Promise<Peer> {
  const path = fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { url: new URL(line), process: child };
  throw new Error(`${name} has ended before it was ready`);
}

async function openSession(url: URL): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    }),
  });
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? '';
}

/** A client of plain sockets with one request in flight each, so that the client is not what is measured. */
export async function requestsPerSecond(
  url: URL,
  body: unknown,
  headers: { readonly [name: string]: string },
): Promise<number> {
  const text = JSON.stringify(body);
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
  let answered = 0;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url, request, () => ++answered)));
  const start = performance.now();
  answered = 0;
  await spin(roundMs);
  const rate = (answered / (performance.now() - start)) * 1_000;
  for (const socket of sockets) socket.destroy();
  return rate;
}

/**
 * Waits without sleeping. A sleeping client has to be woken by each answer, at the cost of the server that writes it,
 * and the slower of two servers would be charged more often.
 */
export function spin(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  return new Promise((resolve) => {
    const look = (): void => {
      if (performance.now() < end) setImmediate(look);
      else resolve();
    };
    look();
  });
}

function open(url: URL, request: Buffer, done: () => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.write(request);
      resolve(socket);
    });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      if (head < 0 || length === undefined || received.length < head + 4 + Number(length)) return;
      if (!received.startsWith('HTTP/1.1 200')) socket.destroy(new Error(received.slice(0, 200)));
      received = '';
      done();
      socket.write(request);
    });
    socket.on('error', reject);
  });
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
