import { ClientFactory } from '@a2a-js/sdk/client';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Message as MessageV1 } from 'a2a-sdk-v1';
import { ClientFactory as FactoryV1 } from 'a2a-sdk-v1/client';
import { pythonWith } from '../peers/programs.ts';
import type { Protocol } from './behaviours.ts';

export interface Victim {
  readonly name: string;
  readonly protocol: Protocol;
  /** The result of a question to each server, as one word. */
  ask(urls: { readonly [behaviour: string]: string }): Promise<ReadonlyMap<string, string>>;
}

/** After this time without an answer, the client counts as waiting. */
const patienceMs = 5_000;
const info = { name: 'victim', version: '1.0.0' };

type Question = (url: string) => Promise<unknown>;

/** A result that contains the tool's text is an `answer`, whatever else it contains. */
async function outcomeOf(answer: Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, patienceMs, 'waits');
  });
  const answered = answer.then(
    (value) => (JSON.stringify(value).includes('found: tea') ? 'answer' : 'another answer'),
    (error: unknown) => `error: ${inShort(error)}`,
  );
  const outcome = await Promise.race([answered, late]);
  clearTimeout(timer);
  return outcome;
}

/** The first words of an error, without the parts that differ each time. */
function inShort(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]|[|`<]/g, '')
    .replace(/127\.0\.0\.1:\d+/g, 'server')
    .slice(0, 48)
    .trim();
}

function inProcess(name: string, protocol: Protocol, question: Question): Victim {
  return {
    name,
    protocol,
    async ask(urls) {
      const found = Object.entries(urls).map(
        async ([behaviour, url]) => [behaviour, await outcomeOf(question(url))] as const,
      );
      return new Map(await Promise.all(found));
    },
  };
}

/** A program with packages from PyPI that asks all servers. */
function ofPython(name: string, protocol: Protocol, library: string, ...requirements: readonly string[]): Victim {
  return {
    name,
    protocol,
    async ask(urls) {
      const written = await pythonWith(...requirements)().run(
        './ask.py',
        library,
        JSON.stringify({ urls, patience: patienceMs / 1_000 }),
      );
      const found = JSON.parse(written.trim().split('\n').at(-1) ?? '{}') as {
        readonly [key: string]: string;
      };
      return new Map(
        Object.entries(found).map(([behaviour, outcome]) => [
          behaviour,
          outcome.startsWith('error: ') ? `error: ${inShort(outcome.slice(7))}` : outcome,
        ]),
      );
    },
  };
}

const call = { name: 'search', arguments: {} };
const message = {
  kind: 'message' as const,
  role: 'user' as const,
  messageId: 'm1',
  parts: [{ kind: 'text' as const, text: 'tea?' }],
};

const askMcp2 =
  (mode: 'legacy' | { readonly pin: string }): Question =>
  async (url) => {
    const client = new Client2(info, { versionNegotiation: { mode } } as never);
    await client.connect(new Http2(new URL(url)) as never);
    await client.listTools();
    return client.callTool(call);
  };

export const victims: readonly Victim[] = [
  inProcess('TypeScript SDK 1.32', 'mcp', async (url) => {
    const client = new Client1(info);
    await client.connect(new Http1(new URL(url)) as never);
    await client.listTools();
    return client.callTool(call);
  }),
  inProcess('TypeScript client 2.4, 2025-11-25', 'mcp', askMcp2('legacy')),
  inProcess('TypeScript client 2.4, 2026-07-28', 'mcp', askMcp2({ pin: '2026-07-28' })),
  ofPython('Python mcp 2.3', 'mcp', 'mcp', 'mcp==2.3.0', 'uvicorn==0.54.0'),
  ofPython('Python fastmcp 4.1', 'mcp', 'fastmcp', 'fastmcp==4.1.2', 'mcp==2.3.0', 'uvicorn==0.54.0'),
  inProcess('a2a-js 0.3', 'a2a', async (url) => {
    const client = await new ClientFactory().createFromUrl(url);
    return client.sendMessage({ message });
  }),
  inProcess('a2a-js 1.3', 'a2a', async (url) => {
    const client = await new FactoryV1().createFromUrl(url);
    const asked = MessageV1.fromJSON({ messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'tea?' }] });
    return client.sendMessage({ message: asked } as never);
  }),
  ofPython('Python a2a-sdk 1.3', 'a2a', 'a2a', 'a2a-sdk[http-server,grpc]==1.3.0', 'uvicorn==0.54.0'),
];
