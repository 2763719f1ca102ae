import {
  Client as Client2,
  StreamableHTTPClientTransport as StreamableHttp2,
} from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHttp1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** What the two official clients have in common, and what they were told. */
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

export const connect1: Connect = async (url, { onAsked } = {}) => {
  const client = new Client1(info, { capabilities });
  const transport = new StreamableHttp1(new URL(url), { reconnectionOptions });
  const told = { asked: [] as unknown[], progress: [] as number[], listChanged: 0 };
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    told.asked.push(params);
    await onAsked?.();
    return accepted;
  });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    told.asked.push(params);
    await onAsked?.();
    return sampled;
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told.listChanged += 1;
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const onprogress = ({ progress }: { progress: number }) => void told.progress.push(progress);
  return Object.assign(told, {
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
      await transport.terminateSession();
      await client.close();
    },
  });
};

const connect2With =
  (options: ConstructorParameters<typeof Client2>[1]): Connect =>
  async (url, { onAsked } = {}) => {
    const client = new Client2(info, { capabilities, ...options });
    const transport = new StreamableHttp2(new URL(url), { reconnectionOptions });
    const told = { asked: [] as unknown[], progress: [] as number[], listChanged: 0 };
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      told.asked.push(params);
      await onAsked?.();
      return accepted;
    });
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      told.asked.push(params);
      await onAsked?.();
      return sampled;
    });
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      told.listChanged += 1;
    });
    await client.connect(transport);
    const onprogress = ({ progress }: { progress: number }) => void told.progress.push(progress);
    return Object.assign(told, {
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
        await transport.terminateSession();
        await client.close();
      },
    });
  };

export const connect2 = connect2With({});
/** Asks first whether the server speaks a version without sessions. */
export const connect2Probing = connect2With({ versionNegotiation: { mode: 'auto' } });
