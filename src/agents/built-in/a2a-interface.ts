import { randomUUID } from 'node:crypto';
import type { Incoming } from '../../attack/engine/actor-messages.ts';
import type { Transport } from '../../attack/engine/ports.ts';
import { createA2aServer } from '../../attack/transport/a2a/a2a-server.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { readA2aPrompt } from './a2a-interface-message.ts';
import type { RunHandler } from './ag-ui-interface.ts';

export interface A2aInterfaceOptions {
  readonly host?: string | undefined;
  readonly run: RunHandler;
}

type Request = Extract<Incoming, { kind: 'request' }>;

const mostTasks = 200;
const ignoreSent = (): void => {};
const code = {
  methodNotFound: -32601,
  invalidParams: -32602,
  taskNotFound: -32001,
  notCancelable: -32002,
  pushNotSupported: -32003,
} as const;

/** The interface for other agents. Each message is a task, and its sender is treated as the user. */
export class A2aInterface {
  readonly url: string;
  readonly #transport: Transport;
  readonly #run: RunHandler;
  readonly #tasks = new Map<string, A2aInterfaceTask>();
  readonly #running = new Map<string, AbortController>();

  private constructor(url: string, transport: Transport, run: RunHandler) {
    this.url = url;
    this.#transport = transport;
    this.#run = run;
  }

  static async open({ host = '127.0.0.1', run }: A2aInterfaceOptions): Promise<A2aInterface> {
    const transport = createA2aServer({ host });
    let take: (request: Request) => void = () => {};
    const { url } = await transport.open((message) => {
      if (message.kind === 'request') take(message);
    });
    const served = new A2aInterface(url, transport, run);
    take = (request) => served.#take(request);
    return served;
  }

  /** Aborts the active tasks. */
  async close(): Promise<void> {
    for (const running of this.#running.values()) running.abort(new Error('the agent is being stopped'));
    await this.#transport.close();
  }

  #take(request: Request): void {
    const { method } = request;
    switch (method) {
      case 'agent_card/get':
      case 'agent/getAuthenticatedExtendedCard':
        this.#succeed(request, createAgentCard(this.url));
        break;
      case 'message/send':
      case 'message/stream':
        void this.#work(request, method === 'message/stream');
        break;
      case 'tasks/get':
        this.#withTask(request, (task) => this.#succeed(request, toTask(task)));
        break;
      case 'tasks/resubscribe':
        this.#withTask(request, (task) => {
          this.#part(request, toTask(task));
          this.#succeed(request, createStatusUpdate(task, true));
        });
        break;
      case 'tasks/cancel':
        this.#withTask(request, (task) => this.#cancel(request, task));
        break;
      case 'tasks/list':
        this.#succeed(request, { tasks: [...this.#tasks.values()].map(toTask) });
        break;
      default:
        if (method.startsWith('tasks/pushNotificationConfig/'))
          this.#fail(request, code.pushNotSupported, 'Push Notification is not supported');
        else this.#fail(request, code.methodNotFound, `Method not found: ${method}`);
    }
  }

  async #work(request: Request, isStream: boolean): Promise<void> {
    const prompt = isValueMap(request.params) ? readA2aPrompt(request.params) : undefined;
    if (prompt === undefined) {
      this.#fail(request, code.invalidParams, '`message` is missing');
      return;
    }
    const known = prompt.taskId === undefined ? undefined : this.#tasks.get(prompt.taskId);
    const id = known?.id ?? randomUUID();
    const contextId = prompt.contextId ?? known?.contextId ?? randomUUID();
    let task: A2aInterfaceTask = { id, contextId, state: 'working', answer: '' };
    this.#keep(task);
    if (isStream) {
      this.#part(request, toTask({ ...task, state: 'submitted' }));
      this.#part(request, createStatusUpdate(task, false));
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    let answer = '';
    let failure: string | undefined;
    await this.#run(
      { threadId: contextId, runId: id, messages: prompt.messages, tools: [], application: prompt.application },
      ({ type, delta, message }) => {
        if (type === 'TEXT_MESSAGE_CONTENT') answer += String(delta);
        if (type === 'RUN_ERROR') failure = String(message);
      },
      controller.signal,
    );
    this.#running.delete(id);
    const state = controller.signal.aborted ? 'canceled' : failure === undefined ? 'completed' : 'failed';
    task = { ...task, state, answer: failure ?? answer };
    this.#keep(task);
    if (isStream && state === 'completed') this.#part(request, createArtifactUpdate(task));
    this.#succeed(request, isStream ? createStatusUpdate(task, true) : toTask(task));
  }

  #keep(task: A2aInterfaceTask): void {
    this.#tasks.set(task.id, task);
    const [oldest] = this.#tasks.keys();
    if (this.#tasks.size > mostTasks && oldest !== undefined) this.#tasks.delete(oldest);
  }

  #cancel(request: Request, task: A2aInterfaceTask): void {
    const running = this.#running.get(task.id);
    running?.abort(new Error('the task was canceled'));
    if (running === undefined) this.#fail(request, code.notCancelable, `Task not cancelable: ${task.id}`);
    else this.#succeed(request, toTask({ ...task, state: 'canceled' }));
  }

  #withTask(request: Request, use: (task: A2aInterfaceTask) => void): void {
    const id = isValueMap(request.params) ? request.params.id : undefined;
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined;
    if (task === undefined) this.#fail(request, code.taskNotFound, `Task not found: ${String(id)}`);
    else use(task);
  }

  #part({ exchange }: Request, content: ValueMap): void {
    this.#transport.part?.(exchange, content, ignoreSent);
  }

  #succeed({ exchange }: Request, result: Value): void {
    this.#transport.answer(exchange, { kind: 'result', result }, ignoreSent);
  }

  #fail({ exchange }: Request, errorCode: number, message: string): void {
    this.#transport.answer(exchange, { kind: 'error', error: { code: errorCode, message } }, ignoreSent);
  }
}

