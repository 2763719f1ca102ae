import { a2aProto } from './a2a-proto.ts';
import { type MessageType, readProto, type Schema } from './read-proto.ts';

let schema: Schema | undefined;

/** Read once, when it is first needed. */
export function a2aSchema(): Schema {
  schema ??= readProto(a2aProto);
  return schema;
}

export function messageType(name: string): MessageType {
  const type = a2aSchema().messages.get(name);
  if (type === undefined) throw new Error(`there is no message ${name}`);
  return type;
}
