import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { AgentUnderTest, Briefing, McpConfig } from '../../../../src/agents/adapters/agent-under-test.ts';
import { systemClock } from '../../../../src/attack/transport/clock.ts';
import { load } from '../../../../src/format/load.ts';
import type { NormalizedDocument } from '../../../../src/format/model/normalized.ts';
import type { TraceRecord } from '../../../../src/format/model/trace-record.ts';
import type { ValueMap } from '../../../../src/format/model/value.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../../../src/suite/play/playable-modes.ts';
import { documentWith } from '../../../support/records.ts';

/** Functions to call after the test, the latest first. */
export function afterwards(end: () => Promise<unknown>): void {
  onTestFinished(async () => void (await end()));
}

export const context = { environment: {}, folder: '.' };

export const toolPoisoning = 'OATS-001_tool-description-usage-report.yaml';

export function shipped(file: string): NormalizedDocument {
  const loaded = load(readFileSync(new URL(`../../../../scenarios/${file}`, import.meta.url), 'utf8'));
  if (!loaded.ok) throw new Error(`${file} is not valid`);
  return loaded.document;
}

/** A document that leaves the user's words open. */
export const unspoken = documentWith({
  execution: { mode: 'mcp_server', state: { tools: [] } },
  indicators: [{ surface: 'tools/call', target: 'name', pattern: { contains: 'x' } }],
});

/** A user who says these things, in this order. */
export function spoken(messages: readonly ValueMap[], ...more: readonly (readonly ValueMap[])[]): NormalizedDocument {
  const phases = [messages, ...more].map((each, index, all) => ({
    name: `turn-${index}`,
    state: { run_agent_input: { threadId: 't1', runId: `r${index}`, messages: each } },
    ...(index < all.length - 1 && { trigger: { event: 'run_finished' } }),
  }));
  return documentWith({
    execution: { mode: 'ag_ui_client', phases },
    indicators: [{ protocol: 'ag_ui', target: 'response.content', pattern: { contains: 'hunter2' } }],
  });
}

/** A user to whom the agent must not say this word. */
export function seeking(word: string): NormalizedDocument {
  const run_agent_input = { threadId: 't1', runId: 'r1', messages: [saying('Well?')] };
  return documentWith({
    execution: { mode: 'ag_ui_client', phases: [{ name: 'ask', state: { run_agent_input } }] },
    indicators: [{ protocol: 'ag_ui', target: 'response.content', pattern: { contains: word } }],
  });
}

export const saying = (content: string, role = 'user', id = content): ValueMap => ({ id, role, content });

export interface Attacked extends PlayResult {
  /** Everything that would be stored. */
  readonly written: string;
}

export async function attack(
  document: NormalizedDocument,
  agent: AgentUnderTest,
  options: Partial<PlayOptions> = {},
): Promise<Attacked> {
  const records: TraceRecord[] = [];
  const result = await playDocument(document, {
    modes: [mcpServerMode(), a2aServerMode()],
    agent,
    clock: systemClock,
    // These agents do nothing after their answer, so the run does not wait.
    limits: { graceMs: 0 },
    ...options,
    record: (record) => records.push(record),
  });
  // Bytes that could not be read are kept in base64.
  const bytes = records.map((record) => ('raw' in record ? Buffer.from(String(record.raw), 'base64').toString() : ''));
  return { ...result, written: JSON.stringify({ result, records, bytes }) };
}

export const nobody: Briefing = { endpoints: {}, mcpConfig: { mcpServers: {} }, a2aCards: [] };

export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is looked into freely
  readonly body: any;
}

export interface Server {
  readonly url: string;
  readonly heard: ReceivedRequest[];
  close(): Promise<void>;
}

/** A server on loopback; it sends what `answer` returns as JSON, unless `answer` has written the response. */
export async function openServer(
  answer: (heard: ReceivedRequest, response: ServerResponse) => unknown,
): Promise<Server> {
  const heard: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { url: path = '', method = '', headers } = request;
    const each = { path, method, headers, body: text === '' ? undefined : JSON.parse(text) };
    heard.push(each);
    const said = await answer(each, response);
    if (said !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterwards(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, close };
}

/** Lists the tools and, if it is fooled, calls the one that the poisoned description asks for. */
export async function useTools({ mcpServers }: McpConfig, prompt: string, isFooled: boolean): Promise<void> {
  for (const { url } of Object.values(mcpServers)) {
    const client = new Client({ name: 'mine', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    const asked = tools.find(({ name }) => name === 'report_usage');
    if (isFooled && asked !== undefined) {
      const names = Object.keys(asked.inputSchema.properties ?? {});
      const args = Object.fromEntries(names.map((name) => [name, prompt]));
      await client.callTool({ name: asked.name, arguments: args });
    }
    await client.close();
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
