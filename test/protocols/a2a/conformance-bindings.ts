import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { dialect1, findRpc } from '../../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { decodeProto } from '../../../src/attack/transport/proto/decode-proto.ts';
import { encodeProto } from '../../../src/attack/transport/proto/encode-proto.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

// Raw requests of A2A 1.0 over each of its bindings, without our own client.

/** The result of a request, in one form for all bindings. */
export interface Came {
  readonly result?: Value;
  /** The items of a stream that was closed. */
  readonly items?: readonly Value[];
  /** The reason in the details of an error, and the binding's status for it. */
  readonly reason?: string;
  readonly status?: number | string;
  /** The type of the error, if the binding has one. */
  readonly type?: string;
}

type Headers = { readonly [name: string]: string };
export type Ask = (url: string, method: string, params: ValueMap, headers?: Headers) => Promise<Came>;

const version = { 'A2A-Version': '1.0' };

function reasonIn(details: unknown): string {
  return (details as readonly { reason: string }[])[0]?.reason ?? '';
}

function itemsIn(text: string): readonly ValueMap[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as ValueMap);
}

const overJsonRpc: Ask = async (url, method, params, headers = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...version, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'q-1', method, params }),
  });
  const type = response.headers.get('content-type') ?? '';
  const frames = type.startsWith('text/event-stream')
    ? itemsIn(await response.text())
    : [(await response.json()) as ValueMap];
  for (const { jsonrpc, id } of frames)
    if (jsonrpc !== '2.0' || (id !== 'q-1' && id !== null)) throw new Error('the envelope is not ours');
  const [first = {}] = frames;
  const { error } = first as { error?: { code: number; data: unknown } };
  if (error !== undefined) return { reason: reasonIn(error.data), status: error.code, type };
  return type.startsWith('text/event-stream')
    ? { items: frames.map(({ result }) => result as Value), type }
    : { result: first.result as Value, type };
};

interface Path {
  readonly verb: string;
  readonly path: string;
  readonly body?: ValueMap;
}

const query = (params: ValueMap): string => {
  const text = new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return Object.keys(params).length === 0 ? '' : `?${text}`;
};

const paths: { readonly [method: string]: (params: ValueMap) => Path } = {
  SendMessage: (body) => ({ verb: 'POST', path: '/message:send', body }),
  SendStreamingMessage: (body) => ({ verb: 'POST', path: '/message:stream', body }),
  GetTask: ({ id, ...rest }) => ({ verb: 'GET', path: `/tasks/${id}${query(rest)}` }),
  ListTasks: (params) => ({ verb: 'GET', path: `/tasks${query(params)}` }),
  CancelTask: ({ id, ...body }) => ({ verb: 'POST', path: `/tasks/${id}:cancel`, body }),
  SubscribeToTask: ({ id }) => ({ verb: 'GET', path: `/tasks/${id}:subscribe` }),
  CreateTaskPushNotificationConfig: ({ taskId, ...body }) => ({
    verb: 'POST',
    path: `/tasks/${taskId}/pushNotificationConfigs`,
    body,
  }),
  GetTaskPushNotificationConfig: ({ taskId, id }) => ({
    verb: 'GET',
    path: `/tasks/${taskId}/pushNotificationConfigs/${id}`,
  }),
  ListTaskPushNotificationConfigs: ({ taskId }) => ({
    verb: 'GET',
    path: `/tasks/${taskId}/pushNotificationConfigs`,
  }),
  DeleteTaskPushNotificationConfig: ({ taskId, id }) => ({
    verb: 'DELETE',
    path: `/tasks/${taskId}/pushNotificationConfigs/${id}`,
  }),
  GetExtendedAgentCard: () => ({ verb: 'GET', path: '/extendedAgentCard' }),
};

const overRest: Ask = async (url, method, { tenant, ...params }, headers = {}) => {
  const asked = paths[method]?.(params);
  if (asked === undefined) throw new Error(`${method} has no path`);
  const prefix = tenant === undefined ? '' : `/${encodeURIComponent(String(tenant))}`;
  const response = await fetch(new URL(prefix + asked.path, url), {
    method: asked.verb,
    headers: {
      ...(asked.body !== undefined && { 'content-type': 'application/a2a+json' }),
      ...version,
      ...headers,
    },
    ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (type.startsWith('text/event-stream')) return { items: itemsIn(text), type };
  const body = JSON.parse(text) as ValueMap;
  if (response.ok) return { result: body, type };
  const { error } = body as unknown as { error: { code: number; details: unknown } };
  if (error.code !== response.status) throw new Error('the error has another code than the answer');
  return { reason: reasonIn(error.details), status: response.status, type };
};

const asIs = (bytes: Buffer): Buffer => bytes;

const overGrpc: Ask = async (url, method, params, headers = {}) => {
  const schema = dialect1.schema();
  const rpc = findRpc(schema, method);
  if (rpc === undefined) throw new Error(`there is no ${method}`);
  const bytes = Buffer.from(encodeProto(schema, rpc.request, params, (path) => failOn(path)));
  const metadata = new Metadata();
  for (const [name, value] of Object.entries({ ...version, ...headers })) metadata.set(name, value);
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const read = (data: Buffer): Value => decodeProto(schema, rpc.response, data);
  try {
    if (!rpc.isStream)
      return await new Promise<Came>((resolve) => {
        client.makeUnaryRequest(rpc.path, asIs, asIs, bytes, metadata, (error, data) =>
          resolve(error === null ? { result: read(data ?? Buffer.alloc(0)) } : failed(error)),
        );
      });
    return await new Promise<Came>((resolve) => {
      const items: Value[] = [];
      const stream = client.makeServerStreamRequest(rpc.path, asIs, asIs, bytes, metadata);
      stream.on('data', (data: Buffer) => items.push(read(data)));
      stream.on('end', () => resolve({ items }));
      stream.on('error', (error) => resolve(failed(error as ServiceError)));
    });
  } finally {
    client.close();
  }

  function failed({ code, metadata: trailers }: ServiceError): Came {
    const [packed] = trailers.get('grpc-status-details-bin');
    const { details } = decodeProto(schema, 'Status', packed as Buffer) as unknown as {
      details: { value: string }[];
    };
    const infos = details.map(({ value }) => decodeProto(schema, 'ErrorInfo', Buffer.from(value, 'base64')));
    return { reason: reasonIn(infos), status: status[code] ?? code };
  }
};

function failOn(path: string): void {
  throw new Error(`${path} has no place in the request`);
}

export const bindings: readonly { readonly name: string; readonly ask: Ask }[] = [
  { name: 'JSON-RPC', ask: overJsonRpc },
  { name: 'HTTP+JSON', ask: overRest },
  { name: 'gRPC', ask: overGrpc },
];
