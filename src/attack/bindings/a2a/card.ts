import type { Diagnostic } from '../../../format/model/errors.ts';
import { isLoopback } from '../../../format/model/loopback.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { a2a1, a2aTransports } from '../../../format/registry/a2a/a2a-era.ts';
import { convertCardToProto } from '../../../format/registry/a2a/to-proto.ts';
import type { ServedEra } from '../served-era.ts';
import { readHost, readUrlPath, splitHost } from './hosts.ts';

/**
 * How the addresses in a card are served: `keep` adds ours where the author wrote none, `rewrite` always uses ours,
 * `as-written` never does.
 */
export type CardUrls = 'keep' | 'rewrite' | 'as-written';

const minimal: ValueMap = {
  protocolVersion: '0.3.0',
  name: 'oatf-agent',
  description: 'An agent that takes messages.',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'general', name: 'General', description: 'Answers what it is asked.', tags: ['general'] }],
};

interface ServedCard {
  readonly card: Value;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Makes the card that is served from `endpoint`. Unless `urls` is `rewrite`, a card that is signed, or that lists all its
 * interfaces, stays as the author wrote it.
 */
export function makeCard(
  written: Value | undefined,
  endpoint: string,
  urls: CardUrls,
  { wanted, served }: CardEras,
): ServedCard {
  const card = written ?? minimal;
  if (!isValueMap(card) || endpoint === '') return { card, warnings: [] };
  const ours = listEndpoints(endpoint);
  const isOpen = !hasAddress(card) && card.signatures === undefined;
  if (urls === 'rewrite' || written === undefined || (urls === 'keep' && isOpen))
    return { card: forEras(addOwnEndpoints(card, ours)), warnings: [] };
  const warnings = listCardAddresses(card)
    .filter((url) => !isUrlWithin(url, endpoint))
    .map(warnOfForeignUrl);
  const isFilled = urls === 'keep' && card.url === undefined && !isWhole(card);
  return { card: forEras(isFilled ? { ...card, url: chooseCardUrl(card, ours) } : card), warnings };

  /**
   * A card that the author wrote is for clients of 0.3; clients of 1.0 also get the interfaces. A card of ours serves
   * both.
   */
  function forEras(made: ValueMap): ValueMap {
    if (served === 'legacy' || isWhole(made)) return made;
    if (written !== undefined && (wanted !== a2a1 || urls === 'as-written')) return made;
    return spellCardIn1(made);
  }
}

/** The era that the client asks for in its card request, and the eras that the server speaks. */
export interface CardEras {
  readonly wanted: string | undefined;
  readonly served: ServedEra;
}

/** The same card with the fields that A2A 1.0 spells differently. */
function spellCardIn1(card: ValueMap): ValueMap {
  const { url, preferredTransport, additionalInterfaces } = card;
  const listed = Array.isArray(additionalInterfaces) ? (additionalInterfaces as readonly Value[]) : [];
  const interfaces = [{ url: url ?? null, transport: preferredTransport ?? 'JSONRPC' }, ...listed].flatMap((each) =>
    isValueMap(each) && typeof each.url === 'string' && typeof each.transport === 'string'
      ? [{ url: each.url, protocolBinding: each.transport.toUpperCase(), protocolVersion: a2a1 }]
      : [],
  );
  const supportedInterfaces = interfaces.filter(
    ({ url: at, protocolBinding }, index) =>
      interfaces.findIndex((other) => other.url === at && other.protocolBinding === protocolBinding) === index,
  );
  if (supportedInterfaces.length === 0) return card;
  const { supportsAuthenticatedExtendedCard, ...rest } = convertCardToProto(card, 'securityRequirements') as ValueMap;
  const capabilities =
    typeof supportsAuthenticatedExtendedCard === 'boolean' && isValueMap(rest.capabilities)
      ? { capabilities: { extendedAgentCard: supportsAuthenticatedExtendedCard, ...rest.capabilities } }
      : {};
  return { ...rest, ...capabilities, supportedInterfaces };
}

function isWhole({ supportedInterfaces, signatures }: ValueMap): boolean {
  return supportedInterfaces !== undefined || signatures !== undefined;
}

type Endpoints = { readonly [transport: string]: string };

/** All three transports share one address. gRPC writes it without a scheme. */
function listEndpoints(url: string): Endpoints {
  return { JSONRPC: url, 'HTTP+JSON': url.replace(/\/$/, ''), GRPC: readHost(url) };
}

function addOwnEndpoints(card: ValueMap, ours: Endpoints): ValueMap {
  const { supportedInterfaces, preferredTransport = 'JSONRPC' } = card;
  return {
    ...card,
    url: chooseCardUrl(card, ours),
    preferredTransport,
    additionalInterfaces: a2aTransports.map((transport) => ({ url: ours[transport] ?? '', transport })),
    ...(Array.isArray(supportedInterfaces) && {
      supportedInterfaces: (supportedInterfaces as readonly Value[]).map((each) =>
        isValueMap(each) ? { ...each, url: ours[String(each.protocolBinding)] ?? ours.JSONRPC ?? '' } : each,
      ),
    }),
  };
}

function readPreferredTransport({ preferredTransport }: ValueMap): string {
  return typeof preferredTransport === 'string' ? preferredTransport : 'JSONRPC';
}

function chooseCardUrl(card: ValueMap, ours: Endpoints): string {
  return ours[readPreferredTransport(card).toUpperCase()] ?? ours.JSONRPC ?? '';
}

function hasAddress({ url, additionalInterfaces, supportedInterfaces }: ValueMap): boolean {
  return [url, additionalInterfaces, supportedInterfaces].some((value) => value !== undefined);
}

function listCardAddresses({ url, additionalInterfaces, supportedInterfaces }: ValueMap): readonly string[] {
  const listed = [additionalInterfaces, supportedInterfaces].flatMap((list) =>
    Array.isArray(list) ? (list as readonly Value[]).map((each) => (isValueMap(each) ? each.url : undefined)) : [],
  );
  return [...new Set([url, ...listed].filter((each) => typeof each === 'string'))];
}

/** Compares host, port and the path prefix of our endpoint. Any further path may differ. */
function isUrlWithin(url: string, endpoint: string): boolean {
  const [name, port] = splitHost(readHost(url));
  const [ownName, ownPort] = splitHost(readHost(endpoint));
  const isHere = port === ownPort && (name === ownName || (isLoopback(name) && isLoopback(ownName)));
  return isHere && `${readUrlPath(url)}/`.startsWith(readUrlPath(endpoint));
}

function warnOfForeignUrl(url: string): Diagnostic {
  const message = `the card says ${url}, which does not lead back here: an agent that follows it will not return; leave \`url\` out, or run with --card-url rewrite`;
  return { severity: 'warning', code: 'O-120', message };
}
