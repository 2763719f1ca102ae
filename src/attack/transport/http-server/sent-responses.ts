import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// Checks that responses leave this process as they were written. A message counts as sent once Node has taken its bytes. If
// the connection then carries something else, the agent never saw the message, and its silence would look like resistance.

/** A response that was begun, and the bytes of its body that Node was given in pieces. */
interface ExpectedResponse {
  readonly hasBody: boolean;
  bytes: number;
}

/** The part of a response that the next bytes belong to; `text` is its beginning if it came in several pieces. */
type State = Framing | Content;

interface Framing {
  readonly at: 'head' | 'size' | 'end of chunk' | 'trailer';
  readonly text: string;
}

interface Content {
  readonly at: 'body' | 'chunk';
  readonly left: number;
}

const newResponse: State = { at: 'head', text: '' };
const longestHead = 128 * 1024;

const checks = new WeakMap<Socket, SentResponses>();

/** Says how this connection was damaged on our side; undefined if it was not. */
export function findDamage({ req: { socket } }: ServerResponse): string | undefined {
  return checks.get(socket)?.damage;
}

/** Ends the check of a connection, because a document asks for a response that is not valid HTTP. */
export function stopCheckingResponses({ req: { socket } }: ServerResponse): void {
  checks.get(socket)?.stop();
}

/**
 * Makes the class of a server's responses. Node makes an object of it for each request, also for those that it refuses
 * itself, so no response goes unnoticed.
 */
