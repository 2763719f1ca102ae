import { type BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isValueMap, setOwn, type Value, type ValueMap } from '../../../format/model/value.ts';
import { WrittenNumber } from '../../../format/model/written-number.ts';

// google.protobuf.Struct: any JSON object; google.protobuf.Value: any JSON.

/** Writes a field that is a message. */
export function writeNested(writer: BinaryWriter, number: number, write: () => void): true {
  writer.tag(number, WireType.LengthDelimited).fork();
  write();
  writer.join();
  return true;
}

export function writeStruct(writer: BinaryWriter, struct: ValueMap): void {
  for (const [key, value] of Object.entries(struct)) {
    if (value === undefined) continue;
    writeNested(writer, 1, () => {
      writer.tag(1, WireType.LengthDelimited).string(key);
      writeNested(writer, 2, () => writeStructValue(writer, value));
    });
  }
}

export function writeStructValue(writer: BinaryWriter, value: Value): void {
  switch (typeof value) {
    case 'number':
      writer.tag(2, WireType.Bit64).double(value);
      return;
    case 'string':
      writer.tag(3, WireType.LengthDelimited).string(value);
      return;
    case 'boolean':
      writer.tag(4, WireType.Varint).bool(value);
      return;
  }
  if (value instanceof WrittenNumber) writer.tag(2, WireType.Bit64).double(Number(value));
  else if (isValueMap(value)) writeNested(writer, 5, () => writeStruct(writer, value));
  else if (Array.isArray(value))
    writeNested(writer, 6, () => {
      for (const item of value as readonly Value[]) writeNested(writer, 1, () => writeStructValue(writer, item));
    });
  else writer.tag(1, WireType.Varint).int32(0);
}

const deepest = 100;

export function readStruct(reader: BinaryReader, end: number, depth: number): ValueMap {
  if (depth > deepest) throw new Error('nested too deeply');
  const struct: Record<string, Value> = {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    if (number !== 1 || wire !== WireType.LengthDelimited) {
      reader.skip(wire, number);
      continue;
    }
    const entryEnd = readFieldEnd(reader);
    let key = '';
    let value: Value = null;
    while (reader.pos < entryEnd) {
      const [part, partWire] = reader.tag();
      if (part === 1) key = reader.string();
      else if (part === 2) value = readValue(reader, readFieldEnd(reader), depth + 1);
      else reader.skip(partWire, part);
    }
    setOwn(struct, key, value);
  }
  return struct;
}

export function readValue(reader: BinaryReader, end: number, depth: number): Value {
  let value: Value = null;
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    switch (number) {
      case 1:
        reader.int32();
        value = null;
        break;
      case 2:
        value = reader.double();
        break;
      case 3:
        value = reader.string();
        break;
      case 4:
        value = reader.bool();
        break;
      case 5:
        value = readStruct(reader, readFieldEnd(reader), depth + 1);
        break;
      case 6:
        value = readList(reader, readFieldEnd(reader), depth + 1);
        break;
      default:
        reader.skip(wire, number);
    }
  }
  return value;
}

function readList(reader: BinaryReader, end: number, depth: number): Value {
  if (depth > deepest) throw new Error('nested too deeply');
  const list: Value[] = [];
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    if (number === 1 && wire === WireType.LengthDelimited)
      list.push(readValue(reader, readFieldEnd(reader), depth + 1));
    else reader.skip(wire, number);
  }
  return list;
}

/** Reads a length, and returns the position where the field ends. */
export function readFieldEnd(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new Error('cut off');
  return end;
}

// google.protobuf.Timestamp, which is ISO 8601 in JSON.

export function writeTimestamp(writer: BinaryWriter, number: number, value: Value): boolean {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) return false;
  const seconds = Math.floor(ms / 1_000);
  return writeNested(writer, number, () => {
    writer.tag(1, WireType.Varint).int64(seconds);
    writer.tag(2, WireType.Varint).int32(Math.round((ms - seconds * 1_000) * 1e6));
  });
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
