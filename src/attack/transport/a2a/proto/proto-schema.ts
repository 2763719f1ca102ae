import { type ProtoSchema, type Rpc, readLate } from '../../proto/read-proto.ts';

/** The schema of A2A 0.3. */
export const a2aSchema = readLate(new URL('./a2a-0.3.proto', import.meta.url));
export const a2aSchema1 = readLate(new URL('./a2a-1.0.proto', import.meta.url));

export function findRpc({ rpcs }: ProtoSchema, name: string): Rpc | undefined {
  return rpcs.find((rpc) => rpc.name === name);
}
