import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { setOwn, type Value, type ValueMap } from '../../../format/model/value.ts';
import { findMessageType, type MessageType, type ProtoField, type ProtoSchema } from './read-proto.ts';
import { readFieldEnd, readStruct, readTimestamp, readValue } from './well-known-types.ts';

/** Decodes bytes to proto JSON. Throws on bytes that are not such a message. */
export function decodeProto(schema: ProtoSchema, type: string, bytes: Uint8Array): ValueMap {
  return readMessage(schema, new BinaryReader(bytes), bytes.length, findMessageType(schema, type), 0);
}

const deepest = 100;

function readMessage(
  schema: ProtoSchema,
  reader: BinaryReader,
  end: number,
  type: MessageType,
  depth: number,
): ValueMap {
  if (depth > deepest) throw new Error('nested too deeply');
  const message: Record<string, Value> = {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    const field = type.byNumber.get(number);
    if (field === undefined || wire !== chooseWireType(schema, field)) reader.skip(wire, number);
    else readField(schema, reader, field, message, depth);
  }
  return message;
}

const varints: ReadonlySet<string> = new Set(['bool', 'int32', 'int64']);

function chooseWireType({ enums }: ProtoSchema, { type, label }: ProtoField): WireType {
  if (label === 'map') return WireType.LengthDelimited;
  return varints.has(type) || enums.has(type) ? WireType.Varint : WireType.LengthDelimited;
}

function readField(
  schema: ProtoSchema,
  reader: BinaryReader,
  { jsonName, type, label }: ProtoField,
  message: Record<string, Value>,
  depth: number,
): void {
  if (label === 'map') {
    const entry = readEntry(schema, reader, type, depth);
    const map = { ...(message[jsonName] as ValueMap | undefined) };
    setOwn(map, entry.key, entry.value);
    message[jsonName] = map;
    return;
  }
  const value = readOne(schema, reader, type, depth);
  if (label === 'single') message[jsonName] = value;
  else {
    const list = (message[jsonName] as Value[] | undefined) ?? [];
    list.push(value);
    message[jsonName] = list;
  }
}

function readEntry(
  schema: ProtoSchema,
  reader: BinaryReader,
  type: string,
  depth: number,
): { readonly key: string; readonly value: Value } {
  const end = readFieldEnd(reader);
  let key = '';
  let value: Value = type === 'string' ? '' : {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    if (number === 1) key = reader.string();
    else if (number === 2) value = readOne(schema, reader, type, depth + 1);
    else reader.skip(wire, number);
  }
  return { key, value };
}

function readOne(schema: ProtoSchema, reader: BinaryReader, type: string, depth: number): Value {
  const members = schema.enums.get(type);
  if (members !== undefined) {
    const number = reader.int32();
    return [...members].find(([, value]) => value === number)?.[0] ?? number;
  }
  switch (type) {
    case 'string':
      return reader.string();
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return Number(reader.int64());
    case 'Timestamp':
      return readTimestamp(reader, readFieldEnd(reader));
    case 'Value':
      return readValue(reader, readFieldEnd(reader), depth + 1);
    case 'Struct':
      return readStruct(reader, readFieldEnd(reader), depth + 1);
    default:
      return readMessage(schema, reader, readFieldEnd(reader), findMessageType(schema, type), depth + 1);
  }
}
