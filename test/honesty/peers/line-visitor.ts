import type { PassThrough } from 'node:stream';
import type { Value, ValueMap } from '../../../src/index.ts';
import { answersTo, inEra2026, type Visit, type Visitor } from './mcp-visitor.ts';

/** The same as an `McpVisitor` of 2026-07-28, over the standard streams of the server. */
export class LineVisitor implements Visitor {
  readonly #toServer: PassThrough;
  readonly #visit: Visit;
  readonly #waiting = new Map<Value, (message: ValueMap) => void>();
  #lastId = 0;

  constructor(toServer: PassThrough, fromServer: PassThrough, visit: Visit) {
    this.#toServer = toServer;
    this.#visit = visit;
    let begun = '';
    fromServer.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (begun + chunk).split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  async enter(): Promise<void> {
    await this.ask('server/discover');
  }

  list(kind: string): Promise<Value> {
    return this.ask(`${kind}/list`);
  }

  call(name: string, args: ValueMap = {}): Promise<Value> {
    return this.ask('tools/call', { name, arguments: args });
  }

  read(uri: string): Promise<Value> {
    return this.ask('resources/read', { uri });
  }

  prompt(name: string): Promise<Value> {
    return this.ask('prompts/get', { name });
  }

  async leave(): Promise<void> {
    this.#toServer.end();
  }

  async listen(): Promise<() => void> {
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const acknowledged = this.#heard('notifications/subscriptions/acknowledged');
    const requestId = this.#lastId + 1;
    void this.#send('subscriptions/listen', { notifications });
    await acknowledged;
    return () => this.#write({ method: 'notifications/cancelled', params: { requestId } });
  }

  async ask(method: string, params: ValueMap = {}): Promise<Value> {
    const { result, error } = await this.#send(method, params);
    const message = result ?? error ?? null;
    const answers = answersTo(message, this.#visit.answer);
    return answers === undefined ? message : this.ask(method, { ...params, ...answers });
  }

  #heard(what: Value): Promise<ValueMap> {
    return new Promise((resolve) => this.#waiting.set(what, resolve));
  }

  /** The server may answer before anything else happens here, so the wait for the answer begins first. */
  #send(method: string, params: ValueMap): Promise<ValueMap> {
    this.#lastId += 1;
    const answer = this.#heard(this.#lastId);
    this.#write(inEra2026({ id: this.#lastId, method, params }, this.#visit.capabilities));
    return answer;
  }

  #write(message: ValueMap): void {
    this.#toServer.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(message: ValueMap): void {
    const { id, method } = message;
    this.#waiting.get(method ?? id ?? null)?.(message);
  }
}
