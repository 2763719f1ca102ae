import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard } from '@a2a-js/sdk';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUsers, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';

export interface OfficialServer {
  readonly url: string;
  readonly received: string[];
  close(): Promise<void>;
}

interface App extends RequestListener {
  use(...handlers: readonly unknown[]): void;
}

/** An agent on the official server: each message becomes a task with an artifact that repeats the message. */
export async function openOfficialServer(transport: string): Promise<OfficialServer> {
  const received: string[] = [];
  const executor: AgentExecutor = {
    async execute({ userMessage, taskId, contextId }, bus) {
      const text = userMessage.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
      received.push(text);
      if (text === 'just talk') {
        const parts = [{ kind: 'text' as const, text: 'a direct answer' }];
        bus.publish({ kind: 'message', role: 'agent', messageId: 'd1', parts, contextId });
      } else {
        bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' } });
        const artifact = { artifactId: 'a1', parts: [{ kind: 'text' as const, text: `you said: ${text}` }] };
        bus.publish({ kind: 'artifact-update', taskId, contextId, artifact });
        const state = text === 'keep going' ? 'input-required' : 'completed';
        bus.publish({ kind: 'status-update', taskId, contextId, status: { state }, final: true });
      }
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId: '',
        status: { state: 'canceled' },
        final: true,
      });
    },
  };
  // Express comes with the official server; it has no types here.
  const name = 'express';
  const { default: express } = (await import(name)) as { default: () => App };
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grpc = new Server();
  const port = await new Promise<number>((resolve, reject) =>
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const urls: Record<string, string> = {
    JSONRPC: `${url}/rpc`,
    'HTTP+JSON': `${url}/rest`,
    GRPC: `127.0.0.1:${port}`,
  };
  const card: AgentCard = {
    protocolVersion: '0.3.0',
    name: 'Official',
    description: 'An official server',
    version: '1',
    url: urls[transport] ?? '',
    preferredTransport: transport,
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportsAuthenticatedExtendedCard: true,
  };
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    new InMemoryPushNotificationStore(),
    undefined,
    { ...card, description: 'An official server, extended' },
  );
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.use('/rest', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  grpc.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUsers.noAuthentication }));
  return {
    url,
    received,
    async close() {
      grpc.forceShutdown();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
