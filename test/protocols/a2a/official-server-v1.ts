import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from 'a2a-sdk-v1';
import { duplicateInterfacesForLegacy } from 'a2a-sdk-v1/compat/v0_3';
import { LegacyA2AService, legacyGrpcService } from 'a2a-sdk-v1/compat/v0_3/server/grpc';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from 'a2a-sdk-v1/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-sdk-v1/server/express';
import { A2AService, UserBuilder as GrpcUsers, grpcService } from 'a2a-sdk-v1/server/grpc';
import type { OfficialServer } from './official-server.ts';

interface App extends RequestListener {
  use(...handlers: readonly unknown[]): void;
}

export interface OfficialServerV1 extends OfficialServer {
  /** Resolves when a client that follows a task has received its first item. */
  readonly followed: Promise<void>;
}

/** The same agent on the official server 1.3, which speaks 1.0 and, with its layer, 0.3. */
export async function openOfficialServerV1(transport: string, hasLayer = true): Promise<OfficialServerV1> {
  const received: string[] = [];
  const executor: AgentExecutor = {
    async execute({ userMessage, taskId, contextId }, bus) {
      const text = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
      received.push(text);
      if (text === 'just talk') {
        const parts = [{ text: 'a direct answer' }];
        bus.publish(AgentEvent.message(Message.fromJSON({ role: 'ROLE_AGENT', messageId: 'd1', parts, contextId })));
      } else {
        const begun = { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' } };
        bus.publish(AgentEvent.task(Task.fromJSON(begun)));
        const artifact = { artifactId: 'a1', parts: [{ text: `you said: ${text}` }] };
        bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact })));
        const state = text === 'keep going' ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_COMPLETED';
        bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: { state } })));
      }
    },
    async cancelTask(taskId, bus) {
      const status = { state: 'TASK_STATE_CANCELED' };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, status })));
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
  const spoken = {
    url: urls[transport] ?? '',
    protocolBinding: transport,
    tenant: '',
    protocolVersion: '1.0',
  };
  const card = AgentCard.fromJSON({
    name: 'Official',
    description: 'An official server',
    version: '1',
    supportedInterfaces: hasLayer ? duplicateInterfacesForLegacy([spoken], [transport]) : [spoken],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  });
  let begin = (): void => {};
  const followed = new Promise<void>((resolve) => {
    begin = resolve;
  });
  class Handler extends DefaultRequestHandler {
    override async *resubscribe(...asked: Parameters<DefaultRequestHandler['resubscribe']>) {
      for await (const item of super.resubscribe(...asked)) {
        yield item;
        begin();
      }
    }
  }
  const requestHandler = new Handler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    new InMemoryPushNotificationStore(),
    undefined,
    { ...card, description: 'An official server, extended' },
  );
  const legacyCompat = { enabled: hasLayer };
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  const grpcOptions = { requestHandler, userBuilder: GrpcUsers.noAuthentication };
  grpc.addService(A2AService, grpcService(grpcOptions));
  if (hasLayer) grpc.addService(LegacyA2AService, legacyGrpcService(grpcOptions));
  return {
    url,
    received,
    followed,
    async close() {
      grpc.forceShutdown();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
