import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import { decode } from '../proto/decode.ts';
import { encode } from '../proto/encode.ts';
import { notedBytes } from '../proto/noted-bytes.ts';
import { type Operation, operationOf } from '../proto/operations.ts';
import type { Rpc } from '../proto/read-proto.ts';
import { a2aSchema, rpcOf } from '../proto/schema.ts';
import type { Call } from './call.ts';
import type { Place } from './locate.ts';

/** One call over gRPC. Each has a connection of its own, as over HTTP. */
export function callGrpc(place: Place, method: string, params: Value | undefined, call: Call): void {
  const operation = operationOf(method);
  const rpc = operation && rpcOf(a2aSchema(), operation.rpc);
  if (operation === undefined || rpc === undefined) {
    call.end(`gRPC has no ${method}`);
    return;
  }
  const bytes = bytesOf(method, isValueMap(params) ? params : {}, operation, rpc, call);
  const { bodyBytes, silenceMs } = call.limits;
  const { protocol, host } = new URL(place.url.includes('://') ? place.url : `grpc://${place.url}`);
  const isSecure = protocol === 'https:' || protocol === 'grpcs:';
  const client = new Client(host, isSecure ? credentials.createSsl() : credentials.createInsecure(), {
    'grpc.max_receive_message_length': bodyBytes,
    'grpc.enable_retries': 0,
  });
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(place.headers)) metadata.set(name, value);
  const fail = (error: ServiceError): void => failCall(error, call);
  if (rpc.isStream) {
    const stream = client.makeServerStreamRequest(rpc.path, asIs, asIs, bytes, metadata);
    let timer = setTimeout(giveUp, silenceMs);
    let size = 0;
    function giveUp(): void {
      call.end(`nothing came for ${silenceMs / 1_000} s`);
    }
    call.onAbort(() => {
      clearTimeout(timer);
      stream.cancel();
      client.close();
    });
    stream.on('data', (data: Buffer) => {
      clearTimeout(timer);
      if (!call.isOver) timer = setTimeout(giveUp, silenceMs);
      size += data.length;
      if (size > call.limits.streamBytes)
        call.end(`its stream is longer than ${call.limits.streamBytes} bytes`);
      else take(data, operation, rpc, call, (item) => call.item(item, data, notedBytes(item)));
    });
    stream.on('end', () => call.end());
    stream.on('error', (error) => fail(error as ServiceError));
  } else {
    const deadline = Date.now() + silenceMs;
    const unary = client.makeUnaryRequest(
      rpc.path,
      asIs,
      asIs,
      bytes,
      metadata,
      { deadline },
      (error, data) => {
        if (error !== null) fail(error);
        else
          take(data ?? Buffer.alloc(0), operation, rpc, call, (result) =>
            call.answer({ kind: 'result', result }, notedBytes(result)),
          );
      },
    );
    call.onAbort(() => {
      unary.cancel();
      client.close();
    });
  }
  call.sent();
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

function bytesOf(method: string, params: ValueMap, operation: Operation, rpc: Rpc, call: Call): Buffer {
  const lost: string[] = [];
  const bytes = encode(a2aSchema(), rpc.request, operation.paramsToProto(params), (path) => lost.push(path));
  if (lost.length > 0)
    call.warn(
      'O-121',
      `${method}: gRPC cannot carry ${lost.slice(0, 8).join(', ')}, so the agent does not get it`,
    );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function take(bytes: Buffer, operation: Operation, rpc: Rpc, call: Call, use: (value: Value) => void): void {
  try {
    use(operation.resultFromProto(decode(a2aSchema(), rpc.response, bytes)));
  } catch (thrown) {
    const reason = `not a ${rpc.response}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    call.malformed(bytes, reason);
    if (!rpc.isStream) call.end(reason);
  }
}

/** The code that A2A has for it, where it is the agent that refuses. */
const codes: ReadonlyMap<number, number> = new Map([
  [status.NOT_FOUND, -32001],
  [status.FAILED_PRECONDITION, -32002],
  [status.UNIMPLEMENTED, -32004],
  [status.INVALID_ARGUMENT, -32602],
  [status.INTERNAL, -32603],
  [status.UNKNOWN, -32603],
]);

/** Nobody is there, or lets us in to nothing. */
const absences: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
]);

function failCall({ code, details }: ServiceError, call: Call): void {
  const known = codes.get(code);
  if (code === status.DEADLINE_EXCEEDED) call.end(`nothing came for ${call.limits.silenceMs / 1_000} s`);
  else if (known === undefined)
    call.end(`gRPC ${status[code] ?? code}: ${details}`, { absent: absences.has(code) });
  else call.answer({ kind: 'error', error: { code: known, message: details, data: { grpc: code } } });
}
