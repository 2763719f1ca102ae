import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Endpoint } from '../../engine/ports.ts';

/** How a server is kept to those it is meant for, where others can reach it, too. */
export interface Exposure {
  /**
   * Stands in front of every path, or is sent as a bearer token: `A-Z a-z 0-9 _ -`, at least 16 of them, which nobody
   * can guess.
   */
  readonly secret: string;
  /** Names that peers reach the server by, without a port; the first is the one they are told. */
  readonly hostNames?: readonly string[];
  readonly tls?: TlsPair | undefined;
}

/** A certificate, with those that lead to its issuer, and its private key; both in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

const shortest = 16;
const longest = 256;

/** 192 bits. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Why a text cannot be the secret, to be said behind its name; the text itself is not repeated. */
export function secretProblem(secret: string): string | undefined {
  if (secret.length < shortest || secret.length > longest)
    return `has ${secret.length} characters, and ${shortest} to ${longest} are needed`;
  return /^[A-Za-z0-9_-]+$/.test(secret) ? undefined : 'has characters other than A-Z a-z 0-9 _ -';
}

/** Takes the same time whatever it is given. */
export function comparesWith(secret: string): (given: string) => boolean {
  const own = digest(secret);
  return (given) => timingSafeEqual(digest(given), own);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Where peers find a path of a server. */
export function endpointAt(host: string, port: number, path: string, exposure?: Exposure): Endpoint {
  const name = exposure?.hostNames?.[0] ?? (Object.hasOwn(everyAddress, host) ? everyAddress[host] : host);
  const place = name?.includes(':') ? `[${name}]` : name;
  if (exposure === undefined) return { url: `http://${place}:${port}${path}` };
  const { tls, secret } = exposure;
  return { url: `${tls === undefined ? 'http' : 'https'}://${place}:${port}/${secret}${path}`, secret };
}

/** The name under which peers on this machine reach an address that stands for all. */
const everyAddress: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };
