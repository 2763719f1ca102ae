import { waitAtMost } from '../../attack/transport/mcp-client/pause.ts';
import type { ValueMap } from '../../format/model/value.ts';
import type { McpConfig } from '../adapters/agent-under-test.ts';
import { type CallOutcome, McpServer } from './mcp-server.ts';
import type { Survey } from './mcp-survey.ts';
import { type CallRoute, readPromptArguments } from './model-offers.ts';
import type { QuestionHandler } from './question-handler.ts';

/** The servers that an agent knows of. They are independent: a slow or failing server does not delay the others. */
export class McpServers {
  readonly #servers: ReadonlyMap<string, McpServer>;
  /** The changes of lists that servers have reported, and how many of them were waited for. */
  #changes = 0;
  #awaited = 0;
  #change = (): void => {};

  constructor(config: McpConfig, questions: QuestionHandler, timeoutMs: number) {
    this.#servers = new Map(
      Object.entries(config.mcpServers).map(([name, { url }]) => [
        name,
        new McpServer({ name, url, questions, timeoutMs, changed: () => this.#noteChange() }),
      ]),
    );
  }

  /** Begins the handshakes before the first run, which waits for the unfinished ones. */
  connect(): void {
    this.#each((server) => void server.connect());
  }

  survey(signal: AbortSignal): Promise<readonly Survey[]> {
    return Promise.all(this.#each((server) => server.survey(signal)));
  }

  get haveChanged(): boolean {
    return this.#each((server) => server.hasChanged).includes(true);
  }

  /** Waits until a server reports changed lists, if none has since the last time. Resolves to whether one did. */
  async awaitChange(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#changes === this.#awaited) {
      const changed = new Promise<void>((resolve) => {
        this.#change = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await waitAtMost(ms, changed);
    }
    const hasChanged = this.#changes > this.#awaited;
    this.#awaited = this.#changes;
    return hasChanged;
  }

  #noteChange(): void {
    this.#changes += 1;
    this.#change();
  }

  /** Ends all sessions. The next survey opens new ones. */
  async leave(): Promise<void> {
    await Promise.all(this.#each((server) => server.leave()));
  }

  async call(route: Exclude<CallRoute, { kind: 'agent' }>, args: ValueMap, signal: AbortSignal): Promise<CallOutcome> {
    switch (route.kind) {
      case 'tool':
        return this.#on(route.server, (server) => server.callTool(route.name, args, signal));
      case 'prompt':
        return this.#on(route.server, (server) => server.getPrompt(route.name, readPromptArguments(args), signal));
      case 'resource': {
        const asked = typeof args.uri === 'string' ? args.uri : '';
        // A resource can be read even if it is not listed.
        const { server: name, uri } = route.listed.get(asked) ?? { server: route.first, uri: asked };
        return this.#on(name, (server) => server.readResource(uri, signal));
      }
      case 'frontend':
        return { content: 'the application answers this call', isError: true };
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#each((server) => server.close()));
  }

  #on(name: string, call: (server: McpServer) => Promise<CallOutcome>): Promise<CallOutcome> {
    const server = this.#servers.get(name);
    return server === undefined
      ? Promise.resolve({ content: `there is no server "${name}"`, isError: true })
      : call(server);
  }

  #each<T>(use: (server: McpServer) => T): T[] {
    return [...this.#servers.values()].map(use);
  }
}
