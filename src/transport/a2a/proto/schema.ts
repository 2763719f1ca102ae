import { a2aProto } from './a2a-proto.ts';
import { type MessageType, type Rpc, readProto, type Schema } from './read-proto.ts';

let schema: Schema | undefined;

/** Read once, when it is first needed. */
export function a2aSchema(): Schema {
  schema ??= readProto(a2aProto);
  return schema;
}

export function messageType({ messages }: Schema, name: string): MessageType {
  const type = messages.get(name);
  if (type === undefined) throw new Error(`there is no message ${name}`);
  return type;
}

export function rpcOf({ rpcs }: Schema, name: string): Rpc | undefined {
  return rpcs.find((rpc) => rpc.name === name);
}
