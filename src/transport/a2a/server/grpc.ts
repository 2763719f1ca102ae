import type { Socket } from 'node:net';
import {
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import type { Answer } from '../../../engine/messages.ts';
import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import type { WireGrpc, WireOrder, WirePerformed } from '../../../model/wire.ts';
import { otherVersion, versionHeader, versionNotSupported } from '../../../registry/a2a/era.ts';
import { extensionsHeader } from '../../../registry/a2a/extensions.ts';
import { heldValue } from '../../expanded.ts';
import { type ExposedDoor, withoutSecret } from '../../exposure/door.ts';
import { decode } from '../../proto/decode.ts';
import { encode } from '../../proto/encode.ts';
import type { Rpc, Schema } from '../../proto/read-proto.ts';
import { recordMalformed } from '../../sessions/record-malformed.ts';
import type { Guard } from '../../streamable-http/guard.ts';
import { copies } from '../../wire/faulty-bytes.ts';
import { undoneOf } from '../../wire/undone.ts';
import { detailsOf, errorRow } from '../errors-1.ts';
import { notedBytes } from '../proto/noted-bytes.ts';
import { type Dialect, dialect03, dialects, type Operation } from '../proto/operations.ts';
import { rpcOf } from '../proto/schema.ts';
import type { Desk, Reply, Written } from './desk.ts';

export interface GrpcDoor {
  accept(socket: Socket): void;
  close(): Promise<void>;
}

/** The checks that keep strangers out, if the server is exposed. */
interface Entrance {
  readonly door: ExposedDoor;
  readonly guard: Guard;
}

type Unary = ServerUnaryCall<Buffer, Buffer>;
type Streaming = ServerWritableStream<Buffer, Buffer>;

interface Failure {
  readonly code: number;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** Writes the response to a call, in one piece or in several. */
interface Carrier {
  part(bytes: Buffer): void;
  last(bytes: Buffer, trailers?: Metadata): void;
  fail(failure: Failure): void;
}

interface Called {
  readonly dialect: Dialect;
  readonly method: string;
  readonly operation: Operation;
  readonly rpc: Rpc;
}

/**
 * Serves gRPC on connections that another listener has accepted. We decode the bytes ourselves, so that invalid ones
 * are recorded.
 */
export function openGrpc(desk: Desk, entrance: Entrance | undefined): GrpcDoor {
  const { limits } = desk;
  const sockets = new Map<string, Socket>();
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.max_concurrent_streams': limits.exchangesPerSession,
    ...(entrance !== undefined && { interceptors: [turnAwayAt(entrance, (peer) => sockets.get(peer))] }),
  });
  for (const dialect of dialects)
    for (const [method, operation] of Object.entries(dialect.operations)) {
      const rpc = rpcOf(dialect.schema(), operation.rpc);
      if (rpc === undefined) continue;
      const called = { dialect, method, operation, rpc };
      const handle = rpc.isStream
        ? (call: Streaming) => take(call, inParts(call), called)
        : (call: Unary, done: sendUnaryData<Buffer>) => take(call, inOne(done), called);
      server.addService({ [rpc.name]: definitionOf(rpc) }, { [rpc.name]: handle });
    }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());

  function take(call: Unary | Streaming, carrier: Carrier, called: Called): void {
    const wire = messageIn(call.request, called);
    const said = (name: string): string | undefined => call.metadata.get(name)[0]?.toString();
    const refused = otherVersion(said(versionHeader));
    if (typeof wire === 'string') carrier.fail({ code: status.INVALID_ARGUMENT, details: wire });
    else if (refused !== undefined) {
      const { method, operation, dialect } = called;
      const message = { kind: 'request', method, content: operation.paramsFromProto(wire) } as const;
      desk.receive({ kind: 'refused', message, reason: refused });
      carrier.fail(failureOf({ code: versionNotSupported, message: refused }, dialect));
    } else if (!desk.hasRoom) carrier.fail({ code: status.RESOURCE_EXHAUSTED, details: 'too many requests' });
    else {
      const socket = sockets.get(call.getPeer());
      const session = socket === undefined ? 'grpc' : desk.sessionOf(socket);
      const { method, operation, dialect } = called;
      const params = operation.paramsFromProto(wire);
      const { era } = dialect;
      const spelt = era === undefined ? {} : { era, wire, toWire: operation.resultToProto };
      const reply = replyOf(call, carrier, called);
      const extensions = said(extensionsHeader);
      desk.take({ session, method, params, noted: notedBytes(params), reply, extensions, ...spelt });
    }
  }

  /** Decodes the request; a text gives the reason why it cannot be. */
  function messageIn(bytes: Buffer, { dialect, rpc: { request } }: Called): ValueMap | string {
    try {
      return decode(dialect.schema(), request, bytes);
    } catch (thrown) {
      const reason = `not a ${request}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      recordMalformed(desk, reason, { bytes });
      return reason;
    }
  }

  function replyOf(call: Unary | Streaming, carrier: Carrier, called: Called): Reply {
    const unlessGone = (write: () => string | undefined): Written => {
      if (call.cancelled) return false;
      return write() ?? true;
    };
    const carry = (result: Value, write: (bytes: Buffer) => void): string | undefined => {
      // A gRPC message is sent as one piece, so generated values are made in full.
      const held = heldValue(result);
      const { bytes, cut } = bytesOf(held.value, called);
      write(bytes);
      return held.cut ?? cut;
    };
    return {
      get isGone() {
        return call.cancelled;
      },
      part: (content, told) => told(unlessGone(() => carry(content, carrier.part))),
      answer: (answer, told) =>
        told(
          unlessGone(() => {
            if (answer.kind === 'result') return carry(answer.result, carrier.last);
            carrier.fail(failureOf(answer.error, called.dialect));
            return cutOf(answer.error);
          }),
        ),
      ordered: (answer, order, told) => answerOrdered(answer, order, told, { carrier, called }),
    };
  }

  /** Over gRPC an order can set the status and the trailers; the bytes belong to HTTP/2. */
  function answerOrdered(
    answer: Answer,
    order: WireOrder,
    told: (performed: WirePerformed) => void,
    { carrier, called }: { readonly carrier: Carrier; readonly called: Called },
  ): void {
    const { grpc = {}, stream, repeat = 1 } = order;
    const isStream = called.rpc.isStream;
    const undone = undoneOf(order, [
      ...['id', 'batch', 'http', 'bytes', 'frame', 'pace', 'end', 'sse'],
      ...(isStream ? [] : ['repeat']),
      ...(stream === 'comments' || (stream === 'endless' && !isStream) ? ['stream'] : []),
    ]);
    if (stream === 'silent') return void told({ ...undone, harm: 'nothing of it was sent' });
    const trailers = trailersOf(grpc);
    const named = grpc.status === undefined ? undefined : status[grpc.status as keyof typeof status];
    if (named !== undefined) carrier.fail({ code: named, details: grpc.message ?? '', metadata: trailers });
    else if (answer.kind === 'error') {
      const failure = failureOf(answer.error, called.dialect);
      failure.metadata?.merge(trailers);
      carrier.fail({ metadata: trailers, ...failure });
    } else {
      const held = heldValue(answer.result);
      const { bytes, cut = held.cut } = bytesOf(held.value, called);
      const [last = bytes, ...others] = isStream ? copies(bytes, repeat) : [bytes];
      for (const each of others) carrier.part(each);
      if (stream === 'endless' && isStream) carrier.part(last);
      else carrier.last(last, trailers);
      return void told({ ...undone, ...(cut !== undefined && { harm: cut }) });
    }
    told(undone);
  }

  function bytesOf(result: Value, called: Called): { readonly bytes: Buffer; readonly cut?: string } {
    const { dialect, method, operation, rpc } = called;
    const message = carried(operation.resultToProto(result), called);
    const lost: string[] = [];
    const bytes = encode(dialect.schema(), rpc.response, message, (path) => lost.push(path));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (lost.length === 0) return { bytes: buffer };
    const cut = `gRPC cannot carry ${listed(lost)}`;
    desk.warn('O-121', `${method}: ${cut}, so the agent does not get it`);
    return { bytes: buffer, cut };
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

/** gRPC has no path that could hold the secret, so it is a bearer token. Without it, the method does not exist. */
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
  return {
    part() {},
    last: (bytes, trailers) => done(null, bytes, trailers),
    fail: (failure) => done(failure),
  };
}

function inParts(call: Streaming): Carrier {
  // A peer that leaves in the middle is not a fault of ours.
  call.on('error', () => {});
  return {
    part: (bytes) => void call.write(bytes),
    last(bytes, trailers) {
      call.write(bytes);
      call.end(trailers);
    },
    fail: (failure) => void call.emit('error', failure),
  };
}

function trailersOf({ trailers = {} }: WireGrpc): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers))
    if (/^[a-z0-9_.-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !name.endsWith('-bin'))
      metadata.set(name, value);
  return metadata;
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

function failureOf(error: Value, dialect: Dialect): Failure {
  const { code } = isValueMap(error) ? error : {};
  const details = messageOf(error).slice(0, longestMessage);
  if (dialect === dialect03) {
    const known = Object.hasOwn(codes, String(code)) ? codes[String(code)] : undefined;
    return { code: known ?? status.UNKNOWN, details };
  }
  const named = status[(errorRow(code)?.status ?? 'UNKNOWN') as keyof typeof status];
  const metadata = new Metadata();
  const packed = statusBytes(dialect.schema(), named, details, detailsOf(error));
  if (packed.length <= longestDetails) metadata.set('grpc-status-details-bin', packed);
  return { code: named, details, metadata };
}

/**
 * A gRPC error is sent in headers, and peers accept at most 64 KiB of them; a longer error would never arrive. A
 * character may take nine bytes.
 */
const longestMessage = 3_000;
const longestDetails = 16_384;

function messageOf(error: Value): string {
  const { message } = isValueMap(error) ? error : {};
  return typeof message === 'string' ? message : '';
}

function cutOf(error: Value): string | undefined {
  const { length } = messageOf(error);
  return length <= longestMessage
    ? undefined
    : `gRPC carries ${longestMessage} characters of an error, not ${length}`;
}

/** Encodes a google.rpc.Status, which describes an error beyond its code. */
function statusBytes(schema: Schema, code: number, message: string, details: readonly Value[]): Buffer {
  const none = (): void => {};
  const packed = details.filter(isValueMap).map(({ '@type': typeUrl = '', ...rest }) => ({
    typeUrl,
    value: Buffer.from(encode(schema, 'ErrorInfo', rest, none)).toString('base64'),
  }));
  return Buffer.from(encode(schema, 'Status', { code, message, details: packed }, none));
}

/** The fields of a card for both eras that 1.0 has elsewhere. */
const keys03 = [
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'protocolVersion',
  'supportsAuthenticatedExtendedCard',
];

function carried(result: Value, { rpc, dialect }: Called): Value {
  if (rpc.response !== 'AgentCard' || !isValueMap(result)) return result;
  const { url, supportedInterfaces } = result;
  if (url === undefined || supportedInterfaces === undefined) return result;
  const left = dialect === dialect03 ? ['supportedInterfaces'] : keys03;
  return Object.fromEntries(Object.entries(result).filter(([key]) => !left.includes(key)));
}

const mostListed = 8;

function listed(paths: readonly string[]): string {
  const more = paths.length - mostListed;
  return paths.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
