import { randomUUID } from 'node:crypto';
import type { McpConfig } from '../adapters/agent-under-test.ts';
import type { RunInput } from '../adapters/conversation/read-run-input.ts';
import { Threads } from '../adapters/conversation/threads.ts';
import { A2aAgents } from './a2a-agents.ts';
import { type ModelSurroundings, runAgent } from './agent-run.ts';
import { type AskingRun, answerElicitation, answerSampling } from './answer-questions.ts';
import { shortenContent } from './content-text.ts';
import { ServiceFailure } from './llm/ask-service.ts';
import { McpServers } from './mcp-servers.ts';
import type { Model } from './model.ts';
import type { PlanFollower } from './plan/plan-follower.ts';
import type {
  ElicitationAnswer,
  ElicitationQuestion,
  QuestionHandler,
  SamplingAnswer,
  SamplingQuestion,
} from './question-handler.ts';
import type { Emit } from './run-events.ts';

export interface Persona {
  readonly model: Model;
  /** The system prompt, instead of ours. */
  readonly instructions?: string | undefined;
  /** Follows the document's plan of the user's task, if there is one. */
  readonly follower?: PlanFollower | undefined;
}

const requestTimeoutMs = 30_000;

/** An agent with servers, memory and a model. It lives from launch to stop, and serves any number of threads. */
export class PersonaAgent implements QuestionHandler {
  readonly #persona: Persona;
  readonly #servers: McpServers;
  readonly #agents: A2aAgents;
  readonly #threads = new Threads();
  /** The active runs, latest first, because a server's question does not say which run it belongs to. */
  readonly #running: AskingRun[] = [];
  #absence: string | undefined;

  /** Only an agent with a plan reads them: to the others, they would be new. */
  readonly hear: QuestionHandler['hear'];

  constructor(persona: Persona, mcpConfig: McpConfig, timeoutMs = requestTimeoutMs, a2aCards: readonly string[] = []) {
    this.#persona = persona;
    if (persona.follower !== undefined)
      this.hear = (server, text) =>
        this.#running[0]?.thread.add({
          role: 'system',
          content: `The server "${server}" reports:\n${shortenContent(text)}`,
        });
    this.#servers = new McpServers(mcpConfig, this, timeoutMs);
    this.#agents = new A2aAgents(a2aCards, timeoutMs);
  }

  /** Why its model cannot be asked at all. */
  get absence(): string | undefined {
    return this.#absence;
  }

  connect(): void {
    this.#servers.connect();
  }

  /** Reports everything as events; the last one is RUN_FINISHED or RUN_ERROR. */
  async run(input: RunInput, emit: Emit, signal: AbortSignal): Promise<void> {
    const { threadId, runId } = input;
    const thread = this.#threads.get(threadId);
    const { model, instructions, follower } = this.#persona;
    emit({ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' });
    let asked: AskingRun | undefined;
    const leave = (): void => {
      if (asked !== undefined) this.#running.splice(this.#running.indexOf(asked), 1);
      asked = undefined;
    };
    const sees = (view: ModelSurroundings): void => {
      leave();
      asked = { thread, view };
      this.#running.unshift(asked);
    };
    try {
      const play = () =>
        runAgent({
          model,
          follower,
          instructions,
          servers: this.#servers,
          agents: this.#agents,
          thread,
          input,
          emit,
          freshId: randomUUID,
          signal,
          sees,
        });
      const inTurn = () => thread.inTurn(play);
      const { pending, interrupt } = await (follower === undefined ? inTurn() : follower.inTurn(inTurn));
      emit({
        type: 'RUN_FINISHED',
        threadId,
        runId,
        outcome:
          interrupt === undefined
            ? { type: 'success', ...(pending.length > 0 && { pendingToolCallIds: pending }) }
            : { type: 'interrupt', interrupts: [interrupt] },
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof ServiceFailure && error.isAbsent) this.#absence ??= message;
      emit({ type: 'RUN_ERROR', message });
    } finally {
      leave();
    }
  }

  async sample(server: string, question: SamplingQuestion): Promise<SamplingAnswer> {
    const [asked] = this.#running;
    // Outside a run there is no user to ask.
    if (asked === undefined) return { ok: false, reason: 'user rejected sampling request' };
    return answerSampling(this.#persona, asked, server, question);
  }

  async elicit(server: string, question: ElicitationQuestion): Promise<ElicitationAnswer> {
    const [asked] = this.#running;
    if (asked === undefined) return { action: 'decline' };
    return answerElicitation(this.#persona, asked, server, question);
  }

  async close(): Promise<void> {
    await Promise.all([this.#servers.close(), this.#agents.close()]);
  }
}
