import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { isNumeric } from '../../../format/model/written-number.ts';
import { findMessageType, type MessageType, type ProtoField, type ProtoSchema } from './read-proto.ts';
import { writeNested, writeStruct, writeStructValue, writeTimestamp } from './well-known-types.ts';

/** Called with every path that the bytes cannot carry. */
export type Lost = (path: string) => void;

/** Encodes proto JSON to bytes. */
export function encodeProto(schema: ProtoSchema, type: string, value: Value, lost: Lost): Uint8Array {
  const writer = new BinaryWriter();
  if (!writeMessage(schema, writer, findMessageType(schema, type), value, '', lost)) lost('all of it');
  return writer.finish();
}

/** Writes as much as it can; false when nothing could be written. */
function writeMessage(
  schema: ProtoSchema,
  writer: BinaryWriter,
  type: MessageType,
  value: Value,
  path: string,
  lost: Lost,
): boolean {
  if (!isValueMap(value)) return false;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null || inner === undefined) continue;
    const place = path === '' ? key : `${path}.${key}`;
    const field = type.byName.get(key);
    if (field === undefined || !writeField(schema, writer, field, inner, place, lost)) lost(place);
  }
  return true;
}

function writeField(
  schema: ProtoSchema,
  writer: BinaryWriter,
  field: ProtoField,
  value: Value,
  path: string,
  lost: Lost,
): boolean {
  const { number, type, label } = field;
  switch (label) {
    case 'single':
      return writeOne(schema, writer, number, type, value, path, lost);
    case 'repeated': {
      if (!Array.isArray(value)) return false;
      for (const [index, item] of (value as readonly Value[]).entries()) {
        const place = `${path}[${index}]`;
        if (!writeOne(schema, writer, number, type, item, place, lost)) lost(place);
      }
      return true;
    }
    case 'map': {
      if (!isValueMap(value)) return false;
      for (const [key, item] of Object.entries(value)) {
        const place = `${path}.${key}`;
        writeNested(writer, number, () => {
          writer.tag(1, WireType.LengthDelimited).string(key);
          if (!writeOne(schema, writer, 2, type, item, place, lost)) lost(place);
        });
      }
      return true;
    }
  }
}

function writeOne(
  schema: ProtoSchema,
  writer: BinaryWriter,
  number: number,
  type: string,
  value: Value,
  path: string,
  lost: Lost,
): boolean {
  const write = scalars[type];
  if (write !== undefined) return write(writer, number, value);
  const members = schema.enums.get(type);
  if (members !== undefined) return writeMember(writer, number, members, value);
  if (!isValueMap(value)) return false;
  return writeNested(writer, number, () =>
    writeMessage(schema, writer, findMessageType(schema, type), value, path, lost),
  );
}

type WriteScalar = (writer: BinaryWriter, number: number, value: Value) => boolean;

const scalars: { readonly [type: string]: WriteScalar } = {
  string(writer, number, value) {
    if (typeof value !== 'string') return false;
    writer.tag(number, WireType.LengthDelimited).string(value);
    return true;
  },
  bytes(writer, number, value) {
    if (typeof value !== 'string' || !isBase64(value)) return false;
    writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(value, 'base64'));
    return true;
  },
  bool(writer, number, value) {
    if (typeof value !== 'boolean') return false;
    writer.tag(number, WireType.Varint).bool(value);
    return true;
  },
  int32(writer, number, value) {
    const integer = readInteger(value);
    if (integer === undefined) return false;
    writer.tag(number, WireType.Varint).int32(integer);
    return true;
  },
  Timestamp: writeTimestamp,
  Value: (writer, number, value) => writeNested(writer, number, () => writeStructValue(writer, value)),
  Struct: (writer, number, value) => isValueMap(value) && writeNested(writer, number, () => writeStruct(writer, value)),
};

function writeMember(
  writer: BinaryWriter,
  number: number,
  members: ReadonlyMap<string, number>,
  value: Value,
): boolean {
  const member = typeof value === 'string' ? members.get(value) : readInteger(value);
  if (member === undefined) return false;
  writer.tag(number, WireType.Varint).int32(member);
  return true;
}

function readInteger(value: Value): number | undefined {
  const integer = isNumeric(value) ? Number(value) : Number.NaN;
  return Number.isInteger(integer) && Math.abs(integer) < 2 ** 31 ? integer : undefined;
}

/** Text that is not base64 would be sent as bytes that the document does not mean. */
function isBase64(text: string): boolean {
  return /^[\w+/-]*={0,2}$/.test(text);
}
