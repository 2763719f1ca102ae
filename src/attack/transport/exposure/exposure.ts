import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Endpoint } from '../../engine/ports.ts';

/** How a server that strangers can reach is limited to the agent. */
export interface Exposure {
  /** The prefix of every path, or the bearer token: at least 16 characters of `A-Z a-z 0-9 _ -` that cannot be guessed. */
  readonly secret: string;
  /** Names by which peers reach the server, without a port; the agent is given the first. */
  readonly hostNames?: readonly string[];
  readonly tls?: TlsPair | undefined;
}

/** A certificate with its chain, and its private key; both in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

const shortest = 16;
const longest = 256;

/** Makes a secret of 192 bits. */
export function createSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** The reason why a text cannot be the secret, worded to follow its name; the text itself is not repeated. */
export function explainBadSecret(secret: string): string | undefined {
  if (secret.length < shortest || secret.length > longest)
    return `has ${secret.length} characters, and ${shortest} to ${longest} are needed`;
  return /^[A-Za-z0-9_-]+$/.test(secret) ? undefined : 'has characters other than A-Z a-z 0-9 _ -';
}

/** Compares in constant time. */
export function createSecretCheck(secret: string): (given: string) => boolean {
  const own = hashSecret(secret);
  return (given) => timingSafeEqual(hashSecret(given), own);
}

function hashSecret(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function createEndpoint(host: string, port: number, path: string, exposure?: Exposure): Endpoint {
  const name = exposure?.hostNames?.[0] ?? (Object.hasOwn(everyAddress, host) ? everyAddress[host] : host);
  const place = name?.includes(':') ? `[${name}]` : name;
  if (exposure === undefined) return { url: `http://${place}:${port}${path}` };
  const { tls, secret } = exposure;
  return { url: `${tls === undefined ? 'http' : 'https'}://${place}:${port}/${secret}${path}`, secret };
}

/** The address by which peers on this machine reach a wildcard address. */
const everyAddress: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };
