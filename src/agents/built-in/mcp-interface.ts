import { randomUUID } from 'node:crypto';
import type { Answer, Incoming } from '../../attack/engine/actor-messages.ts';
import type { Transport } from '../../attack/engine/ports.ts';
import { createMcpServer } from '../../attack/transport/mcp-server/streamable-http.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { cacheableMethods, mcp2026, mcp2026Error, metaKey, readRequestMeta } from '../../format/registry/mcp-2026.ts';
import type { RunHandler } from './ag-ui-interface.ts';
import {
  type Caller,
  formatCallerContext,
  hasConfirmation,
  readAdvice,
  readConfirmation,
} from './mcp-interface-caller.ts';
import { type AskRequest, askTool, collectAnswer, createConfirmation, requestForAdvice } from './mcp-interface-tool.ts';

export interface McpInterfaceOptions {
  readonly host?: string | undefined;
  /** 0 selects a free port. */
  readonly port?: number | undefined;
  readonly run: RunHandler;
  /** How long a caller may take to answer a question. */
  readonly askMs?: number | undefined;
}

type Request = Extract<Incoming, { kind: 'request' }>;

const serverInfo = { name: 'oatf-built-in-agent', version: '1.0.0' };
const instructions = 'Call `ask` with what you want done.';
const latestVersion = '2025-11-25';
const versions = new Set([latestVersion, '2025-06-18', '2025-03-26']);
const createUnknownCaller = (): Caller => ({ version: latestVersion, capabilities: {}, info: {}, notes: [] });
const code = { invalidParams: -32602, methodNotFound: -32601 } as const;

/**
 * The interface for other programs: an MCP server with one tool, whose caller is treated as the user. It uses what a
 * caller offers (roots, forms, a model); the answers are data like any other.
 */
export class McpInterface {
  readonly url: string;
  readonly #transport: Transport;
  readonly #options: McpInterfaceOptions;
  readonly #callers = new Map<string, Caller>();
  readonly #runs = new Map<string, { readonly request: Request; readonly controller: AbortController }>();
  readonly #asked = new Map<string, (answer: Answer | undefined) => void>();
  #asks = 0;

  private constructor(url: string, transport: Transport, options: McpInterfaceOptions) {
    this.url = url;
    this.#transport = transport;
    this.#options = options;
  }

  static async open(options: McpInterfaceOptions): Promise<McpInterface> {
    const { host = '127.0.0.1', port = 0 } = options;
    const transport = createMcpServer({ host, port });
    let receive = (_message: Incoming): void => {};
    const { url } = await transport.open((message) => receive(message));
    const served = new McpInterface(url, transport, options);
    receive = (message) => served.#receive(message);
    return served;
  }

  /** Aborts the active runs. */
  async close(): Promise<void> {
    for (const { controller } of this.#runs.values()) controller.abort(new Error('the agent is being stopped'));
    for (const settle of this.#asked.values()) settle(undefined);
    await this.#transport.close();
  }

  #receive(message: Incoming): void {
    switch (message.kind) {
      case 'request':
        if (message.era === mcp2026) this.#takeIn2026(message);
        else this.#take(message);
        break;
      case 'notification':
        this.#note(message);
        break;
      case 'answer':
        this.#asked.get(message.ask)?.(message.answer);
        break;
      case 'connection':
        if (message.event === 'closed') this.#leave(message.session);
        break;
      default:
        break;
    }
  }

  #take(request: Request): void {
    const { method, params, session } = request;
    switch (method) {
      case 'initialize':
        this.#succeed(request, this.#greet(session, params));
        break;
      case 'ping':
        this.#succeed(request, {});
        break;
      case 'tools/list':
        this.#succeed(request, { tools: [askTool] });
        break;
      case 'tools/call':
        this.#call(request, this.#callers.get(session) ?? createUnknownCaller());
        break;
      default:
        this.#fail(request, code.methodNotFound, `Method not found: ${method}`);
    }
  }

