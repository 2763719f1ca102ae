import { randomUUID } from 'node:crypto';
import { type Client, InMemoryResponseCacheStore, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { waitAtMost } from '../../attack/transport/mcp-client/pause.ts';
import { toMaps, type Value, type ValueMap } from '../../format/model/value.ts';
import { createOfficialClient } from './agent-mcp-client.ts';
import { formatContent, formatResult, shortenContent } from './content-text.ts';
import { describeUnreachable, type Survey, surveyClient } from './mcp-survey.ts';
import { createOwnConnections } from './own-connections.ts';
import type { QuestionHandler } from './question-handler.ts';

export interface CallOutcome {
  readonly content: string;
  readonly isError: boolean;
  /** The result as JSON, if there is one. */
  readonly structured?: Value | undefined;
  /** The images of the result, as base64 texts. */
  readonly images?: readonly string[] | undefined;
}

export interface McpServerOptions {
  readonly name: string;
  readonly url: string;
  readonly questions: QuestionHandler;
  /** The timeout of each request, including the handshake. */
  readonly timeoutMs: number;
  /** Called when the server reports changed lists. */
  changed?(): void;
}

const goodbyeMs = 1000;

/** One connection to a server. Nothing here throws because of a server's behaviour: failures are outcomes. */
export class McpServer {
  readonly name: string;
  readonly url: string;
  readonly #questions: QuestionHandler;
  readonly #timeout: number;
  readonly #changed: () => void;
  #connection: { readonly client: Client; readonly transport: StreamableHTTPClientTransport } | undefined;
  #connecting: Promise<boolean> | undefined;
  readonly #connections = createOwnConnections();
  /** An agent that may connect again keeps what it was told to keep. */
  readonly #cache: InMemoryResponseCacheStore | undefined;
  readonly #closing = new AbortController();
  #hasChanged = false;

  constructor({ name, url, questions, timeoutMs, changed = ignore }: McpServerOptions) {
    this.name = name;
    this.url = url;
    this.#questions = questions;
    this.#timeout = timeoutMs;
    this.#changed = changed;
    this.#cache = questions.hear === undefined ? undefined : new InMemoryResponseCacheStore();
  }

  /** Whether the server has reported changed lists since the last survey. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Connects if needed, and resolves to whether there is a connection. */
  connect(): Promise<boolean> {
    if (this.#connection !== undefined) return Promise.resolve(true);
    this.#connecting ??= this.#handshake().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #handshake(): Promise<boolean> {
    if (!URL.canParse(this.url)) return false;
    const client = createOfficialClient({
      server: this.name,
      questions: this.#questions,
      changed: () => {
        this.#hasChanged = true;
        this.#changed();
      },
      cache: this.#cache,
    });
    const transport = new StreamableHTTPClientTransport(new URL(this.url), {
      fetch: this.#connections.fetch,
    });
    try {
      const options = { timeout: this.#timeout, signal: this.#closing.signal };
      await client.connect(transport, options);
      await listenForChanges(client, options);
    } catch {
      await client.close().catch(ignore);
      return false;
    }
    client.onclose = () => {
      if (this.#connection?.client === client) this.#connection = undefined;
    };
    this.#connection = { client, transport };
    return true;
  }

  async survey(signal: AbortSignal): Promise<Survey> {
    this.#hasChanged = false;
    const client = (await this.connect()) ? this.#connection?.client : undefined;
    const { name: server, url } = this;
    if (client === undefined) return describeUnreachable(server, url);
    const { offered, answers } = await surveyClient(client, { signal, timeout: this.#timeout });
    // A server that has forgotten the session answers nothing, so the next run opens a new one.
    if (answers === 'none') await this.leave();
    return {
      server,
      url,
      ...offered,
      ...(answers !== 'all' && { failure: 'did not tell all that it offers' }),
    };
  }

  callTool(name: string, args: ValueMap, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const heard = this.#questions.hear === undefined ? {} : { _meta: { progressToken: randomUUID() } };
      const result = await client.callTool({ name, arguments: args, ...heard }, options);
      const structured = result.structuredContent as unknown as Value | undefined;
      const content = formatResult(result.content as unknown as Value, structured);
      const images = toMaps(result.content as unknown as Value).flatMap(({ type, data }) =>
        type === 'image' && typeof data === 'string' ? [data] : [],
      );
      return { content, isError: result.isError === true, structured, images };
    }, signal);
  }

  readResource(uri: string, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const { contents } = await client.readResource({ uri }, options);
      return { content: formatContent(contents as unknown as Value), isError: false };
    }, signal);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const { messages } = await client.getPrompt({ name, arguments: args }, options);
      const texts = messages.map(({ content }) => formatContent(content as unknown as Value));
      return { content: shortenContent(texts.join('\n\n')), isError: false };
    }, signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting;
    await this.leave();
    await this.#connections.close();
  }

  /** Ends the session. The next survey opens a new one. */
  async leave(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    await waitAtMost(goodbyeMs, connection.transport.terminateSession().catch(ignore));
    await connection.client.close().catch(ignore);
  }

  async #attempt(
    call: (client: Client, options: { signal: AbortSignal; timeout: number }) => Promise<CallOutcome>,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const client = this.#connection?.client;
    if (client === undefined) return { content: 'the server is not connected', isError: true };
    try {
      return await call(client, { signal, timeout: this.#timeout });
    } catch (error) {
      return {
        content: shortenContent(error instanceof Error ? error.message : String(error)),
        isError: true,
      };
    }
  }
}

/**
 * Subscribes to changes, which is necessary since 2026-07-28. A server that refuses is still listed again for each run.
 */
async function listenForChanges(
  client: Client,
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<void> {
  if (client.getProtocolEra() !== 'modern') return;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length > 0) await client.listen(filter, options).catch(ignore);
}

/** The session ends either way, so a failed request to end it is ignored. */
function ignore(): void {}
