import type { WireHttp } from '../../../format/model/applied-wire-rule.ts';
import { dropNullHeaders } from '../../engine/apply-wire-rule.ts';

// The head of a response as a rule of the document changes it, and whether a client reads the body after it.

interface Headers {
  readonly [name: string]: string;
}

export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface RuledHead extends Head {
  /** Whether the rule has changed anything. */
  readonly isOther: boolean;
  /** The reason why no client reads the body correctly. */
  readonly harm?: string;
}

export interface HeadBody {
  /** Undefined while the length is unknown. */
  readonly length?: number;
  /** The encodings that the client accepts. */
  readonly acceptEncoding?: string | string[] | undefined;
}

export function applyRuleToHead(base: Head, http: WireHttp, body: HeadBody): RuledHead {
  const { status = base.status, contentType, compress } = http;
  const actions = mergeHeaders(
    {
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...(compress !== undefined && { 'Content-Encoding': compress }),
    },
    http.headers ?? {},
  );
  const headers = dropNullHeaders(mergeHeaders(base.headers, actions));
  const harm = findStatusHarm(status, base.status) ?? findHeaderHarm(base.headers, headers, compress, body);
  const isOther = status !== base.status || compress !== undefined || !isSame(base.headers, headers);
  return { status, headers, isOther, ...(harm !== undefined && { harm }) };
}

/**
 * Success with a body that clients read. They take 202 as the end of the exchange, and the body of 204 and 205 is never
 * sent.
 */
const readable: ReadonlySet<number> = new Set([200, 201, 203]);

function findStatusHarm(status: number, due: number): string | undefined {
  return status === due || readable.has(status) ? undefined : `it went out with the HTTP status ${status}`;
}

function findHeaderHarm(
  base: Headers,
  headers: Headers,
  compress: WireHttp['compress'],
  { length, acceptEncoding }: HeadBody,
): string | undefined {
  const type = findHeader(headers, 'content-type');
  if (!isSameType(type, findHeader(base, 'content-type'))) return `it went out as ${type ?? 'nothing known'}`;
  const coding = findHeader(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== (compress ?? 'identity')) return `it went out as ${coding}, which it was not`;
  if (compress !== undefined && !isAccepted(compress, String(acceptEncoding ?? '')))
    return `nobody had accepted ${compress}`;
  const counted = findHeader(headers, 'content-length');
  if (counted !== undefined && counted !== String(length)) return 'it went out with a length that was not its own';
  return findHeader(headers, 'transfer-encoding') === undefined
    ? undefined
    : 'it went out with a transfer coding that was not its own';
}

/** Header names ignore case. */
function mergeHeaders(
  base: { readonly [name: string]: string | null },
  over: { readonly [name: string]: string | null },
): { readonly [name: string]: string | null } {
  const names = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(base).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...Object.entries(over)]);
}

function isSame(some: Headers, others: Headers): boolean {
  const names = Object.keys(some);
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => findHeader(others, name.toLowerCase()) === some[name])
  );
}

function findHeader(headers: Headers, lower: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lower)?.[1];
}

/** The same type, and no charset other than the one that is written. */
function isSameType(type: string | undefined, due: string | undefined): boolean {
  const [name, ...params] = (type ?? '').toLowerCase().split(';');
  const [dueName] = (due ?? '').toLowerCase().split(';');
  return (
    name?.trim() === dueName?.trim() &&
    params.every((each) => !/^\s*charset\s*=/.test(each) || /=\s*"?utf-?8"?\s*$/.test(each))
  );
}

function isAccepted(coding: string, accepted: string): boolean {
  const ranges = accepted
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((each) => each.trim()));
  const range = ranges.find(([name]) => name === coding) ?? ranges.find(([name]) => name === '*');
  return range !== undefined && !range.some((each) => /^q=0(?:\.0*)?$/.test(each));
}
