import type { IncomingMessage } from 'node:http';
import { isValueMap } from '../../model/value.ts';
import { readJson } from '../json-text.ts';

// What the head of a response says, and whether its body is a message.

/** What servers answer that do not know a POST at the place of their stream. */
export const olderAnswers = new Set([400, 404, 405]);

export function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

export function isJsonRpc(body: Buffer, depth: number): boolean {
  const json = readJson(body, depth);
  return json.ok && isValueMap(json.value) && json.value.jsonrpc === '2.0';
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Tokens are not carried to another host. */
export function redirection({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if ((statusCode !== 307 && statusCode !== 308) || headers.location === undefined) return undefined;
  if (!URL.canParse(headers.location, from.href)) return undefined;
  const to = new URL(headers.location, from);
  return to.origin === from.origin ? to : undefined;
}
