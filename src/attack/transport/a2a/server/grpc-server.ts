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
import type { AppliedWireRule, WireGrpc, WirePerformed } from '../../../../format/model/applied-wire-rule.ts';
import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import {
  explainOtherVersion,
  extensionsHeader,
  versionHeader,
  versionNotSupported,
} from '../../../../format/registry/a2a/a2a-era.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import { expandValue } from '../../expand-generated.ts';
import { type SecretGate, withoutSecret } from '../../exposure/secret-gate.ts';
import type { Guard } from '../../http-server/guard.ts';
import { recordMalformed } from '../../mcp-server/sessions/record-malformed.ts';
import { decodeProto } from '../../proto/decode-proto.ts';
import { encodeProto } from '../../proto/encode-proto.ts';
import type { ProtoSchema, Rpc } from '../../proto/read-proto.ts';
import { repeatBytes } from '../../wire/faulty-bytes.ts';
import { findUnapplied } from '../../wire/unapplied-actions.ts';
import { createErrorDetails, findErrorRow } from '../errors-1.ts';
import { type A2aDialect, type A2aOperation, dialect03, dialects, findRpc } from '../proto/a2a-operations.ts';
import { noteFileBytes } from '../proto/note-file-bytes.ts';
import type { A2aReply, A2aRequestBroker, WriteReport } from './request-broker.ts';

export interface GrpcServer {
  accept(socket: Socket): void;
  close(): Promise<void>;
}