  /**
   * There is no handshake: each request names the caller. Notes that were sent before it are kept for the next call.
   */
  #takeIn2026(request: Request): void {
    const { method, params, session } = request;
    const refused = refuseVersion(params);
    const known = this.#callers.get(session);
    const caller = readCaller(params, known?.notes ?? []);
    this.#callers.set(session, caller);
    if (refused !== undefined) this.#transport.answer(request.exchange, refused, () => {});
    else if (method === 'server/discover')
      this.#succeed(request, {
        supportedVersions: [mcp2026],
        capabilities: { tools: {} },
        instructions,
      });
    else if (method === 'tools/list') this.#succeed(request, { tools: [askTool] });
    else if (method === 'tools/call') this.#call(request, caller);
    else this.#fail(request, code.methodNotFound, `Method not found: ${method}`);
  }

  #greet(session: string, params: Value | undefined): ValueMap {
    const { protocolVersion, capabilities, clientInfo } = isValueMap(params) ? params : {};
    const asked = typeof protocolVersion === 'string' ? protocolVersion : '';
    const version = versions.has(asked) ? asked : latestVersion;
    this.#callers.set(session, {
      version,
      capabilities: isValueMap(capabilities) ? capabilities : {},
      info: clientInfo ?? {},
      notes: [],
    });
    return { protocolVersion: version, capabilities: { tools: {} }, serverInfo, instructions };
  }

  #call(request: Request, caller: Caller): void {
    const { name, arguments: args, _meta } = isValueMap(request.params) ? request.params : ({} as ValueMap);
    const prompt = isValueMap(args) ? args.prompt : undefined;
    if (name !== askTool.name) this.#fail(request, code.invalidParams, `Unknown tool: ${String(name)}`);
    else if (typeof prompt !== 'string') this.#fail(request, code.invalidParams, '`prompt` is the text of what to do');
    else void this.#serve(request, caller, { prompt, meta: dropCallerFields(isValueMap(_meta) ? _meta : {}) });
  }

  async #serve(request: Request, caller: Caller, { prompt, meta }: AskRequest): Promise<void> {
    const { exchange, session } = request;
    const controller = new AbortController();
    this.#runs.set(exchange, { request, controller });
    const { capabilities } = caller;
    const ask = (method: string, params: Value): Promise<Value | undefined> => this.#ask(exchange, method, params);
    const roots = capabilities.roots === undefined ? undefined : await ask('roots/list', {});
    const form = hasConfirmation(caller)
      ? readConfirmation(await ask('elicitation/create', createConfirmation(prompt)))
      : undefined;
    const advice =
      capabilities.sampling === undefined || form?.isGiven === false
        ? undefined
        : readAdvice(await ask('sampling/createMessage', requestForAdvice(prompt)));
    const answer = collectAnswer((progress) => this.#tellProgress(exchange, meta.progressToken, progress));
    if (form?.isGiven === false) answer.say('You did not confirm it, so nothing was done.');
    else {
      const application = formatCallerContext({ caller, meta, roots, form: form?.content, advice });
      const messages = [{ id: randomUUID(), message: { role: 'user' as const, content: prompt } }];
      const input = { threadId: session, runId: randomUUID(), messages, tools: [], application };
      await this.#options.run(input, answer.emit, controller.signal);
    }
    this.#runs.delete(exchange);
    this.#succeed(request, answer.result());
  }

  /** The caller's answer; undefined if it refuses or takes too long. */
  async #ask(exchange: string, method: string, params: Value): Promise<Value | undefined> {
    this.#asks += 1;
    const key = `ask-${this.#asks}`;
    const answer = await new Promise<Answer | undefined>((resolve) => {
      const timer = setTimeout(resolve, this.#options.askMs ?? 10_000, undefined);
      this.#asked.set(key, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.#transport.ask({ exchange }, key, method, params, () => {});
    });
    this.#asked.delete(key);
    return answer?.kind === 'result' ? answer.result : undefined;
  }

  #note({ session, method, params }: Extract<Incoming, { kind: 'notification' }>): void {
    const fields = isValueMap(params) ? params : {};
    if (method === 'notifications/cancelled') {
      for (const { request, controller } of this.#runs.values())
        if (request.session === session && request.id === fields.requestId)
          controller.abort(new Error('the caller has cancelled the request'));
    } else if (typeof fields.message === 'string')
      this.#callers.get(session)?.notes.push(`${method}: ${fields.message}`);
  }

  #leave(session: string): void {
    this.#callers.delete(session);
    for (const { request, controller } of this.#runs.values())
      if (request.session === session) controller.abort(new Error('the caller has gone'));
  }

  #tellProgress(exchange: string, token: Value | undefined, progress: number): void {
    if (token === undefined) return;
    const params = { progressToken: token, progress };
    this.#transport.notify({ exchange }, 'notifications/progress', params, () => {});
  }

  #succeed({ exchange, era, method }: Request, result: ValueMap): void {
    const written = era === mcp2026 ? addEnvelope(result, method, serverInfo) : result;
    this.#transport.answer(exchange, { kind: 'result', result: written }, () => {});
  }

  #fail({ exchange }: Request, errorCode: number, message: string): void {
    const error = { code: errorCode, message };
    this.#transport.answer(exchange, { kind: 'error', error }, () => {});
  }
}

// The parts of MCP 2026-07-28 requests and responses that earlier versions exchange in the handshake.

/** Reads the caller's identity from the request. */
function readCaller(params: Value | undefined, notes: string[]): Caller {
  const meta = readRequestMeta(params);
  const { [metaKey.clientCapabilities]: capabilities, [metaKey.clientInfo]: info } = meta;
  return {
    version: String(meta[metaKey.protocolVersion] ?? mcp2026),
    capabilities: isValueMap(capabilities) ? capabilities : {},
    info: info ?? {},
    notes,
  };
}

/** The error for a request in an unsupported version; undefined if it is supported. */
function refuseVersion(params: Value | undefined): Answer | undefined {
  const requested = readRequestMeta(params)[metaKey.protocolVersion];
  if (requested === mcp2026) return undefined;
  const data = { supported: [mcp2026], requested: requested ?? null };
  const error = { code: mcp2026Error.unsupportedVersion, message: 'Unsupported protocol version', data };
  return { kind: 'error', error };
}

/** Adds the fields that every result has. */
function addEnvelope(result: ValueMap, method: string, server: ValueMap): ValueMap {
  return {
    resultType: 'complete',
    ...(cacheableMethods.has(method) && { ttlMs: 0, cacheScope: 'private' }),
    ...result,
    _meta: { [metaKey.serverInfo]: server },
  };
}

/** The metadata of a request, without the caller's identity, which is read separately. */
function dropCallerFields(meta: ValueMap): ValueMap {
  const own: ReadonlySet<string> = new Set(Object.values(metaKey));
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !own.has(key)));
}
