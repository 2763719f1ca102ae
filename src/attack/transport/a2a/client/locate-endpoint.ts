import { isLoopback } from '../../../../format/model/loopback.ts';
import { isValueMap, toList, type Value, type ValueMap } from '../../../../format/model/value.ts';
import {
  type A2aTransport,
  a2aTransports,
  isVersion1,
  isVersion03,
  versionHeader,
} from '../../../../format/registry/a2a/a2a-era.ts';
import type { SpokenEra } from '../../mcp-client/opening.ts';
import { type A2aDialect, dialect1, dialect03, findOperation } from '../proto/a2a-operations.ts';
import { createRestRequest } from '../rest-routes.ts';
import type { A2aPeer } from './call.ts';

/** The address of an agent, and how to speak to it. */
export interface A2aEndpoint {
  readonly transport: A2aTransport;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly dialect: A2aDialect;
  /** Added to every request. */
  readonly tenant?: string;
}

export interface LocatedEndpoint {
  readonly place: A2aEndpoint;
  /** Addresses of the card that were not used, each with the reason. */
  readonly avoided: readonly string[];
  /** Whether the operator's headers are withheld, because the address has another origin than they are for. */
  readonly withholds: boolean;
}

/** Tells whether an address is `grpc://host:port`, or `grpcs:` for TLS; such an agent has no card to begin with. */
export function isGrpcUrl(url: string): boolean {
  return /^grpcs?:\/\//i.test(url);
}

/** The URLs of cards, the newer path first; an address that ends in `.json` is itself a card's. */
export function listCardUrlsToTry(url: string): readonly string[] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return [];
  if (new URL(url).pathname.endsWith('.json')) return [url];
  return ['/.well-known/agent-card.json', '/.well-known/agent.json'].map((path) => new URL(path, url).href);
}

/**
 * Picks an endpoint of the card: the preferred one, unless it cannot carry the method. Only endpoints that `checkLead`
 * allows are used, and the operator's headers go only to the origin that was connected to.
 */
export function locateEndpoint(
  { url, headers = {} }: A2aPeer,
  card: Value | undefined,
  { allowedHosts, method, era }: LocateOptions,
): LocatedEndpoint {
  const spoken = era === 'modern' || (era === 'both' && isVersion1Only(card)) ? dialect1 : dialect03;
  if (isGrpcUrl(url))
    return {
      place: { transport: 'GRPC', url, headers: addVersionHeader(spoken, headers), dialect: spoken },
      avoided: [],
      withholds: false,
    };
  const known = (isValueMap(card) ? listInterfaces(card) : []).filter(
    ({ dialect }) => era === 'both' || (era === 'modern') === (dialect === dialect1),
  );
  const leads = known.map((each) => ({ each, lead: checkLead(each.url, url, allowedHosts) }));
  const usable = leads.flatMap(({ each, lead }) =>
    lead.kind === 'avoided' ? [] : [{ ...each, url: lead.url, isTheirs: lead.kind === 'same origin' }],
  );
  const avoided = leads.flatMap(({ each, lead }) => (lead.kind === 'avoided' ? [`${each.url} (${lead.why})`] : []));
  const { isTheirs, ...first } = usable.find((each) => isMethodCarried(each, method)) ??
    usable[0] ?? { transport: 'JSONRPC' as const, url: dropCardPath(url), dialect: spoken, isTheirs: true };
  const place = { ...first, headers: addVersionHeader(first.dialect, isTheirs ? headers : {}) };
  const withholds = !isTheirs && Object.keys(headers).length > 0;
  return { place, avoided: [...new Set(avoided)], withholds };
}

export interface LocateOptions {
  readonly allowedHosts: readonly string[];
  readonly method: string;
  /** `both` leaves the choice to the agent's card. */
  readonly era: SpokenEra;
}

function addVersionHeader({ era }: A2aDialect, headers: A2aEndpoint['headers']): A2aEndpoint['headers'] {
  return era === undefined ? headers : { [versionHeader]: era, ...headers };
}

function isVersion1Only(card: Value | undefined): boolean {
  return isValueMap(card) && card.supportedInterfaces !== undefined && card.url === undefined;
}

/** The URL of a card is not an endpoint. Without the card's content the endpoint is unknown, so the root is used. */
function dropCardPath(url: string): string {
  return URL.canParse(url) && new URL(url).pathname.endsWith('.json') ? new URL('/', url).href : url;
}

/** Tells whether a transport can carry a method; JSON-RPC can carry any. */
function isMethodCarried({ transport, dialect }: CardInterface, method: string): boolean {
  if (transport === 'JSONRPC') return true;
  return transport === 'GRPC'
    ? findOperation(dialect, method) !== undefined
    : createRestRequest(dialect, method, {}) !== undefined;
}

type CardInterface = Omit<A2aEndpoint, 'headers'>;

/** Interfaces of 1.0 come first: an agent lists them for clients that can read them. */
function listInterfaces({
  url,
  preferredTransport = 'JSONRPC',
  additionalInterfaces,
  supportedInterfaces,
}: ValueMap): readonly CardInterface[] {
  const before = [{ url, transport: preferredTransport }, ...toList(additionalInterfaces)];
  return [
    ...toList(supportedInterfaces).flatMap((each) => {
      const { protocolBinding, protocolVersion = '1.0', tenant } = isValueMap(each) ? each : {};
      const dialect = findDialect(String(protocolVersion));
      const named = typeof tenant === 'string' && tenant !== '' ? { tenant } : {};
      return dialect === undefined ? [] : readInterface(each, protocolBinding, { dialect, ...named });
    }),
    ...before.flatMap((each) =>
      readInterface(each, isValueMap(each) ? each.transport : undefined, { dialect: dialect03 }),
    ),
  ];
}

function readInterface(
  each: { readonly url?: Value | undefined } | Value,
  binding: Value | undefined,
  how: Pick<CardInterface, 'dialect' | 'tenant'>,
): readonly CardInterface[] {
  const url = isValueMap(each) ? each.url : undefined;
  const transport = a2aTransports.find((name) => name === String(binding).toUpperCase());
  return transport === undefined || typeof url !== 'string' ? [] : [{ transport, url, ...how }];
}

/** Undefined for a version that we do not speak. */
function findDialect(version: string): A2aDialect | undefined {
  if (isVersion1(version)) return dialect1;
  return isVersion03(version) ? dialect03 : undefined;
}

/** The decision about an address from an agent's card. */
type Lead =
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
