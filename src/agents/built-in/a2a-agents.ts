import { isValueMap, type ValueMap } from '../../format/model/value.ts';
import { A2aInbox } from './a2a-inbox.ts';
import type { RemoteAgent } from './a2a-remote-agent.ts';
import type { AgentSurvey } from './a2a-survey.ts';
import type { CallOutcome } from './mcp-server.ts';

/** The other agents that an agent knows of. */
export class A2aAgents {
  readonly #cardUrls: readonly string[];
  readonly #timeoutMs: number;
  #agents: Promise<ReadonlyMap<string, RemoteAgent>> | undefined;
  #inbox: Promise<A2aInbox> | undefined;
  /** The agent that may still report on its task. */
  #reporting: RemoteAgent | undefined;

  constructor(cardUrls: readonly string[], timeoutMs: number) {
    this.#cardUrls = cardUrls;
    this.#timeoutMs = timeoutMs;
  }

  async survey(signal: AbortSignal): Promise<readonly AgentSurvey[]> {
    if (this.#cardUrls.length === 0) return [];
    this.#agents ??= this.#load();
    const agents = await this.#agents;
    return Promise.all([...agents.values()].map((agent) => agent.survey(signal)));
  }

  /** With `leavesReport`, a later report on the task is left to `awaitReport`. */
  async ask(cardUrl: string, args: ValueMap, signal: AbortSignal, leavesReport = false): Promise<CallOutcome> {
    const { message, metadata } = args;
    const agent = (await this.#agents)?.get(cardUrl);
    if (agent === undefined) return { content: 'there is no such agent', isError: true };
    this.#reporting = agent;
    const text = typeof message === 'string' ? message : JSON.stringify(message ?? '');
    return agent.ask({ text, ...(isValueMap(metadata) && { metadata }) }, signal, leavesReport);
  }

  /** The report on the task that was sent last; undefined if none comes in time. */
  async awaitReport(): Promise<CallOutcome | undefined> {
    return this.#reporting?.awaitReport();
  }

  /** Leaves all conversations. The next message begins a new one. */
  async leave(): Promise<void> {
    for (const agent of (await this.#agents)?.values() ?? []) agent.forgetContext();
  }

  async close(): Promise<void> {
    for (const agent of (await this.#agents)?.values() ?? []) await agent.close();
    await (await this.#inbox)?.close();
  }

  /** Loads the client on demand, because most agents know no others. */
  async #load(): Promise<ReadonlyMap<string, RemoteAgent>> {
    const { RemoteAgent } = await import('./a2a-remote-agent.ts');
    const inbox = (): Promise<A2aInbox> => {
      this.#inbox ??= A2aInbox.open();
      return this.#inbox;
    };
    const timeoutMs = this.#timeoutMs;
    return new Map(this.#cardUrls.map((cardUrl) => [cardUrl, new RemoteAgent({ cardUrl, timeoutMs, inbox })]));
  }
}
