import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Value, ValueMap } from '../../model/value.ts';
import type { Field, Schema } from '../proto/read-proto.ts';
import { readStruct, readValue } from '../proto/struct.ts';

const deepest = 100;

/** Decodes bytes to a message of the schema. Throws on bytes that are not one. */
export function readMessage(schema: Schema, type: string, bytes: Uint8Array): ValueMap {
  return read(schema, type, new BinaryReader(bytes), bytes.length, 0);
}

function read(schema: Schema, type: string, reader: BinaryReader, end: number, depth: number): ValueMap {
  if (depth > deepest) throw new Error('nested too deeply');
  const fields = schema.messages.get(type)?.byNumber;
  const message: Record<string, Value> = {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    const field = fields?.get(number);
    if (field === undefined || wire !== wireOf(field)) {
      reader.skip(wire, number);
      continue;
    }
    const value = readField(schema, field, reader, depth);
    if (field.label !== 'repeated') message[field.jsonName] = value;
    else {
      const list = (message[field.jsonName] as Value[] | undefined) ?? [];
      list.push(value);
      message[field.jsonName] = list;
    }
  }
  return message;
}

const varints: ReadonlySet<string> = new Set(['bool', 'int32', 'int64']);

function wireOf({ type }: Field): WireType {
  return varints.has(type) ? WireType.Varint : WireType.LengthDelimited;
}

function readField(schema: Schema, { type }: Field, reader: BinaryReader, depth: number): Value {
  switch (type) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return Number(reader.int64());
    case 'Value':
      return readValue(reader, endOf(reader), depth + 1);
    case 'Struct':
      return readStruct(reader, endOf(reader), depth + 1);
    default:
      return read(schema, type, reader, endOf(reader), depth + 1);
  }
}

function endOf(reader: BinaryReader): number {
  const end = reader.uint32() + reader.pos;
  if (end > reader.len) throw new Error('cut off');
  return end;
}