/** The card of the agent, readable in either era. */
function createAgentCard(url: string): ValueMap {
  const places = { JSONRPC: url, 'HTTP+JSON': url.replace(/\/$/, ''), GRPC: new URL(url).host };
  return {
    protocolVersion: '0.3.0',
    name: 'oatf-built-in-agent',
    description: 'A capable assistant with tools of its own.',
    url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: Object.entries(places).map(([transport, place]) => ({ url: place, transport })),
    supportedInterfaces: Object.entries(places).map(([protocolBinding, place]) => ({
      url: place,
      protocolBinding,
      protocolVersion: '1.0',
    })),
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'assist',
        name: 'Assist',
        description: 'Does what it is asked, with the tools that it has.',
        tags: ['assistant'],
      },
    ],
  };
}

/** A task, with the facts that the interface keeps about it. */
interface A2aInterfaceTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: 'submitted' | 'working' | 'completed' | 'failed' | 'canceled';
  readonly answer: string;
}

function toTask(task: A2aInterfaceTask): ValueMap {
  const { id, contextId, state } = task;
  return {
    kind: 'task',
    id,
    contextId,
    status: createTaskStatus(task),
    ...(state === 'completed' && { artifacts: [createTaskArtifact(task)] }),
  };
}

function createStatusUpdate(task: A2aInterfaceTask, final: boolean): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'status-update', taskId, contextId, status: createTaskStatus(task), final };
}

function createArtifactUpdate(task: A2aInterfaceTask): ValueMap {
  const { id: taskId, contextId } = task;
  return { kind: 'artifact-update', taskId, contextId, artifact: createTaskArtifact(task), lastChunk: true };
}

function createTaskStatus({ id, contextId, state, answer }: A2aInterfaceTask): ValueMap {
  if (state !== 'failed') return { state };
  const message = {
    kind: 'message',
    messageId: `${id}-failure`,
    role: 'agent',
    taskId: id,
    contextId,
    parts: [{ kind: 'text', text: answer }],
  };
  return { state, message };
}

function createTaskArtifact({ id, answer }: A2aInterfaceTask): ValueMap {
  return { artifactId: `${id}-answer`, name: 'answer', parts: [{ kind: 'text', text: answer }] };
}
