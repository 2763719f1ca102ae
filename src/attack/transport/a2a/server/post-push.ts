import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import type { Sent } from '../../../engine/ports.ts';
import { expandValue } from '../../expand-generated.ts';
import { formatConnectionFailure } from '../../http-failure.ts';
import { readJson } from '../../json-text.ts';
import type { A2aRequestBroker } from './request-broker.ts';

const patienceMs = 10_000;
const mostKept = 64 * 1024;

/** POSTs a notification and hands in the response. Redirects are not followed. */
export function postPush(params: Value | undefined, ask: string, desk: A2aRequestBroker, sent: Sent): void {
  const { url, headers, payload = null } = isValueMap(params) ? params : {};
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const fail = (reason: string): void => {
    const message = `the push notification to ${String(url)} was not delivered: ${reason}`;
    desk.receive({ kind: 'log', level: 'warn', message });
  };
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    fail('this is not an http or https URL');
    return;
  }
  const { value: held, cut } = expandValue(payload);
  const body = Buffer.from(stringifyJson(held));
  const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...pickTextHeaders(headers),
      'content-length': body.length,
    },
    agent: false,
    signal: AbortSignal.timeout(patienceMs),
  });
  request.on('finish', () => sent(session, undefined, undefined, cut));
  request.on('error', (error) => fail(formatConnectionFailure(error, target)));
  request.on('response', (response) => readAnswer(response, ask, desk));
  request.end(body);
}

function readAnswer(response: IncomingMessage, ask: string, desk: A2aRequestBroker): void {
  const chunks: Buffer[] = [];
  let kept = 0;
  response.on('data', (chunk: Buffer) => {
    if (kept < mostKept) chunks.push(chunk.subarray(0, mostKept - kept));
    kept += chunk.length;
    if (kept > mostKept) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => {
    const result = { status: response.statusCode ?? 0, body: readResponseText(Buffer.concat(chunks), desk) };
    desk.receive({ kind: 'answer', session, ask, answer: { kind: 'result', result } });
  });
}

/** A push belongs to none of the agent's connections. */
const session = 'push';

function readResponseText(bytes: Buffer, { limits }: A2aRequestBroker): Value {
  const read = readJson(bytes, limits.depth);
  return read.ok ? read.value : bytes.toString('utf8');
}

function pickTextHeaders(headers: Value | undefined): Record<string, string> {
  const map: ValueMap = isValueMap(headers) ? headers : {};
  const written = Object.entries(map).filter(
    // A value with a line break would begin a header of its own.
    ([, value]) => typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  return Object.fromEntries(written) as Record<string, string>;
}
