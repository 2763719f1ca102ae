import type { IncomingMessage } from 'node:http';
import { isValueMap } from '../../../format/model/value.ts';
import { readJson } from '../json-text.ts';

// Reads the head of a response, and decides whether its body is a message.

/** Statuses of servers that do not accept a POST at the URL of their stream. */
export const olderAnswers = new Set([400, 404, 405]);

export function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export function isJsonResponse({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

export function isJsonRpc(body: Buffer, depth: number): boolean {
  const json = readJson(body, depth);
  return json.ok && isValueMap(json.value) && json.value.jsonrpc === '2.0';
}

export function readHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Redirects within the origin only: tokens are not sent to another host. */
export function findRedirection({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if ((statusCode !== 307 && statusCode !== 308) || headers.location === undefined) return undefined;
  if (!URL.canParse(headers.location, from.href)) return undefined;
  const to = new URL(headers.location, from);
  return to.origin === from.origin ? to : undefined;
}
