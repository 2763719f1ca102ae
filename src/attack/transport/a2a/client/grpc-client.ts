import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import { expandValue } from '../../expand-generated.ts';
import { decodeProto } from '../../proto/decode-proto.ts';
import { encodeProto } from '../../proto/encode-proto.ts';
import type { Rpc } from '../../proto/read-proto.ts';
import { readDetailsCode } from '../errors-1.ts';
import { type A2aDialect, type A2aOperation, findOperation, findRpc } from '../proto/a2a-operations.ts';
import { noteFileBytes } from '../proto/note-file-bytes.ts';
import type { OutgoingCall } from './call.ts';
import type { A2aEndpoint } from './locate-endpoint.ts';

/** Makes one call over gRPC. Each call has its own connection, as over HTTP. */
export function callGrpc(place: A2aEndpoint, method: string, params: Value | undefined, call: OutgoingCall): void {
  const { dialect } = place;
  const operation = findOperation(dialect, method);
  const rpc = operation && findRpc(dialect.schema(), operation.rpc);
  if (operation === undefined || rpc === undefined) {
    call.end(`gRPC has no ${method}`);
    return;
  }
  // A gRPC message is sent as one piece, so generated values are made in full.
  const held = expandValue(isValueMap(params) ? params : {});
  if (held.cut !== undefined) call.cutTo(held.cut);
  const written = operation.paramsToProto(held.value as ValueMap);
  call.inEra(dialect.era, written);
  const bytes = encodeRequest(method, written, dialect, rpc, call);
  const { bodyBytes, silenceMs } = call.limits;
  const { protocol, hostname, port } = new URL(place.url);
  const isSecure = protocol === 'https:' || protocol === 'grpcs:';
  // HTTP URLs leave out the default port; for a missing port gRPC would always take 443.
  const host = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  const client = new Client(host, isSecure ? credentials.createSsl() : credentials.createInsecure(), {
    'grpc.max_receive_message_length': bodyBytes,
    'grpc.enable_retries': 0,
  });
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(place.headers)) metadata.set(name, value);
  const fail = (error: ServiceError): void => failCall(error, dialect, call);
  if (rpc.isStream) {
    const stream = client.makeServerStreamRequest(rpc.path, keepBytes, keepBytes, bytes, metadata);
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
      if (size > call.limits.streamBytes) call.end(`its stream is longer than ${call.limits.streamBytes} bytes`);
      else
        takeResponse(data, place, operation, rpc, call, (item, wire) =>
          call.item(item, data, { noted: noteFileBytes(item), wire }),
        );
    });
    stream.on('end', () => call.end());
    stream.on('error', (error) => fail(error as ServiceError));
  } else {
    const deadline = Date.now() + silenceMs;
    const unary = client.makeUnaryRequest(
      rpc.path,
      keepBytes,
      keepBytes,
      bytes,
      metadata,
      { deadline },
      (error, data) => {
        if (error !== null) fail(error);
        else
          takeResponse(data ?? Buffer.alloc(0), place, operation, rpc, call, (result, wire) =>
            call.answer({ kind: 'result', result }, { noted: noteFileBytes(result), wire }),
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

function keepBytes(bytes: Buffer): Buffer {
  return bytes;
}

function encodeRequest(method: string, written: ValueMap, dialect: A2aDialect, rpc: Rpc, call: OutgoingCall): Buffer {
  const lost: string[] = [];
  const bytes = encodeProto(dialect.schema(), rpc.request, written, (path) => lost.push(path));
  if (lost.length > 0) {
    const cut = `gRPC cannot carry ${lost.slice(0, 8).join(', ')}`;
    call.cutTo(cut);
    call.warn('O-121', `${method}: ${cut}, so the agent does not get it`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function takeResponse(
  bytes: Buffer,
  { dialect }: A2aEndpoint,
  operation: A2aOperation,
  rpc: Rpc,
  call: OutgoingCall,
  use: (value: Value, wire: Value) => void,
): void {
  try {
    const wire = decodeProto(dialect.schema(), rpc.response, bytes);
    use(operation.resultFromProto(wire), wire);
  } catch (thrown) {
    const reason = `not a ${rpc.response}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    call.malformed(bytes, reason);
    if (!rpc.isStream) call.end(reason);
  }
}

/** The A2A code for a gRPC status with which the agent refuses. */
const codes: ReadonlyMap<number, number> = new Map([
  [status.NOT_FOUND, -32001],
  [status.FAILED_PRECONDITION, -32002],
  [status.UNIMPLEMENTED, -32004],
  [status.INVALID_ARGUMENT, -32602],
  [status.INTERNAL, -32603],
  [status.UNKNOWN, -32603],
]);

/** Statuses that mean that no agent is there, or that it gives us no access. */
const absences: ReadonlySet<status> = new Set([status.UNAVAILABLE, status.UNAUTHENTICATED, status.PERMISSION_DENIED]);

function failCall({ code, details, metadata }: ServiceError, dialect: A2aDialect, call: OutgoingCall): void {
  const known = readA2aCode(metadata, dialect) ?? codes.get(code);
  if (code === status.DEADLINE_EXCEEDED) call.end(`nothing came for ${call.limits.silenceMs / 1_000} s`);
  else if (known === undefined) call.end(`gRPC ${status[code] ?? code}: ${details}`, { absent: absences.has(code) });
  else call.answer({ kind: 'error', error: { code: known, message: details, data: { grpc: code } } });
}

/** Since 1.0 the details of an error name the A2A error. */
function readA2aCode(metadata: Metadata | undefined, dialect: A2aDialect): number | undefined {
  const [bytes] = metadata?.get('grpc-status-details-bin') ?? [];
  if (dialect.era === undefined || !Buffer.isBuffer(bytes)) return undefined;
  try {
    const { details } = decodeProto(dialect.schema(), 'Status', bytes);
    const packed = Array.isArray(details) ? (details as readonly Value[]).filter(isValueMap) : [];
    const infos = packed.map(({ value }) =>
      decodeProto(dialect.schema(), 'ErrorInfo', Buffer.from(String(value ?? ''), 'base64')),
    );
    return readDetailsCode(infos);
  } catch {
    return undefined;
  }
}
