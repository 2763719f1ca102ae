import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { WireHttp } from '../../model/wire.ts';

const compressions = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

export function compressed(bytes: Buffer, by: WireHttp['compress']): Buffer {
  return by === undefined ? bytes : compressions[by](bytes);
}