/** The checks that keep strangers out; `gate` if the server is exposed. */
interface Entrance {
  readonly gate: SecretGate | undefined;
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
interface ResponseWriter {
  part(bytes: Buffer): void;
  last(bytes: Buffer, trailers?: Metadata): void;
  fail(failure: Failure): void;
}

interface CalledMethod {
  readonly dialect: A2aDialect;
  readonly method: string;
  readonly operation: A2aOperation;
  readonly rpc: Rpc;
}

/**
 * Serves gRPC on connections that another listener has accepted. We decode the bytes ourselves, so that invalid ones
 * are recorded.
 */
export function openGrpc(desk: A2aRequestBroker, entrance: Entrance): GrpcServer {
  const { limits } = desk;
  const sockets = new Map<string, Socket>();
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.max_concurrent_streams': limits.exchangesPerSession,
    interceptors: [guardCalls(entrance, desk, (peer) => sockets.get(peer))],
  });
  for (const dialect of dialects)
    for (const [method, operation] of Object.entries(dialect.operations)) {
      const rpc = findRpc(dialect.schema(), operation.rpc);
      if (rpc === undefined) continue;
      const called = { dialect, method, operation, rpc };
      const handle = rpc.isStream
        ? (call: Streaming) => take(call, createStreamWriter(call), called)
        : (call: Unary, done: sendUnaryData<Buffer>) => take(call, createUnaryWriter(done), called);
      server.addService({ [rpc.name]: defineMethod(rpc) }, { [rpc.name]: handle });
    }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());

  function take(call: Unary | Streaming, carrier: ResponseWriter, called: CalledMethod): void {
    const wire = messageIn(call.request, called);
    const readHeader = (name: string): string | undefined => call.metadata.get(name)[0]?.toString();
    const refused = explainOtherVersion(readHeader(versionHeader));
    if (typeof wire === 'string') carrier.fail({ code: status.INVALID_ARGUMENT, details: wire });
    else if (refused !== undefined) {
      const { method, operation, dialect } = called;
      const message = { kind: 'request', method, content: operation.paramsFromProto(wire) } as const;
      desk.receive({ kind: 'refused', message, reason: refused });
      carrier.fail(toGrpcFailure({ code: versionNotSupported, message: refused }, dialect));
    } else if (!desk.hasRoom) carrier.fail({ code: status.RESOURCE_EXHAUSTED, details: 'too many requests' });
    else {
      const socket = sockets.get(call.getPeer());
      const session = socket === undefined ? 'grpc' : desk.sessionOf(socket);
      const { method, operation, dialect } = called;
      const params = operation.paramsFromProto(wire);
      const { era } = dialect;
      const spelt = era === undefined ? {} : { era, wire, toWire: operation.resultToProto };
      const reply = replyOf(call, carrier, called);
      const extensions = readHeader(extensionsHeader);
      desk.take({ session, method, params, noted: noteFileBytes(params), reply, extensions, ...spelt });
    }
  }

  /** Decodes the request; a text gives the reason why it cannot be. */
  function messageIn(bytes: Buffer, { dialect, rpc: { request } }: CalledMethod): ValueMap | string {
    try {
      return decodeProto(dialect.schema(), request, bytes);
    } catch (thrown) {
      const reason = `not a ${request}: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      recordMalformed(desk, reason, { bytes });
      return reason;
    }
  }

  function replyOf(call: Unary | Streaming, carrier: ResponseWriter, called: CalledMethod): A2aReply {
    const unlessGone = (write: () => string | undefined): WriteReport => {
      if (call.cancelled) return false;
      return write() ?? true;
    };
    const carry = (result: Value, write: (bytes: Buffer) => void): string | undefined => {
      // A gRPC message is sent as one piece, so generated values are made in full.
      const held = expandValue(result);
      const { bytes, cut } = bytesOf(held.value, called);
      write(bytes);
      return held.cut ?? cut;
    };
    return {
      get isGone() {
        return call.cancelled;
      },
      part: (content, report) => report(unlessGone(() => carry(content, carrier.part))),
      answer: (answer, report) =>
        report(
          unlessGone(() => {
            if (answer.kind === 'result') return carry(answer.result, carrier.last);
            carrier.fail(toGrpcFailure(answer.error, called.dialect));
            return readErrorCut(answer.error);
          }),
        ),
      answerByRule: (answer, rule, report) => answerByRule(answer, rule, report, { carrier, called }),
    };
  }

  /** Over gRPC a rule can set the status and the trailers; the bytes belong to HTTP/2. */
  function answerByRule(
    answer: Answer,
    rule: AppliedWireRule,
    report: (performed: WirePerformed) => void,
    { carrier, called }: { readonly carrier: ResponseWriter; readonly called: CalledMethod },
  ): void {
    const { grpc = {}, stream, repeat = 1 } = rule;
    const isStream = called.rpc.isStream;
    const unapplied = findUnapplied(rule, [
      ...['id', 'batch', 'http', 'bytes', 'frame', 'pace', 'end', 'sse'],
      ...(isStream ? [] : ['repeat']),
      ...(stream === 'comments' || (stream === 'endless' && !isStream) ? ['stream'] : []),
    ]);
    if (stream === 'silent') return void report({ ...unapplied, harm: 'nothing of it was sent' });
    const trailers = createTrailers(grpc);
    const named = grpc.status === undefined ? undefined : status[grpc.status as keyof typeof status];
    if (named !== undefined) carrier.fail({ code: named, details: grpc.message ?? '', metadata: trailers });
    else if (answer.kind === 'error') {
      const failure = toGrpcFailure(answer.error, called.dialect);
      failure.metadata?.merge(trailers);
      carrier.fail({ metadata: trailers, ...failure });
    } else {
      const held = expandValue(answer.result);
      const { bytes, cut = held.cut } = bytesOf(held.value, called);
      const [last = bytes, ...others] = isStream ? repeatBytes(bytes, repeat) : [bytes];
      for (const each of others) carrier.part(each);
      if (stream === 'endless' && isStream) carrier.part(last);
      else carrier.last(last, trailers);
      return void report({ ...unapplied, ...(cut !== undefined && { harm: cut }) });
    }
    report(unapplied);
  }

  function bytesOf(result: Value, called: CalledMethod): { readonly bytes: Buffer; readonly cut?: string } {
    const { dialect, method, operation, rpc } = called;
    const message = pickCardFields(operation.resultToProto(result), called);
    const lost: string[] = [];
    const bytes = encodeProto(dialect.schema(), rpc.response, message, (path) => lost.push(path));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (lost.length === 0) return { bytes: buffer };
    const cut = `gRPC cannot carry ${formatPaths(lost)}`;
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

/**
 * Checks the `:authority` of each call, as `Host` is checked over HTTP. If the server is exposed, its secret is a bearer
 * token, because gRPC has no path that could hold it. Without it, the method does not exist.
 */
function guardCalls(
  { gate, guard }: Entrance,
  desk: A2aRequestBroker,
  socketOf: (peer: string) => Socket | undefined,
): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, receive) {
            const [authorization] = metadata.get('authorization');
            const socket = socketOf(call.getPeer());
            const isStranger = gate !== undefined && !gate.opensFor(authorization?.toString());
            const reason = isStranger ? withoutSecret : guard({ host: call.getHost() });
            if (reason === undefined) {
              if (socket !== undefined) gate?.admit(socket);
              return receive(metadata);
            }
            if (gate === undefined) {
              recordMalformed(desk, `gRPC ${path}: ${reason}`);
              return call.sendStatus({ code: status.PERMISSION_DENIED, details: reason });
            }
            gate.refuse(`gRPC ${path}`, reason, socket?.remoteAddress);
            const details = `The server does not implement the method ${path}`;
            call.sendStatus({ code: status.UNIMPLEMENTED, details });
          },
        }),
    });
}

function createUnaryWriter(done: sendUnaryData<Buffer>): ResponseWriter {
  return {
    part() {},
    last: (bytes, trailers) => done(null, bytes, trailers),
    fail: (failure) => done(failure),
  };
}

function createStreamWriter(call: Streaming): ResponseWriter {
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

function createTrailers({ trailers = {} }: WireGrpc): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers))
    if (/^[a-z0-9_.-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !name.endsWith('-bin'))
      metadata.set(name, value);
  return metadata;
}

const passBytes = (bytes: Buffer): Buffer => bytes;

function defineMethod({ path, isStream }: Rpc) {
  return {
    path,
    requestStream: false,
    responseStream: isStream,
    requestSerialize: passBytes,
    requestDeserialize: passBytes,
    responseSerialize: passBytes,
    responseDeserialize: passBytes,
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

function toGrpcFailure(error: Value, dialect: A2aDialect): Failure {
  const { code } = isValueMap(error) ? error : {};
  const details = readGrpcMessage(error).slice(0, longestMessage);
  if (dialect === dialect03) {
    const known = Object.hasOwn(codes, String(code)) ? codes[String(code)] : undefined;
    return { code: known ?? status.UNKNOWN, details };
  }
  const named = status[(findErrorRow(code)?.status ?? 'UNKNOWN') as keyof typeof status];
  const metadata = new Metadata();
  const packed = encodeStatus(dialect.schema(), named, details, createErrorDetails(error));
  if (packed.length <= longestDetails) metadata.set('grpc-status-details-bin', packed);
  return { code: named, details, metadata };
}

/**
 * A gRPC error is sent in headers, and peers accept at most 64 KiB of them; a longer error would never arrive. A
 * character may take nine bytes.
 */
const longestMessage = 3_000;
const longestDetails = 16_384;

function readGrpcMessage(error: Value): string {
  const { message } = isValueMap(error) ? error : {};
  return typeof message === 'string' ? message : '';
}

function readErrorCut(error: Value): string | undefined {
  const { length } = readGrpcMessage(error);
  return length <= longestMessage ? undefined : `gRPC carries ${longestMessage} characters of an error, not ${length}`;
}

/** Encodes a google.rpc.Status, which describes an error beyond its code. */
function encodeStatus(schema: ProtoSchema, code: number, message: string, details: readonly Value[]): Buffer {
  const none = (): void => {};
  const packed = details.filter(isValueMap).map(({ '@type': typeUrl = '', ...rest }) => ({
    typeUrl,
    value: Buffer.from(encodeProto(schema, 'ErrorInfo', rest, none)).toString('base64'),
  }));
  return Buffer.from(encodeProto(schema, 'Status', { code, message, details: packed }, none));
}

/** The fields of a card for both eras that 1.0 has elsewhere. */
const keys03 = [
  'url',
  'preferredTransport',
  'additionalInterfaces',
  'protocolVersion',
  'supportsAuthenticatedExtendedCard',
];

function pickCardFields(result: Value, { rpc, dialect }: CalledMethod): Value {
  if (rpc.response !== 'AgentCard' || !isValueMap(result)) return result;
  const { url, supportedInterfaces } = result;
  if (url === undefined || supportedInterfaces === undefined) return result;
  const left = dialect === dialect03 ? ['supportedInterfaces'] : keys03;
  return Object.fromEntries(Object.entries(result).filter(([key]) => !left.includes(key)));
}

const mostListed = 8;

function formatPaths(paths: readonly string[]): string {
  const more = paths.length - mostListed;
  return paths.slice(0, mostListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
