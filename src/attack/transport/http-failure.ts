import type { Value } from '../../format/model/value.ts';

// Explains in our own words why a request over HTTP failed.

const failures: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens at',
  ENOTFOUND: 'there is no host at',
  ECONNRESET: 'the connection was reset by',
  ETIMEDOUT: 'no connection could be made to',
};

export function formatConnectionFailure({ code = '', message }: NodeJS.ErrnoException, target: URL): string {
  const known = failures[code];
  return known === undefined ? `${target.host}: ${message}` : `${known} ${target.host}`;
}

export function formatRefusal(statusCode: number, statusMessage: string, body: Buffer): string {
  return `it answered HTTP ${[statusCode, statusMessage].join(' ').trim()}${excerptBody(body)}`;
}

function excerptBody(raw: Buffer): string {
  const text = raw.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, 200);
  return text === '' ? '' : `: ${text}`;
}

/** Tells whether no server can be reached at the address. */
export function isAbsentError({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND';
}

/** Tells whether a status means that the server gives us no access, or has nothing at this URL. */
export function isAbsentStatus(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The facts that an HTTP status adds to the end of an exchange. */
export interface FailureEnding {
  /** True when no agent was there to answer. */
  readonly absent?: boolean;
  /** The status that took the place of an answer. */
  readonly status?: number;
}

export function readFailureEnding(status = 0): FailureEnding {
  return { absent: isAbsentStatus(status), ...(status >= 400 && { status }) };
}

/** What an agent said with a failure. */
export interface FailureContent {
  /** As events of the protocol in which the agent is spoken to. */
  readonly events: readonly Value[];
  /** What could not be read, and why. */
  readonly unread?: { readonly bytes: Buffer; readonly reason: string } | undefined;
}

/** Thrown by an `InProcessAgent` when the agent behind it answered with an error, or with an HTTP status that is one. */
export class AgentRefused extends Error {
  override readonly name = 'TurnedDown';
  readonly status: number | undefined;
  readonly content: FailureContent;
  constructor(reason: string, status: number | undefined, content: FailureContent) {
    super(reason);
    this.status = status;
    this.content = content;
  }
}

/** Thrown by an `InProcessAgent` when the agent behind it cannot be reached; see `end` of an incoming message. */
export class AgentUnreachable extends Error {
  override readonly name = 'NotThere';
}

/** Thrown by an `InProcessAgent` when the agent behind it failed, at whatever point. The reason is in our words. */
export class AgentFailed extends Error {
  override readonly name = 'AgentFailed';
}
