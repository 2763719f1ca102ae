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
