import { isValueMap, type Value } from '../../format/model/value.ts';

/** A request to a server, and its answer. */
export interface RecordedExchange {
  readonly method: string;
  readonly params: Value | undefined;
  /** The result, or the protocol error if the request failed. */
  readonly result: Value;
  readonly failed?: true;
  /** The server's questions before its answer. */
  readonly questions?: readonly RecordedQuestion[];
}

/** A question that a server asked within a call. */
export interface RecordedQuestion {
  readonly method: string;
  readonly params: Value | undefined;
}

/** The limit for a recording. Past it a message is shown, and the part recorded so far is written. */
export const mostRecordingBytes = 1024 * 1024;
const mostAnswerBytes = 256 * 1024;
const mostDepth = 64;

/** The recorded exchanges of one server, bounded. The first answer to a request is kept. */
export class Recording {
  readonly exchanges: RecordedExchange[] = [];
  /** The missing parts and the reasons, for people to read. */
  readonly leftOut = new Set<string>();
  /** Answers, by request. */
  readonly #seen = new Map<string, string>();
  #bytes = 0;

  get isFull(): boolean {
    return this.#bytes >= mostRecordingBytes;
  }

  add(exchange: RecordedExchange): boolean {
    const { method, params, result, questions } = exchange;
    const key = createExchangeKey(method, params);
    const before = this.#seen.get(key);
    if (isTooDeep(result)) return this.#leaveOut(`an answer to ${method} is nested too deeply`);
    if (questions?.some(({ params = null }) => isTooDeep(params)))
      return this.#leaveOut(`what is asked within ${method} is nested too deeply`);
    const text = JSON.stringify(questions === undefined ? result : [result, questions]) ?? '';
    if (before !== undefined)
      return before === text || !isWritten(method)
        ? false
        : this.#leaveOut(
            `${describeRequest(exchange)} was answered differently when asked again; the first answer is kept`,
          );
    const size = key.length + text.length;
    if (size > mostAnswerBytes)
      return this.#leaveOut(`an answer to ${method} has ${size} characters, and ${mostAnswerBytes} are kept`);
    if (this.#bytes + size > mostRecordingBytes) {
      this.#bytes = mostRecordingBytes;
      return this.#leaveOut(
        `the server says more than ${mostRecordingBytes} characters, so it is not listened to any more`,
      );
    }
    this.#seen.set(key, text);
    this.#bytes += size;
    this.exchanges.push(exchange);
    return true;
  }

  #leaveOut(what: string): false {
    this.leftOut.add(what);
    return false;
  }
}

/** Whether a document has a place for the method. Polled tasks, for example, have none. */
function isWritten(method: string): boolean {
  return says.has(method) || written.has(method);
}

const says: ReadonlySet<string> = new Set(['message/send', 'message/stream']);
const written: ReadonlySet<string> = new Set([
  'initialize',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'agent_card/get',
]);

/** The key of a request, for which one answer is kept. It lacks message ids and `_meta`, which always differ. */
function createExchangeKey(method: string, params: Value | undefined): string {
  if (!isValueMap(params)) return JSON.stringify([method]);
  const { _meta, message, ...rest } = params;
  return says.has(method)
    ? JSON.stringify(['message', isValueMap(message) ? message.parts : message])
    : JSON.stringify([method, { ...rest, ...(message !== undefined && { message }) }]);
}

function describeRequest({ method, params }: RecordedExchange): string {
  const { name, uri } = isValueMap(params) ? params : {};
  const what = name ?? uri;
  return typeof what === 'string' ? `${method} of ${what.slice(0, 80)}` : method;
}

function isTooDeep(root: Value): boolean {
  const pending: [Value, number][] = [[root, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > mostDepth) return true;
    for (const item of Object.values(value)) pending.push([item as Value, depth + 1]);
  }
  return false;
}
