import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../../../format/model/loopback.ts';

export interface GuardOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Whether the host names were given explicitly; then no other is accepted. */
  readonly isExposed?: boolean;
}

/** Returns the reason why a request is refused; undefined if it is not. */
export type Guard = (headers: IncomingHttpHeaders) => string | undefined;

/**
 * Keeps web pages out. A page can reach a local server by making its own name resolve to this machine, but the browser
 * then sends that name in `Host`, and the page's origin in `Origin`.
 */
export function createGuard(options: GuardOptions): Guard {
  const { host, port, allowedHosts, allowedOrigins, isExposed = false } = options;
  const hosts = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const everyAddress = !isExposed && (host === '0.0.0.0' || host === '::');

  function isOurs(name: string): boolean {
    if (isLoopback(name) || name === host.toLowerCase()) return true;
    // An IP address in `Host` was not looked up, so no other party can have made it resolve to us.
    return everyAddress && isIP(name) !== 0;
  }

  function hostAllowed(value: string): boolean {
    const given = value.toLowerCase();
    const [, bracketed, plain, givenPort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(given) ?? [];
    const name = bracketed ?? plain;
    if (name === undefined || name === '') return false;
    if (hosts.has(given) || hosts.has(name)) return true;
    return isOurs(name) && (givenPort === undefined || Number(givenPort) === port);
  }

  function originAllowed(value: string): boolean {
    if (origins.has(value.toLowerCase())) return true;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
    return isLoopback(url.hostname);
  }

  // Nearly every request names the same host, so the last accepted one is kept.
  let accepted: string | undefined;
  return (headers) => {
    const given = headers.host ?? '';
    if (given !== accepted) {
      if (!hostAllowed(given)) return `host ${JSON.stringify(given)} is not allowed`;
      accepted = given;
    }
    if (headers.origin !== undefined && !originAllowed(headers.origin))
      return `origin ${JSON.stringify(headers.origin)} is not allowed`;
    // Browsers send no `Origin` with a plain GET, such as that of an image.
    if (headers.origin === undefined && headers['sec-fetch-site'] === 'cross-site')
      return 'a web page of another site sent this';
    return undefined;
  };
}
