import { Agent, request as httpRequest } from 'node:http';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { fromRestError1 } from '../../../src/attack/transport/a2a/errors-1.ts';
import {
  type A2aDialect,
  dialects,
  findOperation,
  findRpc,
} from '../../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { createRestRequest } from '../../../src/attack/transport/a2a/rest-routes.ts';
import { decodeProto } from '../../../src/attack/transport/proto/decode-proto.ts';
import { encodeProto } from '../../../src/attack/transport/proto/encode-proto.ts';
import { isValueMap, type Value, type ValueMap } from '../../../src/format/model/value.ts';
import { type ContractPeer, serverContract } from './server-contract.ts';

interface Sent {
  readonly verb: string;
  readonly path: string;
  readonly body?: string;
}

/** One connection, which is kept. */
function httpPeer(url: string): {
  send(sent: Sent): Promise<{ status: number; type: string; text: string }>;
  leave(): Promise<void>;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: ({ verb, path, body }) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const request = httpRequest(new URL(path, url), { method: verb, agent, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              text,
            }),
          );
        });
        request.on('error', reject);
        request.end(body);
      }),
    leave: async () => agent.destroy(),
  };
}

const dataOf = (text: string): Value[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Value);

for (const dialect of dialects) {
  jsonRpcContract(dialect);
  restContract(dialect);
  grpcContract(dialect);
}

function eraOf({ era }: A2aDialect): string {
  return era ?? '0.3';
}

function jsonRpcContract(dialect: A2aDialect): void {
  serverContract({
    name: `JSON-RPC ${eraOf(dialect)}`,
    saysFinal: dialect.era === undefined,
    codeOf: (code) => code,
    async connect(url) {
      const { send, leave } = httpPeer(url);
      let id = 0;
      const frame = (method: string, params: ValueMap): Sent => {
        id += 1;
        const operation = dialect.era === undefined ? undefined : findOperation(dialect, method);
        const named = operation?.rpc ?? method;
        const written = operation?.paramsToProto(params) ?? params;
        const body = JSON.stringify({ jsonrpc: '2.0', id, method: named, params: written });
        return { verb: 'POST', path: '/', body };
      };
      const outcome = (method: string, value: Value): Value => {
        const { result, error } = value as ValueMap;
        if (error !== undefined || dialect.era === undefined) return error ?? result ?? null;
        return findOperation(dialect, method)?.resultFromProto(result ?? null) ?? null;
      };
      return {
        request: async (method, params) => outcome(method, JSON.parse((await send(frame(method, params))).text)),
        async stream(method, params) {
          const { type, text } = await send(frame(method, params));
          const items = type.startsWith('text/event-stream') ? dataOf(text) : [JSON.parse(text) as Value];
          return items.map((item) => outcome(method, item));
        },
        garbage: async () => void (await send({ verb: 'POST', path: '/', body: '{"jsonrpc": ' })),
        leave,
      };
    },
  });
}

function restContract(dialect: A2aDialect): void {
  serverContract({
    name: `HTTP+JSON ${eraOf(dialect)}`,
    saysFinal: dialect.era === undefined,
    codeOf: (code) => code,
    async connect(url) {
      const { send, leave } = httpPeer(url);
      const frame = (method: string, params: ValueMap): Sent => {
        const operation = findOperation(dialect, method);
        const is1 = dialect.era !== undefined;
        const written = is1 ? (operation?.paramsToProto(params) ?? params) : params;
        const asked = createRestRequest(dialect, method, written);
        const { verbs, path, rest } = asked ?? { verbs: [], path: '/', rest: {} };
        const [verb = 'GET'] = verbs;
        const body = method.startsWith('message/') && !is1 ? operation?.paramsToProto(params) : rest;
        return { verb, path, ...(verb === 'POST' && { body: JSON.stringify(body) }) };
      };
      const plain = (method: string, value: Value): Value =>
        isValueMap(value) && typeof value.code === 'number'
          ? value
          : (fromRestError1(value) ?? findOperation(dialect, method)?.resultFromProto(value) ?? value);
      return {
        request: async (method, params) => plain(method, JSON.parse((await send(frame(method, params))).text)),
        async stream(method, params) {
          const { type, text } = await send(frame(method, params));
          const items = type.startsWith('text/event-stream') ? dataOf(text) : [JSON.parse(text) as Value];
          return items.map((item) => plain(method, item));
        },
        garbage: async () =>
          void (await send({
            verb: 'POST',
            path: dialect.era === undefined ? '/v1/message:send' : '/message:send',
            body: '{"message": ',
          })),
        leave,
      };
    },
  });
}

const grpcCodes: { readonly [code: string]: number } = {
  '-32001': status.NOT_FOUND,
  '-32002': status.FAILED_PRECONDITION,
  '-32003': status.UNIMPLEMENTED,
  '-32004': status.UNIMPLEMENTED,
  '-32602': status.INVALID_ARGUMENT,
};
const grpcCodes1: { readonly [code: string]: number } = {
  ...grpcCodes,
  '-32003': status.FAILED_PRECONDITION,
  '-32004': status.FAILED_PRECONDITION,
};
const asIs = (bytes: Buffer): Buffer => bytes;

function grpcContract(dialect: A2aDialect): void {
  serverContract({
    name: `gRPC ${eraOf(dialect)}`,
    saysFinal: dialect.era === undefined,
    codeOf: (code) => (dialect.era === undefined ? grpcCodes : grpcCodes1)[String(code)] ?? code,
    async connect(url): Promise<ContractPeer> {
      // Clients of one process share a connection unless their options differ.
      const client = new Client(new URL(url).host, credentials.createInsecure(), {
        'grpc.use_local_subchannel_pool': 1,
      });
      const called = (method: string) => {
        const operation = findOperation(dialect, method);
        const rpc = operation && findRpc(dialect.schema(), operation.rpc);
        if (operation === undefined || rpc === undefined) throw new Error(`no ${method}`);
        return { operation, rpc };
      };
      const bytesOf = (method: string, params: ValueMap): Buffer => {
        const { operation, rpc } = called(method);
        return Buffer.from(encodeProto(dialect.schema(), rpc.request, operation.paramsToProto(params), () => {}));
      };
      const read = (method: string, bytes: Buffer): Value => {
        const { operation, rpc } = called(method);
        return operation.resultFromProto(decodeProto(dialect.schema(), rpc.response, bytes));
      };
      const failed = ({ code, details }: ServiceError): Value => ({ code, message: details });
      const unary = (path: string, bytes: Buffer): Promise<Buffer | ServiceError> =>
        new Promise((resolve) => {
          client.makeUnaryRequest(path, asIs, asIs, bytes, new Metadata(), (error, data) =>
            resolve(error ?? (data as Buffer)),
          );
        });
      return {
        async request(method, params) {
          const answer = await unary(called(method).rpc.path, bytesOf(method, params));
          return answer instanceof Error ? failed(answer) : read(method, answer);
        },
        stream: (method, params) =>
          new Promise((resolve) => {
            const items: Value[] = [];
            const { path } = called(method).rpc;
            client
              .makeServerStreamRequest(path, asIs, asIs, bytesOf(method, params), new Metadata())
              .on('data', (bytes: Buffer) => items.push(read(method, bytes)))
              .on('error', (error) => resolve([...items, failed(error as ServiceError)]))
              .on('end', () => resolve(items));
          }),
        garbage: async () => void (await unary(called('message/send').rpc.path, Buffer.from([0xff, 0xff]))),
        leave: async () => client.close(),
      };
    },
  });
}
