import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Figure, middle } from './measure.ts';

const rounds = 18;
const warmUp = 4;
const trips = 2_000;
const bridgedTrips = 500;
const slowestMs = 0.5;

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const cli = path('../dist/cli.js');
const document = path('../examples/rug-pull.yaml');

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'convert', arguments: { amount: 1 } },
};
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** tools/call over stdio with tracing on, against a bare program that echoes lines; and what a bridge adds. */
export async function benchStdio(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
  try {
    return [...(await roundTrips(folder)), await bridgeOverhead(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function roundTrips(folder: string): Promise<Figure[]> {
  const unpin = pinToOneProcessor();
  try {
    return await roundTripsInTurns(folder);
  } finally {
    unpin();
  }
}

/**
 * Binds both programs and the client to one processor, so that only their work is compared. Waking another processor
 * takes longer than an echo, and for a whole run the scheduler may put one program beside its client and the other on
 * another processor. Without taskset, the figure depends on the scheduler.
 */
function pinToOneProcessor(): () => void {
  const own = String(process.pid);
  const taskset = (...args: readonly string[]): string =>
    execFileSync('taskset', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const before = taskset('-pc', own).trim().split(' ').at(-1) ?? '';
    const [first = '0'] = before.split(/[,-]/);
    taskset('-pc', first, own);
    return () => taskset('-pc', before, own);
  } catch {
    return () => {};
  }
}

async function roundTripsInTurns(folder: string): Promise<Figure[]> {
  const out = ['--quiet', '--timeout', '10m', '--out', join(folder, 'stdio')];
  const ours = launch([cli, 'run', document, '--stdio', ...out]);
  const bare = launch([path('./peers/echo-lines.mjs')]);
  try {
    await ours.trips(initialize, 1);
    const rates = { ours: [] as number[], bare: [] as number[] };
    const slowest = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const [name, peer] of [
        ['bare', bare],
        ['ours', ours],
      ] as const) {
        const times = await peer.times(call, trips);
        rates[name].push(trips / times.reduce((sum, time) => sum + time, 0));
        slowest[name].push(percentile(times, 0.99));
      }
    const [our, echo] = [middle(rates.ours.slice(warmUp)), middle(rates.bare.slice(warmUp))];
    const [ourSlowest, echoSlowest] = [middle(slowest.ours.slice(warmUp)), middle(slowest.bare.slice(warmUp))];
    return [
      {
        name: 'tools/call over stdio with tracing, round trips per second',
        value: `${(our / echo).toFixed(2)} × (${perSecond(our)} against ${perSecond(echo)})`,
        bound: '≥ 0.35 ×',
        ok: our / echo >= 0.35,
      },
      {
        name: 'the 99th percentile of these round trips',
        value: `${micro(ourSlowest)} (${micro(echoSlowest)} for the echo)`,
        bound: `≤ ${micro(slowestMs)}`,
        ok: ourSlowest <= slowestMs,
      },
    ];
  } finally {
    await Promise.all([ours.leave(), bare.leave()]);
  }
}

/** Sends one message at a time: over the bridge, and by a direct POST. */
async function bridgeOverhead(folder: string): Promise<Figure> {
  const out = ['--quiet', '--timeout', '10m', '--out', join(folder, 'http')];
  const server = spawn(process.execPath, [cli, 'run', document, ...out], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await firstUrl(server.stderr);
  const bridge = launch([cli, 'bridge', url]);
  try {
    await bridge.trips(initialize, 1);
    const direct = await postOf(new URL(url));
    const times = { bridged: [] as number[], direct: [] as number[] };
    for (let round = 0; round < 5; round++) {
      times.direct.push((await direct.trips(bridgedTrips)) / bridgedTrips);
      times.bridged.push((await bridge.trips(call, bridgedTrips)) / bridgedTrips);
    }
    direct.leave();
    const [through, own] = [middle(times.bridged), middle(times.direct)];
    return {
      name: 'a message over the bridge',
      value: `${micro(through - own)} more (${micro(through)} against ${micro(own)} for a POST of one’s own)`,
    };
  } finally {
    await bridge.leave();
    server.kill('SIGINT');
    await new Promise((resolve) => server.once('close', resolve));
  }
}

interface LinePeer {
  /** The milliseconds of each of these round trips, one after the other, as a client sees them. */
  times(message: object, count: number): Promise<readonly number[]>;
  /** The milliseconds of all round trips together. */
  trips(message: object, count: number): Promise<number>;
  leave(): Promise<void>;
}

function launch(args: readonly string[]): LinePeer {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let answered = (): void => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Messages that the server sends on its own are not answers.
    if ('id' in JSON.parse(line)) answered();
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const times = (message: object, count: number): Promise<readonly number[]> =>
    new Promise((resolve) => {
      const taken: number[] = [];
      let sentAt = 0;
      const send = (): void => {
        const line = `${JSON.stringify({ ...message, id: taken.length })}\n`;
        sentAt = performance.now();
        child.stdin.write(line);
      };
      answered = () => {
        taken.push(performance.now() - sentAt);
        if (taken.length === count) resolve(taken);
        else send();
      };
      send();
    });
  return {
    times,
    trips: async (message, count) => (await times(message, count)).reduce((sum, time) => sum + time, 0),
    async leave() {
      child.stdin.end();
      await closed;
    },
  };
}

/** A kept connection, one request at a time. */
async function postOf(url: URL): Promise<{ trips(count: number): Promise<number>; leave(): void }> {
  const socket = connect(Number(url.port), url.hostname);
  let answered: (head: string) => void = () => {};
  socket.on('data', (chunk) => answered(chunk.toString('latin1')));
  const send = (body: string, session: string): Promise<string> =>
    new Promise((resolve) => {
      answered = resolve;
      socket.write(
        `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n` +
          `Accept: application/json, text/event-stream\r\n${session}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
  const head = await send(JSON.stringify(initialize), '');
  const session = `Mcp-Session-Id: ${/mcp-session-id: (\S+)/i.exec(head)?.[1]}\r\n`;
  return {
    async trips(count) {
      const start = performance.now();
      for (let trip = 0; trip < count; trip++) await send(JSON.stringify(call), session);
      return performance.now() - start;
    },
    leave: () => socket.destroy(),
  };
}

async function firstUrl(output: Readable): Promise<string> {
  for await (const text of createInterface({ input: output })) {
    const url = /http:\S+/.exec(text)?.[0];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error('the server has ended before it was ready');
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

function perSecond(perMillisecond: number): string {
  return `${Math.round(perMillisecond * 1_000)}/s`;
}

function micro(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)} µs`;
}
