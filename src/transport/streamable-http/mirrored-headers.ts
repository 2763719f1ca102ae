import type { IncomingHttpHeaders } from 'node:http';
import { isValueMap, type Value } from '../../model/value.ts';
import { metaKey } from '../../registry/mcp-2026.ts';
import type { Frame } from '../json-rpc.ts';
import { metaIn } from '../sessions/era-2026.ts';

// Since 2026-07-28 a request says the same in its headers as in its body, so that proxies need not read bodies.

/** The param that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** What of a request's headers is missing, or not what its body says. */
export function headerMismatch(headers: IncomingHttpHeaders, frame: Frame): string | undefined {
  if (frame.kind !== 'request') return undefined;
  const { method, params } = frame;
  const version = metaIn(params)[metaKey.protocolVersion];
  const key = namedBy.get(method);
  const name = key !== undefined && isValueMap(params) ? params[key] : undefined;
  return (
    differs('MCP-Protocol-Version', headers['mcp-protocol-version'], version) ??
    differs('Mcp-Method', headers['mcp-method'], method) ??
    (key === undefined ? undefined : differs('Mcp-Name', decoded(headers['mcp-name']), name))
  );
}

/** The headers that repeat what a request of 2026-07-28 or later says; none for one that does not say its version. */
export function mirroredHeaders(method: string, params: Value | undefined): Record<string, string> {
  const version = metaIn(params)[metaKey.protocolVersion];
  if (typeof version !== 'string' || !isPlain(version) || !isPlain(method)) return {};
  const key = namedBy.get(method);
  const name = key !== undefined && isValueMap(params) ? params[key] : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encoded(name) }),
  };
}

/** Headers as a document orders them: its own take the place of others, and `null` leaves one out. */
export function inManner(headers: Record<string, string>, manner: Value | undefined): Record<string, string> {
  const ordered = isValueMap(manner) && isValueMap(manner.headers) ? manner.headers : {};
  const own = Object.entries(ordered).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all: Record<string, Value> = { ...headers, ...Object.fromEntries(own) };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || !/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) ? [] : [[name, carried(String(value))]],
    ),
  );
}

/** What no header can carry as it is goes out in base64. */
function carried(value: string): string {
  return /^[\x20-\x7e]*$/.test(value) ? value : encoded(value);
}

/** A value as a header carries it. */
export function encoded(value: string): string {
  const isCarried = isPlain(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isCarried ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Whether a header carries it as it is. */
function isPlain(value: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

function differs(
  header: string,
  given: string | readonly string[] | undefined,
  said: Value | undefined,
): string | undefined {
  if (typeof said !== 'string') return undefined;
  if (typeof given !== 'string') return `the header ${header} is missing`;
  return given.trim() === said ? undefined : `the header ${header} is not what the body says`;
}

/** A value that no header can carry is written in base64. */
function decoded(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, base64] = /^\s*=\?base64\?(.*)\?=\s*$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}

/** What a request repeats of its arguments, by the names in lower case that stand behind `Mcp-Param-`. */
export function paramHeaders(headers: IncomingHttpHeaders): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const text = name.startsWith(paramPrefix) ? decoded(value) : undefined;
      return text === undefined ? [] : [[name.slice(paramPrefix.length), text.trim()]];
    }),
  );
}

const paramPrefix = 'mcp-param-';

/** Whether headers say that a request is of 2026-07-28 or later. */
export function saysEra2026(headers: IncomingHttpHeaders): boolean {
  const version = headers['mcp-protocol-version'];
  return typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2026-07-28';
}
