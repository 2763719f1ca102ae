import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import { isLoopbackHost } from '../../loopback.ts';
import { operationOf } from '../proto/operations.ts';
import { restRequest } from '../rest-routes.ts';
import type { A2aPeer } from './options.ts';

/** Where and how an agent is spoken to. */
export interface Place {
  readonly transport: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
}

export interface Located {
  readonly place: Place;
  /** Addresses of the card that were not gone to. */
  readonly avoided: readonly string[];
}

/** `grpc://host:port`, or `grpcs:` for TLS: there is no card to begin with. */
export function isGrpcUrl(url: string): boolean {
  return /^grpcs?:\/\//i.test(url);
}

/** Where cards are, the newer place first; an address that ends in `.json` is a card's. */
export function cardUrlsOf(url: string): readonly string[] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [];
  if (new URL(url).pathname.endsWith('.json')) return [url];
  return ['/.well-known/agent-card.json', '/.well-known/agent.json'].map((path) => new URL(path, url).href);
}

/**
 * The card's own endpoints, the one that it prefers first, unless that cannot carry the method. Only where the operator pointed, on this machine, or at a
 * host that the operator allowed: a card is the agent's word, not theirs.
 */
export function locate(
  { url, headers = {} }: A2aPeer,
  card: Value | undefined,
  allowedHosts: readonly string[],
  method: string,
): Located {
  if (isGrpcUrl(url)) return { place: { transport: 'GRPC', url, headers }, avoided: [] };
  const known = isValueMap(card) ? interfacesOf(card) : [];
  const usable = known.filter(({ url: each }) => mayGoTo(each, url, allowedHosts));
  const avoided = known.filter((each) => !usable.includes(each)).map((each) => each.url);
  const first = usable.find(({ transport }) => carries(transport, method)) ?? usable[0];
  const otherwise = { transport: 'JSONRPC' as const, url: endpointFor(url), headers };
  return { place: first === undefined ? otherwise : { ...first, headers }, avoided: [...new Set(avoided)] };
}

/** Where a card is there is no endpoint; where it points to is not known, so it is its root. */
function endpointFor(url: string): string {
  return URL.canParse(url) && new URL(url).pathname.endsWith('.json') ? new URL('/', url).href : url;
}

/** Whether a transport has a place for a method; JSON-RPC has one for any. */
function carries(transport: Place['transport'], method: string): boolean {
  if (transport === 'JSONRPC') return true;
  return transport === 'GRPC' ? operationOf(method) !== undefined : restRequest(method, {}) !== undefined;
}

type Interface = Pick<Place, 'transport' | 'url'>;

const transports = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

function interfacesOf({
  url,
  preferredTransport = 'JSONRPC',
  additionalInterfaces,
}: ValueMap): readonly Interface[] {
  const listed = Array.isArray(additionalInterfaces) ? (additionalInterfaces as readonly Value[]) : [];
  return [{ url, transport: preferredTransport }, ...listed].flatMap((each) => {
    if (!isValueMap(each) || typeof each.url !== 'string') return [];
    const transport = transports.find((name) => name === String(each.transport).toUpperCase());
    return transport === undefined ? [] : [{ transport, url: each.url }];
  });
}

function mayGoTo(url: string, connected: string, allowedHosts: readonly string[]): boolean {
  const host = hostOf(url);
  if (host === undefined) return false;
  const { hostname } = host;
  if (isLoopbackHost(hostname)) return true;
  return (
    hostname === hostOf(connected)?.hostname ||
    allowedHosts.some((each) => each === host.host || each === hostname)
  );
}

function hostOf(url: string): URL | undefined {
  const whole = url.includes('://') ? url : `http://${url}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}
