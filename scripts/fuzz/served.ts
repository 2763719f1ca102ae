import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Endpoint } from '../../src/attack/engine/ports.ts';
import type { PlayOptions } from '../../src/suite/play/play-run.ts';
import { judgedRun } from './judged-run.ts';
import type { Batch } from './rows.ts';

// Rows in which we serve and a hostile client sends. Each run takes a batch of frames, over connections that stay open.

const limits = { sessionMs: 600_000, graceMs: 0 };
const connections = 8;
/** Every request must be answered or refused within this time, however busy the machine is. */
export const patienceMs = 30_000;

/** Plays a server until `send` has sent everything. */
export async function served(
  mode: string,
  modes: PlayOptions['modes'],
  send: (endpoint: Endpoint) => Promise<void>,
): Promise<Batch> {
  let end: (() => void) | undefined;
  const faults: string[] = [];
  const { recorded, violations } = await judgedRun(mode, {
    modes,
    limits,
    control: (run) => {
      end = () => run.end('operator');
    },
    ready(endpoints) {
      void send([...endpoints.values()][0] ?? { url: '' })
        .catch((thrown: unknown) => faults.push(`the peer of the fuzzer failed: ${String(thrown)}`))
        // The last frames have still to be read.
        .then(() => setTimeout(() => end?.(), 50));
    },
  });
  return { recorded, violations: [...violations, ...faults] };
}

/** Calls `work` once for each frame, over a few connections in parallel. Connections are numbered from 0. */
export async function sharedWork(
  frames: number,
  work: (agent: Agent, connection: number) => Promise<void>,
): Promise<void> {
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  let left = frames;
  await Promise.all(
    agents.map(async (agent, connection) => {
      while (left-- > 0) await work(agent, connection);
    }),
  );
  for (const agent of agents) agent.destroy();
}

/** A request to send. */
export interface Posted {
  readonly url: URL;
  readonly agent: Agent;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface PostAnswer {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

const none: PostAnswer = { status: undefined, headers: {} };

/**
 * Sends a request. A refusal counts as an answer, and a stream is left once it has begun. Rejects if nothing comes in
 * time.
 */
export function post({ url, agent, headers, body }: Posted): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: patienceMs }, (response) => {
      if (/event-stream/.test(response.headers['content-type'] ?? '')) setTimeout(() => response.destroy(), 20).unref();
      response.resume();
      response.on('close', () => resolve({ status: response.statusCode, headers: response.headers }));
      response.on('error', () => {});
    });
    sent.on('timeout', () => {
      reject(new Error(`no answer to ${body.subarray(0, 1_000).toString('latin1')}`));
      sent.destroy();
    });
    sent.on('error', () => resolve(none));
    sent.end(body);
  });
}
