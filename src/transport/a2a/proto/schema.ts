import { type MessageType, type Rpc, readProto, type Schema } from '../../proto/read-proto.ts';
import { a2aProto } from './a2a-proto.ts';
import { a2aProto1 } from './a2a-proto-1.ts';

/** Reads a schema once, on first use. */
function readLate(text: string): () => Schema {
  let schema: Schema | undefined;
  return () => {
    schema ??= readProto(text);
    return schema;
  };
}

/** The schema of A2A 0.3. */
export const a2aSchema = readLate(a2aProto);
export const a2aSchema1 = readLate(a2aProto1);

export function messageType({ messages }: Schema, name: string): MessageType {
  const type = messages.get(name);
  if (type === undefined) throw new Error(`there is no message ${name}`);
  return type;
}

export function rpcOf({ rpcs }: Schema, name: string): Rpc | undefined {
  return rpcs.find((rpc) => rpc.name === name);
}
