import { type BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Value } from '../../../format/model/value.ts';

// google.protobuf.Timestamp, which is ISO 8601 in JSON.

export function writeTimestamp(writer: BinaryWriter, number: number, value: Value): boolean {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) return false;
  const seconds = Math.floor(ms / 1_000);
  writer.tag(number, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(seconds);
  writer.tag(2, WireType.Varint).int32(Math.round((ms - seconds * 1_000) * 1e6));
  writer.join();
  return true;
}

const farthest = 8.64e12;

export function readTimestamp(reader: BinaryReader, end: number): string {
  let seconds = 0;
  let nanos = 0;
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    if (number === 1) seconds = Number(reader.int64());
    else if (number === 2) nanos = reader.int32();
    else reader.skip(wire, number);
  }
  if (Math.abs(seconds) > farthest) throw new Error('a time out of range');
  return new Date(seconds * 1_000 + Math.floor(nanos / 1e6)).toISOString();
}
