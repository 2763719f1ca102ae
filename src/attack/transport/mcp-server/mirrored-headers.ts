import type { IncomingHttpHeaders } from 'node:http';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { metaKey, readRequestMeta } from '../../../format/registry/mcp-2026.ts';
import type { Frame } from '../json-rpc-frames.ts';

// Since 2026-07-28 a request repeats parts of its body in its headers, so that proxies need not read bodies.

/** The param that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Describes a header that is missing, cannot be decoded, or differs from the body. */
export function findHeaderMismatch(headers: IncomingHttpHeaders, frame: Frame): string | undefined {
  if (frame.kind !== 'request') return undefined;
  const damaged = Object.keys(headers).find(
    (name) => (name === 'mcp-name' || name.startsWith(paramPrefix)) && decodeHeaderValue(headers[name]) === undefined,
  );
  if (damaged !== undefined) return `the base64 of the header ${damaged} is invalid`;
  const { method, params } = frame;
  const version = readRequestMeta(params)[metaKey.protocolVersion];
  const key = namedBy.get(method);
  const name = key !== undefined && isValueMap(params) ? params[key] : undefined;
  return (
    describeHeaderDifference('MCP-Protocol-Version', headers['mcp-protocol-version'], version) ??
    describeHeaderDifference('Mcp-Method', headers['mcp-method'], method) ??
    (key === undefined ? undefined : describeHeaderDifference('Mcp-Name', decodeHeaderValue(headers['mcp-name']), name))
  );
}

/**
 * The headers that repeat the body of a request of 2026-07-28 or later; none for a request that does not name its
 * version.
 */
export function mirrorRequest(method: string, params: Value | undefined): Record<string, string> {
  const version = readRequestMeta(params)[metaKey.protocolVersion];
  if (typeof version !== 'string' || !isPlain(version) || !isPlain(method)) return {};
  const key = namedBy.get(method);
  const name = key !== undefined && isValueMap(params) ? params[key] : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

/** Changes headers as a document asks: its own replace others, and `null` removes one. */
export function applyHeaderManner(headers: Record<string, string>, manner: Value | undefined): Record<string, string> {
  const ordered = isValueMap(manner) && isValueMap(manner.headers) ? manner.headers : {};
  const own = Object.entries(ordered).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all: Record<string, Value> = { ...headers, ...Object.fromEntries(own) };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) ? [] : [[name, encodeIfNeeded(String(value))]],
    ),
  );
}

/** Encodes a value in base64 if a header cannot carry it. */
function encodeIfNeeded(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : encodeHeaderValue(value);
}

/** Writes a value as a header carries it. */
export function encodeHeaderValue(value: string): string {
  const isCarried = isPlain(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isCarried ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Tells whether a header can carry a value unchanged. */
function isPlain(value: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

function describeHeaderDifference(
  header: string,
  given: string | readonly string[] | undefined,
  expected: Value | undefined,
): string | undefined {
  if (typeof expected !== 'string') return undefined;
  if (typeof given !== 'string') return `the header ${header} is missing`;
  return given.trim() === expected ? undefined : `the header ${header} is not what the body says`;
}

/** Reads a header value, which may be in base64; nothing if that is invalid, or not of UTF-8 (SEP-2243). */
function decodeHeaderValue(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, base64] = /^\s*=\?base64\?(.*)\?=\s*$/.exec(value) ?? [];
  if (base64 === undefined) return value;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  return Buffer.from(text).toString('base64') === base64 ? text : undefined;
}

/** The arguments that a request repeats in headers, by their lower-case names after `Mcp-Param-`. */
export function readParamHeaders(headers: IncomingHttpHeaders): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = name.startsWith(paramPrefix) ? decodeHeaderValue(value) : undefined;
      return text === undefined ? [] : [[name.slice(paramPrefix.length), text.trim()]];
    }),
  );
}

const paramPrefix = 'mcp-param-';

/** Tells whether headers declare a request of 2026-07-28 or later. */
export function saysEra2026(headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  return typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2026-07-28';
}