export function createCheckedResponse(report: (damage: string) => void): typeof ServerResponse<IncomingMessage> {
  return class CheckedResponse extends ServerResponse<IncomingMessage> {
    readonly #expected: ExpectedResponse;

    // Node gives options, too, which its types do not have.
    constructor(...args: [request: IncomingMessage]) {
      super(...args);
      const [request] = args;
      const { socket } = request;
      const check = checks.get(socket) ?? new SentResponses(socket, report);
      this.#expected = { hasBody: request.method !== 'HEAD', bytes: 0 };
      check.expect(this.#expected);
      this.once('finish', () => {
        if (!socket.destroyed) check.noteEnd(this.#expected);
      });
    }

    override write(...args: unknown[]): boolean {
      this.#count(args);
      return Reflect.apply(super.write, this, args);
    }

    override end(...args: unknown[]): this {
      this.#count(args);
      return Reflect.apply(super.end, this, args);
    }

    #count([chunk, encoding]: readonly unknown[]): void {
      const isLatin1 = typeof chunk === 'string' && encoding === 'latin1';
      if (isLatin1) this.#expected.bytes += chunk.length;
      else if (typeof chunk === 'string' || chunk instanceof Uint8Array)
        this.#expected.bytes += Buffer.byteLength(chunk);
    }
  };
}

/** Follows the HTTP/1.1 responses on one connection byte by byte. */
export class SentResponses {
  readonly #expected: ExpectedResponse[] = [];
  readonly #report: (damage: string) => void;
  #state: State = newResponse;
  #bodyBytes = 0;
  #damage: string | undefined;
  #isStopped = false;

  constructor(socket: Socket, report: (damage: string) => void) {
    this.#report = report;
    checks.set(socket, this);
    const { write } = socket;
    // Node passes all that it sends on a connection through this method.
    socket.write = ((chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
      if (typeof chunk === 'string') this.#read(chunk, rest[0] === 'latin1');
      else this.#readBytes(chunk);
      return Reflect.apply(write, socket, [chunk, ...rest]);
    }) as typeof write;
  }

  get damage(): string | undefined {
    return this.#damage;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Expects this response after the ones before it. */
  expect(expected: ExpectedResponse): void {
    this.#expected.push(expected);
  }

  /** Called when Node holds a response to be sent completely. */
  noteEnd(expected: ExpectedResponse): void {
    // A body without a length ends with the connection.
    if ('left' in this.#state && this.#state.left === Number.POSITIVE_INFINITY) this.#finish();
    if (this.#expected.includes(expected)) this.#fail('its end was never sent');
  }

  #fail(damage: string): void {
    if (this.#isStopped || this.#damage !== undefined) return;
    this.#damage = `our own response was damaged on its way out: ${damage}`;
    this.#report(this.#damage);
  }

  #readBytes(chunk: Uint8Array): void {
    const state = this.#state;
    // Within a body only the number of bytes matters.
    const skipped = 'left' in state ? Math.min(chunk.length, state.left) : 0;
    if ('left' in state) this.#skip(state, skipped);
    if (skipped < chunk.length) this.#read(Buffer.from(chunk.subarray(skipped)).toString('latin1'), true);
  }

  #read(text: string, isLatin1: boolean): void {
    let rest = text;
    let isOneByteEach = isLatin1;
    while (rest !== '' && !this.#isStopped && this.#damage === undefined) {
      const state = this.#state;
      if (!('left' in state)) {
        rest = this.#readFraming(state, rest);
        continue;
      }
      const length = isOneByteEach ? rest.length : Buffer.byteLength(rest);
      if (length > state.left && length !== rest.length) rest = Buffer.from(rest).toString('latin1');
      if (length > state.left) isOneByteEach = true;
      rest = length <= state.left ? '' : rest.slice(state.left);
      this.#skip(state, Math.min(length, state.left));
    }
  }

  #skip({ at, left }: Content, bytes: number): void {
    this.#bodyBytes += bytes;
    if (bytes < left) this.#state = { at, left: left - bytes };
    else if (at === 'chunk') this.#state = { at: 'end of chunk', text: '' };
    else this.#finish();
  }

  /** Reads a head or a line between chunks, and returns the text after it. */
  #readFraming({ at, text: begun }: Framing, text: string): string {
    const all = begun + text;
    const mark = at === 'head' ? '\r\n\r\n' : '\r\n';
    const end = all.indexOf(mark);
    if (end < 0) {
      this.#state = { at, text: all };
      if (all.length > (at === 'head' ? longestHead : 20)) this.#fail(`it has no end of its ${at}`);
      return '';
    }
    const line = all.slice(0, end);
    if (at === 'head') this.#readHead(line);
    else if (at === 'size') this.#readSize(line);
    else if (line !== '') this.#fail(`${JSON.stringify(line)} stands at the ${at}`);
    else if (at === 'trailer') this.#finish();
    else this.#state = { at: 'size', text: '' };
    return all.slice(end + mark.length);
  }

  #readHead(head: string): void {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (Number.isNaN(status)) this.#fail(`${JSON.stringify(head.slice(0, 40))} stands between two responses`);
    else if (status < 200) this.#state = newResponse;
    else if (status === 204 || status === 304) this.#finish(false);
    else if (this.#expected[0]?.hasBody === false) this.#finish();
    else if (/\r\nTransfer-Encoding: chunked/i.test(head)) this.#state = { at: 'size', text: '' };
    else {
      const left = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY);
      if (left === 0) this.#finish();
      else this.#state = { at: 'body', left };
    }
  }

  #readSize(line: string): void {
    const left = Number.parseInt(line, 16);
    if (!/^[0-9a-f]+$/i.test(line)) this.#fail(`${JSON.stringify(line)} is not the size of a chunk`);
    else this.#state = left === 0 ? { at: 'trailer', text: '' } : { at: 'chunk', left };
  }

  #finish(mayHaveBody = true): void {
    const expected = this.#expected.shift();
    const sent = this.#bodyBytes;
    this.#bodyBytes = 0;
    this.#state = newResponse;
    if (expected === undefined) this.#fail('it carries a response that nobody asked for');
    else if (mayHaveBody && expected.hasBody && expected.bytes !== sent)
      this.#fail(`its body was ${sent} bytes long instead of ${expected.bytes}`);
  }
}
