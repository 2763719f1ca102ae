import {
  Client as Client2,
  SSEClientTransport as Sse2,
  StreamableHTTPClientTransport as StreamableHttp2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as StreamableHttp1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** The common interface of the two official clients, and the messages that they received. */
export interface OfficialClient {
  readonly sessionId: string | undefined;
  readonly serverName: string | undefined;
  readonly asked: unknown[];
  readonly progress: number[];
  listChanged: number;
  tools(): Promise<readonly { readonly name: string; readonly description?: string | undefined }[]>;
  resources(): Promise<readonly { readonly uri: string }[]>;
  prompts(): Promise<readonly { readonly name: string }[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  read(uri: string): Promise<unknown>;
  prompt(name: string): Promise<unknown>;
  ping(): Promise<unknown>;
  /** Ends the session, as the specification asks of a client that leaves. */
  leave(): Promise<void>;
}

export interface ConnectOptions {
  /** Called when the server asks something, before it is answered. */
  readonly onAsked?: () => Promise<void>;
}

export type Connect = (url: string, options?: ConnectOptions) => Promise<OfficialClient>;

const info = { name: 'official', version: '1.0.0' };
const capabilities = { sampling: {}, elicitation: { form: {}, url: {} } };
const accepted = { action: 'accept' as const, content: { secret: 'hunter2' } };
// The clients' own default is a second.
const reconnectionOptions = {
  initialReconnectionDelay: 10,
  maxReconnectionDelay: 100,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 5,
};
const sampled = {
  role: 'assistant' as const,
  model: 'scripted',
  content: { type: 'text' as const, text: 'sampled words' },
};

interface Transport1 {
  start(): Promise<void>;
  readonly sessionId?: string | undefined;
  terminateSession?(): Promise<void>;
}

async function use1(transport: Transport1, { onAsked }: ConnectOptions = {}): Promise<OfficialClient> {
  const client = new Client1(info, { capabilities });
  const received = { asked: [] as unknown[], progress: [] as number[], listChanged: 0 };
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    received.asked.push(params);
    await onAsked?.();
    return accepted;
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    received.asked.push(params);
    await onAsked?.();
    return sampled;
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    received.listChanged += 1;
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const onprogress = ({ progress }: { progress: number }) => void received.progress.push(progress);
  return Object.assign(received, {
    sessionId: transport.sessionId,
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    prompts: async () => (await client.listPrompts()).prompts,
    call: async (name: string, args = {}) =>
      (await client.callTool({ name, arguments: args }, undefined, { onprogress })) as ToolResult,
    read: (uri: string) => client.readResource({ uri }),
    prompt: (name: string) => client.getPrompt({ name }),
    ping: () => client.ping(),
    async leave() {
      await transport.terminateSession?.();
      await client.close();
    },
  });
}

type Transport2 = Parameters<Client2['connect']>[0] & { terminateSession?(): Promise<void> };

async function use2(
  transport: Transport2,
  { onAsked }: ConnectOptions = {},
  options: ConstructorParameters<typeof Client2>[1] = {},
): Promise<OfficialClient> {
  const received = { asked: [] as unknown[], progress: [] as number[], listChanged: 0 };
  const onChanged = () => {
    received.listChanged += 1;
  };
  // Without sessions, a client gets changes only if it subscribes.
  const heard = options === probing ? { listChanged: { tools: { onChanged, autoRefresh: false } } } : {};
  const client = new Client2(info, { capabilities, ...options, ...heard });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    received.asked.push(params);
    await onAsked?.();
    return accepted;
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    received.asked.push(params);
    await onAsked?.();
    return sampled;
  });
  if (options !== probing) client.setNotificationHandler('notifications/tools/list_changed', onChanged);
  await client.connect(transport);
  const onprogress = ({ progress }: { progress: number }) => void received.progress.push(progress);
  return Object.assign(received, {
    sessionId: transport.sessionId,
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    prompts: async () => (await client.listPrompts()).prompts,
    call: async (name: string, args = {}) =>
      (await client.callTool({ name, arguments: args }, { onprogress })) as ToolResult,
    read: (uri: string) => client.readResource({ uri }),
    prompt: (name: string) => client.getPrompt({ name }),
    ping: () => client.ping(),
    async leave() {
      await transport.terminateSession?.();
      await client.close();
    },
  });
}

const probing = { versionNegotiation: { mode: 'auto' } } as const;

export const connect1: Connect = (url, options) =>
  use1(new StreamableHttp1(new URL(url), { reconnectionOptions }), options);
export const connect2: Connect = (url, options) =>
  use2(new StreamableHttp2(new URL(url), { reconnectionOptions }), options);
/** Asks first whether the server speaks a version without sessions. */
export const connect2Probing: Connect = (url, options) =>
  use2(new StreamableHttp2(new URL(url), { reconnectionOptions }), options, probing);
/** The transport of 2024-11-05. */
export const connectSse1: Connect = (url, options) => use1(new Sse1(new URL(url)), options);
export const connectSse2: Connect = (url, options) => use2(new Sse2(new URL(url)), options);

/** A program that is the server; its standard error is discarded. */
export interface Launched {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export type Launch = (program: Launched, options?: ConnectOptions) => Promise<OfficialClient>;

export const launch1: Launch = (program, options) => use1(new Stdio1({ ...program, stderr: 'ignore' }), options);
export const launch2: Launch = (program, options) => use2(new Stdio2({ ...program, stderr: 'ignore' }), options);
export const launch2Probing: Launch = (program, options) =>
  use2(new Stdio2({ ...program, stderr: 'ignore' }), options, probing);
