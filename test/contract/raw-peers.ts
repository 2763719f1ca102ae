import type { Readable, Writable } from 'node:stream';
import type { Value, ValueMap } from '../../src/index.ts';
import { bothTypes, eventually } from '../support/http-peer.ts';
import type { ContractPeer } from './server-contract.ts';

export { openPipes } from '../support/open-pipes.ts';

// Peers that send any bytes, and keep what they receive unchanged.

export interface RawPeer {
  /** Every message of the server, including answers. */
  readonly received: readonly string[];
  /** Sends the bytes of one message, even invalid ones; resolves when they are sent. */
  send(bytes: string | Buffer): Promise<void>;
  leave(): Promise<void>;
}

/** A peer that has finished its initialize. */
export async function greeted(raw: RawPeer): Promise<ContractPeer> {
  let lastId = 0;
  const parsed = (): ValueMap[] => raw.received.flatMap((text): ValueMap[] => [JSON.parse(text)].flat());
  const say = (message: object): Promise<void> => raw.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const request = async (method: string, params?: Value): Promise<Value> => {
    lastId += 1;
    const id = lastId;
    await say({ id, method, ...(params !== undefined && { params }) });
    const answer = (): ValueMap | undefined =>
      parsed().find((message) => message.id === id && message.method === undefined);
    await eventually(answer).toBeDefined();
    return answer()?.result ?? answer()?.error ?? null;
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  });
  await say({ method: 'notifications/initialized' });
  return {
    received: raw.received,
    send: raw.send,
    leave: raw.leave,
    request,
    notify: (method, params) => say({ method, ...(params !== undefined && { params }) }),
    answer: (id, result) => say({ id, result }),
    get fromServer() {
      return parsed().filter(({ method }) => method !== undefined);
    },
  };
}

/** Streamable HTTP. */
export async function httpPeer(url: string): Promise<RawPeer> {
  const received: string[] = [];
  const gone = new AbortController();
  const session: Record<string, string> = {};
  let isGone = false;
  return {
    received,
    async send(bytes) {
      const headers = { 'content-type': 'application/json', accept: bothTypes, ...session };
      const response = await fetch(url, { method: 'POST', headers, body: bytes, signal: gone.signal });
      const id = response.headers.get('mcp-session-id');
      if (isStream(response)) void readEvents(response, received);
      else {
        const text = await response.text();
        if (text !== '') received.push(text);
      }
      if (id === null) return;
      session['mcp-session-id'] = id;
      const listen = { accept: 'text/event-stream', ...session };
      void readEvents(await fetch(url, { headers: listen, signal: gone.signal }), received);
    },
    async leave() {
      if (isGone) return;
      isGone = true;
      await fetch(url, { method: 'DELETE', headers: session });
      gone.abort();
    },
  };
}

/** HTTP with server-sent events, as of 2024-11-05. */
export async function ssePeer(url: string): Promise<RawPeer & { readonly posted: number[] }> {
  const received: string[] = [];
  const posted: number[] = [];
  const gone = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: gone.signal });
  let endpoint = '';
  void readEvents(response, received, (name, data) => {
    if (name === 'endpoint') endpoint = new URL(data, url).href;
  });
  await eventually(() => endpoint).not.toBe('');
  return {
    received,
    posted,
    async send(bytes) {
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(endpoint, { method: 'POST', headers, body: bytes });
      posted.push(status);
    },
    async leave() {
      gone.abort();
    },
  };
}

/** One message per line. */
export function linePeer(input: Writable, output: Readable, leave: () => Promise<void>): RawPeer {
  const received: string[] = [];
  let begun = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const lines = (begun + chunk).split('\n');
    begun = lines.pop() ?? '';
    received.push(...lines);
  });
  return {
    received,
    async send(bytes) {
      input.write(Buffer.concat([Buffer.from(bytes), Buffer.from('\n')]));
    },
    async leave() {
      input.end();
      await leave();
    },
  };
}

function isStream({ headers }: Response): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/event-stream');
}

/** The events of a stream as text; leaving breaks the stream off. */
async function readEvents(
  response: Response,
  received: string[],
  other: (name: string, data: string) => void = () => {},
): Promise<void> {
  let text = '';
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const field = (name: string) =>
          event
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        const [name = 'message', data] = [field('event'), field('data')];
        if (data === undefined || data === '') continue;
        if (name === 'message') received.push(data);
        else other(name, data);
      }
    }
  } catch {
    // The peer has left.
  }
}
