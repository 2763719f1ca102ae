// Why a request over HTTP came to nothing, in words of our own.

const failures: { readonly [code: string]: string } = {
  ECONNREFUSED: 'nothing listens at',
  ENOTFOUND: 'there is no host at',
  ECONNRESET: 'the connection was reset by',
  ETIMEDOUT: 'no connection could be made to',
};

export function connectionFailure({ code = '', message }: NodeJS.ErrnoException, target: URL): string {
  const known = failures[code];
  return known === undefined ? `${target.host}: ${message}` : `${known} ${target.host}`;
}

/** The status and the beginning of what a refusing peer had to say. */
export function refusalReason(statusCode: number, statusMessage: string, body: Buffer): string {
  return `it answered HTTP ${[statusCode, statusMessage].join(' ').trim()}${excerpt(body)}`;
}

function excerpt(raw: Buffer): string {
  const text = raw.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, 200);
  return text === '' ? '' : `: ${text}`;
}

/** Nobody can be reached at the place, whatever is said there. */
export function isAbsentError({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND';
}

/** Whoever is there lets us in to nothing, or has nothing at this place. */
export function isAbsentStatus(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

/** What an HTTP status says of an exchange that it ended. */
export interface Ending {
  /** Nobody was there to answer. */
  readonly absent?: boolean;
  /** The status that took the place of an answer. */
  readonly status?: number;
}

export function endingBy(status: number): Ending {
  return { absent: isAbsentStatus(status), ...(status >= 400 && { status }) };
}

/** Thrown by a voice whose agent turned down what it was asked by an HTTP status. */
export class TurnedDown extends Error {
  override readonly name = 'TurnedDown';
  readonly status: number;
  constructor(reason: string, status: number) {
    super(reason);
    this.status = status;
  }
}

/** Thrown by a voice whose agent is not there at all; see `end` of an incoming message. */
export class NotThere extends Error {
  override readonly name = 'NotThere';
}

/** Thrown by a voice whose agent failed, whatever it had said by then. Why it did is told by us, and is no word of its own. */
export class AgentFailed extends Error {
  override readonly name = 'AgentFailed';
}
