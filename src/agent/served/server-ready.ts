import { connect } from 'node:net';
import { pause } from '../../transport/json-rpc-client/pause.ts';
import { askOverHttp } from './http-exchange.ts';

// Whether a server can be spoken to yet.

const firstPauseMs = 20;
const longestPauseMs = 500;
/** A server that is starting may take a connection and leave it at that. */
const longestLookMs = 5_000;
const heldMs = 25;
const usualPorts: { readonly [protocol: string]: number } = { 'https:': 443, 'grpcs:': 443 };

/** Why nothing takes connections there; nothing when something does. */
export function connectionProblem(url: string, signal: AbortSignal): Promise<string | undefined> {
  const { host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(placeOf(url));
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

/**
 * Whether a server is there and stays. One that is just ending may still take a connection, which it does not keep.
 */
export function keepsConnection(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(placeOf(url));
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
      // On a busy machine the end may have come in time and wait behind the timer.
      held = setTimeout(() => setImmediate(() => done(true)), heldMs);
    });
    socket.resume();
  });
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (usualPorts[protocol] ?? 80) : Number(port),
  };
}

/** Why it is not well yet; a redirect is an answer like any other. */
async function healthProblem(url: string, signal: AbortSignal): Promise<string | undefined> {
  const outcome = await askOverHttp({
    method: 'GET',
    url,
    headers: {},
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestLookMs)]),
  });
  return outcome.ok || outcome.why === 'redirected' ? undefined : outcome.reason;
}

export interface Readiness {
  /** Where it will be spoken to. */
  readonly url: string;
  /** Where it says whether it is well, if it does. */
  readonly health: string | undefined;
  readonly withinMs: number;
  /** Aborted when there is nothing more to wait for. */
  readonly signal: AbortSignal;
}

/** Looks until it is ready, and gives why it is not when the time is over or the waiting was called off. */
export async function awaitReady({ url, health, withinMs, signal }: Readiness): Promise<string | undefined> {
  const until = performance.now() + withinMs;
  for (let wait = firstPauseMs; ; wait = Math.min(2 * wait, longestPauseMs)) {
    const problem = await (health === undefined
      ? connectionProblem(url, signal)
      : healthProblem(health, signal));
    if (problem === undefined || signal.aborted) return problem;
    const left = until - performance.now();
    if (left <= 0) return `it was not ready after ${withinMs / 1_000} s: ${problem}`;
    await pause(Math.min(wait, left), signal);
  }
}
