import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Value, ValueMap } from '../../model/value.ts';
import { contentText, shorten } from './content-text.ts';
import type { Questions } from './questions.ts';

/** What a server offers at one moment. */
export interface Survey {
  readonly server: string;
  readonly url: string;
  readonly instructions: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Value;
  }[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  /** Why something is missing above, in words of our own: a server's must not reach the answer unread. */
  readonly failure?: string;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface CallOutcome {
  readonly content: string;
  readonly isError: boolean;
}

export interface McpServerOptions {
  readonly name: string;
  readonly url: string;
  readonly questions: Questions;
  /** For each request; also for the handshake. */
  readonly timeoutMs: number;
}

const info = { name: 'oatf-built-in-agent', version: '1.0.0' };
// `-1` is what the specification shows for a user who refuses a sampling request.
const userRejected = -1;
const goodbyeMs = 1000;

/** One connection. Nothing here throws because of what a server does: failures are outcomes. */
export class McpServer {
  readonly name: string;
  readonly url: string;
  readonly #questions: Questions;
  readonly #timeout: number;
  #connection: { readonly client: Client; readonly transport: StreamableHTTPClientTransport } | undefined;
  #connecting: Promise<boolean> | undefined;
  readonly #closing = new AbortController();
  #hasChanged = false;

  constructor({ name, url, questions, timeoutMs }: McpServerOptions) {
    this.name = name;
    this.url = url;
    this.#questions = questions;
    this.#timeout = timeoutMs;
  }

  /** Whether the server has said, since the last survey, that what it offers has changed. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Whether there is a connection in the end; one that is being made is waited for. */
  connect(): Promise<boolean> {
    if (this.#connection !== undefined) return Promise.resolve(true);
    this.#connecting ??= this.#handshake().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #handshake(): Promise<boolean> {
    if (!URL.canParse(this.url)) return false;
    const client = this.#createClient();
    const transport = new StreamableHTTPClientTransport(new URL(this.url));
    try {
      await client.connect(transport, { timeout: this.#timeout, signal: this.#closing.signal });
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
    const base = { server: this.name, url: this.url };
    const client = (await this.connect()) ? this.#connection?.client : undefined;
    if (client === undefined)
      return {
        ...base,
        instructions: '',
        tools: [],
        resources: [],
        prompts: [],
        failure: 'could not be reached',
      };
    const options = { signal, timeout: this.#timeout };
    const offers = client.getServerCapabilities() ?? {};
    const lists = await Promise.allSettled([
      // Tools are asked for even of a server that forgot to say that it has any, as many agents do.
      offers.tools === undefined
        ? client.request({ method: 'tools/list' }, options)
        : client.listTools(undefined, options),
      offers.resources === undefined ? { resources: [] } : client.listResources(undefined, options),
      offers.prompts === undefined ? { prompts: [] } : client.listPrompts(undefined, options),
    ]);
    const [tools, resources, prompts] = lists;
    const failed = lists.filter(({ status }) => status === 'rejected').length;
    // A session that the server has forgotten answers nothing any more; the next run begins a new one.
    const asked = lists.length - [offers.resources, offers.prompts].filter((one) => one === undefined).length;
    if (failed === asked) await this.#leave();
    return {
      ...base,
      instructions: client.getInstructions() ?? '',
      tools: tools.status === 'rejected' ? [] : tools.value.tools.map((tool) => listed(tool)),
      resources:
        resources.status === 'rejected' ? [] : resources.value.resources.map((one) => described(one)),
      prompts: prompts.status === 'rejected' ? [] : prompts.value.prompts.map(listedPrompt),
      ...(failed > 0 && { failure: 'did not tell all that it offers' }),
    };
  }

  callTool(name: string, args: ValueMap, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const result = await client.callTool({ name, arguments: args }, options);
      const { structuredContent } = result;
      const text = contentText(result.content as unknown as Value);
      const structured =
        text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : '';
      return { content: shorten(text + structured), isError: result.isError === true };
    }, signal);
  }

  readResource(uri: string, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const { contents } = await client.readResource({ uri }, options);
      return { content: contentText(contents as unknown as Value), isError: false };
    }, signal);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<CallOutcome> {
    return this.#attempt(async (client, options) => {
      const { messages } = await client.getPrompt({ name, arguments: args }, options);
      const texts = messages.map(({ content }) => contentText(content as unknown as Value));
      return { content: shorten(texts.join('\n\n')), isError: false };
    }, signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting;
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    await withinTime(goodbyeMs, connection.transport.terminateSession().catch(ignore));
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
      return { content: shorten(error instanceof Error ? error.message : String(error)), isError: true };
    }
  }

  #createClient(): Client {
    const client = new Client(info, {
      capabilities: { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} },
    });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const answer = await this.#questions.sample(this.name, {
        systemPrompt: params.systemPrompt,
        maxTokens: params.maxTokens,
        messages: params.messages.map(({ role, content }) => ({
          role,
          content: contentText(content as unknown as Value),
        })),
      });
      if (!answer.ok) throw new ProtocolError(userRejected, answer.reason);
      return {
        role: 'assistant' as const,
        model: info.name,
        content: { type: 'text' as const, text: answer.text },
        stopReason: answer.cut ? ('maxTokens' as const) : ('endTurn' as const),
      };
    });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const schema = 'requestedSchema' in params ? params.requestedSchema : {};
      const answer = await this.#questions.elicit(this.name, {
        message: 'url' in params ? `${params.message}\n${params.url}` : params.message,
        requestedSchema: schema as unknown as Value,
      });
      // An address is agreed to or not; there is nothing to fill in.
      if (answer.action === 'accept' && 'url' in params) return { action: 'accept' as const };
      return answer as { action: 'accept'; content: Record<string, string> } | { action: 'decline' };
    });
    for (const list of ['tools', 'resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
        this.#hasChanged = true;
      });
    return client;
  }
}

function listed(tool: { name: string; description?: string | undefined; inputSchema: unknown }) {
  return { name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema as Value };
}

function described(resource: {
  uri: string;
  name?: string;
  description?: string | undefined;
}): ListedResource {
  return { uri: resource.uri, name: resource.name ?? '', description: resource.description ?? '' };
}

function listedPrompt(prompt: {
  name: string;
  description?: string | undefined;
  arguments?:
    | { name: string; description?: string | undefined; required?: boolean | undefined }[]
    | undefined;
}): ListedPrompt {
  return {
    name: prompt.name,
    description: prompt.description ?? '',
    arguments: (prompt.arguments ?? []).map(({ name, description = '', required = false }) => ({
      name,
      description,
      required,
    })),
  };
}

async function withinTime(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

/** A goodbye that fails is as good as one that is heard. */
function ignore(): void {}
