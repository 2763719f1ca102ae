import { connect } from 'node:net';
import { pause } from '../../../attack/transport/mcp-client/pause.ts';
import { askOverHttp } from './http-exchange.ts';

// Checks whether a server is ready.

const firstPauseMs = 20;
const longestPauseMs = 500;
/** A starting server may accept a connection and then not answer. */
const longestLookMs = 5_000;
const heldMs = 25;
const usualPorts: { readonly [protocol: string]: number } = { 'https:': 443, 'grpcs:': 443 };

/** Why no connection is accepted at the address; undefined if one is. */
export function findConnectionProblem(url: string, signal: AbortSignal): Promise<string | undefined> {
  const { host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(readHostAndPort(url));
    const done = (problem: string | undefined): void => {
      signal.removeEventListener('abort', callOff);
      socket.destroy();
      resolve(problem);
    };
    const callOff = (): void => done(`nothing came from ${host}`);
    socket.setTimeout(longestLookMs, callOff);
    socket.once('connect', () => done(undefined));
    socket.on('error', () => done(`nothing listens at ${host}`));
    signal.addEventListener('abort', callOff, { once: true });
    if (signal.aborted) callOff();
  });
}

/** Whether a server accepts a connection and keeps it. A server that is just ending may accept one and drop it. */
export function keepsConnection(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(readHostAndPort(url));
    let held: NodeJS.Timeout | undefined;
    const done = (isKept: boolean): void => {
      clearTimeout(held);
      socket.destroy();
      resolve(isKept);
    };
    socket.setTimeout(longestLookMs, () => done(false));
    socket.on('error', () => done(false));
    socket.on('close', () => done(false));
    socket.once('connect', () => {
      // On a busy machine the close event may already be queued behind the timer.
      held = setTimeout(() => setImmediate(() => done(true)), heldMs);
    });
    socket.resume();
  });
}

function readHostAndPort(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (usualPorts[protocol] ?? 80) : Number(port),
  };
}

/** Why the health check fails; a redirect counts as an answer. */
async function findHealthProblem(url: string, signal: AbortSignal): Promise<string | undefined> {
  const outcome = await askOverHttp({
    method: 'GET',
    url,
    headers: {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestLookMs)]),
  });
  return outcome.ok || outcome.why === 'redirected' ? undefined : outcome.reason;
}

export interface Readiness {
  /** The URL at which messages will be sent to it. */
  readonly url: string;
  /** The URL of its health check, if it has one. */
  readonly health: string | undefined;
  readonly withinMs: number;
  /** Aborted when waiting is pointless. */
  readonly signal: AbortSignal;
}

/** Polls until the server is ready. Resolves to the problem if the time is over or the wait was aborted. */
export async function awaitReady({ url, health, withinMs, signal }: Readiness): Promise<string | undefined> {
  const until = performance.now() + withinMs;
  for (let wait = firstPauseMs; ; wait = Math.min(2 * wait, longestPauseMs)) {
    const problem = await (health === undefined
      ? findConnectionProblem(url, signal)
      : findHealthProblem(health, signal));
    if (problem === undefined || signal.aborted) return problem;
    const left = until - performance.now();
    if (left <= 0) return `it was not ready after ${withinMs / 1_000} s: ${problem}`;
    await pause(Math.min(wait, left), signal);
  }
}
