import { type Rpc, readLate, type Schema } from '../../proto/read-proto.ts';
import { a2aProto } from './a2a-proto.ts';
import { a2aProto1 } from './a2a-proto-1.ts';

/** The schema of A2A 0.3. */
export const a2aSchema = readLate(a2aProto);
export const a2aSchema1 = readLate(a2aProto1);

export function rpcOf({ rpcs }: Schema, name: string): Rpc | undefined {
  return rpcs.find((rpc) => rpc.name === name);
}
