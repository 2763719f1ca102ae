import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { WireHttp } from '../../../format/model/applied-wire-rule.ts';

const compressions = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

export function compress(bytes: Buffer, by: WireHttp['compress']): Buffer {
  return by === undefined ? bytes : compressions[by](bytes);
}
