import type { Socket } from 'node:net';
import {
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import { type Door, withoutSecret } from '../../exposure/door.ts';
import { recordMalformed } from '../../sessions/record-malformed.ts';
import type { Guard } from '../../streamable-http/guard.ts';
import { decode } from '../proto/decode.ts';
import { encode } from '../proto/encode.ts';
import { notedBytes } from '../proto/noted-bytes.ts';
import { type Operation, operations } from '../proto/operations.ts';
import type { Rpc } from '../proto/read-proto.ts';
import { a2aSchema, rpcOf } from '../proto/schema.ts';
import type { Desk, Reply } from './desk.ts';

export interface GrpcDoor {
  accept(socket: Socket): void;
  close(): Promise<void>;
}

/** What keeps strangers out, where there are any. */
interface Entrance {
  readonly door: Door;
  readonly guard: Guard;
}

type Unary = ServerUnaryCall<Buffer, Buffer>;
type Streaming = ServerWritableStream<Buffer, Buffer>;

interface Failure {
  readonly code: number;
  readonly details: string;
}

/** What a call is answered by, in one piece or in many. */
interface Carrier {
  part(bytes: Buffer): void;
  last(bytes: Buffer): void;
  fail(failure: Failure): void;
}

interface Called {
  readonly method: string;
  readonly operation: Operation;
  readonly rpc: Rpc;
}

/** The service on connections that somebody else has accepted. Bytes are ours to read, so that wrong ones are recorded. */
export function openGrpc(desk: Desk, entrance: Entrance | undefined): GrpcDoor {
  const { limits } = desk;
  const sockets = new Map<string, Socket>();
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.max_concurrent_streams': limits.exchangesPerSession,
    ...(entrance !== undefined && { interceptors: [turnAwayAt(entrance, (peer) => sockets.get(peer))] }),
  });
  for (const [method, operation] of Object.entries(operations)) {
    const rpc = rpcOf(a2aSchema(), operation.rpc);
    if (rpc === undefined) continue;
    const called = { method, operation, rpc };
    const handle = rpc.isStream
      ? (call: Streaming) => take(call, inParts(call), called)
      : (call: Unary, done: sendUnaryData<Buffer>) => take(call, inOne(done), called);
    server.addService({ [rpc.name]: definitionOf(rpc) }, { [rpc.name]: handle });
  }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());

  function take(call: Unary | Streaming, carrier: Carrier, called: Called): void {
    const params = paramsOf(call.request, called);
    if (typeof params === 'string') carrier.fail({ code: status.INVALID_ARGUMENT, details: params });
    else if (!desk.hasRoom) carrier.fail({ code: status.RESOURCE_EXHAUSTED, details: 'too many requests' });
    else {
      const socket = sockets.get(call.getPeer());
      const session = socket === undefined ? 'grpc' : desk.sessionOf(socket);
      const reply = replyOf(call, carrier, called);
      desk.take({ session, method: called.method, params, noted: notedBytes(params), reply });
    }
  }

  /** The params, or why there are none. */
  function paramsOf(bytes: Buffer, { operation, rpc: { request } }: Called): ValueMap | string {
    try {
      return operation.paramsFromProto(decode(a2aSchema(), request, bytes));
    } catch (thrown) {
      const reason = `not a ${request}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      recordMalformed(desk, reason, { bytes });
      return reason;
    }
  }

  function replyOf(call: Unary | Streaming, carrier: Carrier, called: Called): Reply {
    const unlessGone = (write: () => void): boolean => {
      if (call.cancelled) return false;
      write();
      return true;
    };
    return {
      get isGone() {
        return call.cancelled;
      },
      part: (content) => unlessGone(() => carrier.part(bytesOf(content, called))),
      answer: (answer) =>
        unlessGone(() => {
          if (answer.kind === 'error') carrier.fail(failureOf(answer.error));
          else carrier.last(bytesOf(answer.result, called));
        }),
    };
  }

  function bytesOf(result: Value, { method, operation, rpc }: Called): Buffer {
    const lost: string[] = [];
    const bytes = encode(a2aSchema(), rpc.response, operation.resultToProto(result), (path) =>
      lost.push(path),
    );
    if (lost.length > 0)
      desk.warn('O-121', `${method}: gRPC cannot carry ${listed(lost)}, so the agent does not get it`);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  return {
    accept(socket) {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      sockets.set(peer, socket);
      socket.once('close', () => sockets.delete(peer));
      injector.injectConnection(socket);
    },
    async close() {
      injector.destroy();
      server.forceShutdown();
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}

/** There is no path that could hold the secret, so it is a bearer token. Without it, there is no such method. */
function turnAwayAt(
  { door, guard }: Entrance,
  socketOf: (peer: string) => Socket | undefined,
): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, receive) {
            const [authorization] = metadata.get('authorization');
            const socket = socketOf(call.getPeer());
            const reason = door.opensFor(authorization?.toString())
              ? guard({ host: call.getHost() })
              : withoutSecret;
            if (reason === undefined) {
              if (socket !== undefined) door.admit(socket);
              return receive(metadata);
            }
            door.refuse(`gRPC ${path}`, reason, socket?.remoteAddress);
            const details = `The server does not implement the method ${path}`;
            call.sendStatus({ code: status.UNIMPLEMENTED, details });
          },
        }),
    });
}

function inOne(done: sendUnaryData<Buffer>): Carrier {
  return { part() {}, last: (bytes) => done(null, bytes), fail: (failure) => done(failure) };
}

function inParts(call: Streaming): Carrier {
  // A peer that leaves in the middle is no fault of ours.
  call.on('error', () => {});
  return {
    part: (bytes) => void call.write(bytes),
    last(bytes) {
      call.write(bytes);
      call.end();
    },
    fail: (failure) => void call.emit('error', failure),
  };
}

const asIs = (bytes: Buffer): Buffer => bytes;

function definitionOf({ path, isStream }: Rpc) {
  return {
    path,
    requestStream: false,
    responseStream: isStream,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  } as const;
}

const codes: { readonly [code: string]: number } = {
  '-32001': status.NOT_FOUND,
  '-32002': status.FAILED_PRECONDITION,
  '-32003': status.UNIMPLEMENTED,
  '-32004': status.UNIMPLEMENTED,
  '-32005': status.INVALID_ARGUMENT,
  '-32006': status.INTERNAL,
  '-32007': status.FAILED_PRECONDITION,
  '-32600': status.INVALID_ARGUMENT,
  '-32601': status.UNIMPLEMENTED,
  '-32602': status.INVALID_ARGUMENT,
  '-32603': status.INTERNAL,
};

function failureOf(error: Value): Failure {
  const { code, message } = isValueMap(error) ? error : {};
  const known = Object.hasOwn(codes, String(code)) ? codes[String(code)] : undefined;
  return { code: known ?? status.UNKNOWN, details: typeof message === 'string' ? message : '' };
}

const mostListed = 8;

function listed(paths: readonly string[]): string {
  const more = paths.length - mostListed;
  return paths.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
