import { isLoopback } from '../../../../format/model/loopback.ts';

/** The decision about an address from an agent's card. */
export type Lead =
  /** The origin that the operator named; the operator's headers may go there. */
  | { readonly kind: 'same origin'; readonly url: string }
  /** Used, but without the operator's headers. */
  | { readonly kind: 'another origin'; readonly url: string }
  | { readonly kind: 'avoided'; readonly why: string };

/**
 * A card comes from the agent, not from the operator. It may lead to the host that was connected to or allowed, never
 * from another machine to this one, and never from TLS to plain text.
 */
export function checkLead(url: string, connected: string, allowedHosts: readonly string[]): Lead {
  const from = parseAddress(connected);
  const to = parseAddress(url, from?.protocol === 'https:');
  if (from === undefined || to === undefined) return { kind: 'avoided', why: 'it is not the address of an agent' };
  if (to.origin === from.origin) return { kind: 'same origin', url: to.href };
  const isHere = isLoopback(to.hostname);
  const isFromHere = isLoopback(from.hostname);
  // Another name of this machine with the same port: the server that gave the card is meant.
  if (isHere && isFromHere && to.protocol === from.protocol && to.port === from.port) {
    to.host = from.host;
    return { kind: 'same origin', url: to.href };
  }
  if (from.protocol === 'https:' && to.protocol !== 'https:') return { kind: 'avoided', why: 'it has no TLS' };
  const isAllowed = allowedHosts.some((each) => each === to.host || each === to.hostname);
  if (isHere && !isFromHere && !isAllowed)
    return { kind: 'avoided', why: 'it is on this machine, and the agent is not' };
  if (isAllowed || isHere || to.hostname === from.hostname) return { kind: 'another origin', url: to.href };
  return { kind: 'avoided', why: 'its host is not allowed' };
}

/**
 * Parses gRPC addresses as HTTP URLs, because the URL parser knows every spelling of an IP address. An address without
 * a scheme uses TLS if the connection does.
 */
function parseAddress(url: string, isSecure = false): URL | undefined {
  const whole = url.includes('://') ? url : `${isSecure ? 'https' : 'http'}://${url}`;
  const read = whole.replace(/^grpc(?=s?:)/i, 'http');
  if (!/^https?:\/\//i.test(read) || !URL.canParse(read)) return undefined;
  return new URL(read);
}
