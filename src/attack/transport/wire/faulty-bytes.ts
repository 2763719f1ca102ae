import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type {
  AppliedWireRule,
  WireBytes,
  WireHttp,
  WirePerformed,
  WirePoint,
} from '../../../format/model/applied-wire-rule.ts';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import type { Value } from '../../../format/model/value.ts';
import { expandText } from '../expand-generated.ts';

/** The bytes that are written in place of a text, and the reason why they cannot be read as that text. */
export interface FaultyBytes {
  readonly bytes: Buffer;
  /** Whether the bytes differ from those of the text. */
  readonly isOther: boolean;
  readonly harm?: string;
}

export function createFaultyBytes(text: string, { bytes: fault }: Pick<AppliedWireRule, 'bytes'>): FaultyBytes {
  // A fault applies to the whole text, so generated values are made first.
  const made = expandText(text) ?? text;
  if (fault === undefined) return { bytes: Buffer.from(made), isOther: false };
  const { repeatKey, corrupt: put, cut } = fault;
  const whole = Buffer.from(repeatKey === undefined ? made : repeatKeys(made, repeatKey));
  const corrupted = put === undefined ? whole : corruptBytes(whole, put);
  const length = cut === undefined ? corrupted.length : computeOffset(cut, corrupted.length);
  const bytes = corrupted.subarray(0, length);
  const isOther = repeatKey !== undefined || !bytes.equals(whole);
  if (length < corrupted.length)
    return { bytes, isOther, harm: `it was cut after ${length} of ${corrupted.length} bytes` };
  return { bytes, isOther, ...(!bytes.equals(whole) && { harm: 'its bytes were corrupted' }) };
}

/** The fields that record bytes that differ from the message. */
export function describeBytes(bytes: Buffer): Pick<WirePerformed, 'bytes' | 'sha256' | 'head'> {
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    head: bytes.subarray(0, headBytes).toString('base64'),
  };
}

const headBytes = 96;

/** Reports bytes of which `count` were written; `harm` says why they cannot be read as the message. */
export function describeWritten(
  bytes: Buffer,
  count: number,
  { harm, isOther, unapplied }: { harm?: string | undefined; isOther: boolean } & Pick<WirePerformed, 'unapplied'>,
): WirePerformed {
  const isCut = count < bytes.length;
  const wrong = harm ?? (isCut ? `only ${count} of ${bytes.length} bytes were written` : undefined);
  return {
    ...(unapplied !== undefined && { unapplied }),
    ...(wrong !== undefined && { harm: wrong }),
    ...((isOther || isCut) && describeBytes(bytes.subarray(0, count))),
  };
}

/** Copies of a message are held in memory at once, so their total is limited; two are always allowed. */
const mostCopied = 64 * 1024 ** 2;

export function repeatBytes(bytes: Buffer, times: number): readonly Buffer[] {
  const most = Math.max(2, Math.floor(mostCopied / Math.max(1, bytes.length)));
  return Array.from({ length: Math.min(times, most) }, () => bytes);
}

function computeOffset(point: WirePoint, length: number): number {
  if (typeof point === 'number') return Math.min(point, length);
  return Math.floor((Number.parseInt(point, 10) / 100) * length);
}

/** Bytes that can neither begin nor continue a UTF-8 character. */
const invalidUtf8 = Buffer.from([0xff, 0xfe]);
const zeros = Buffer.alloc(4);

function corruptBytes(bytes: Buffer, { at, with: by, text = '' }: NonNullable<WireBytes['corrupt']>): Buffer {
  const offset = computeOffset(at, bytes.length);
  const put = by === 'invalid_utf8' ? invalidUtf8 : by === 'zeros' ? zeros : Buffer.from(text);
  return Buffer.concat([bytes.subarray(0, offset), put, bytes.subarray(offset)]);
}

/** JSON does not define which of two equal keys counts; most readers take the last. */
function repeatKeys(text: string, keys: NonNullable<WireBytes['repeatKey']>): string {
  const result = /"(?:result|error|params)":\{/.exec(text);
  const at = result === null ? text.indexOf('{') + 1 : result.index + result[0].length;
  const pairs = Object.entries(keys).map(([key, value]) => `${stringifyJson(key)}:${stringifyJson(value as Value)}`);
  return `${text.slice(0, at)}${pairs.join(',')}${text[at] === '}' ? '' : ','}${text.slice(at)}`;
}

const compressions = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

export function compress(bytes: Buffer, by: WireHttp['compress']): Buffer {
  return by === undefined ? bytes : compressions[by](bytes);
}
