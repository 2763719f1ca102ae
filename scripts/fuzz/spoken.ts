import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Value, ValueMap } from '../../src/model/value.ts';
import { a2aItems, agUiEvents, mcpFromServer } from './frames.ts';
import { judgedRun } from './judged-run.ts';
import { mutatedLine } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch } from './served.ts';

// We speak, and a hostile server answers: streams of broken frames, each on one connection, and at last a proper end.

type Answer = (body: ValueMap, response: ServerResponse, frames: number, random: Random) => Promise<void>;

async function spoken(mode: string, frames: number, random: Random, answer: Answer): Promise<Batch> {
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void bodyOf(request).then(async (body) => {
      if (request.method === 'POST') await answer(body, response, frames, random);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    return await judgedRun(mode, {
      modes: [],
      connect: () => ({ url }),
      limits: { sessionMs: 60_000, graceMs: 0 },
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function bodyOf(request: IncomingMessage): Promise<ValueMap> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}

async function stream(
  response: ServerResponse,
  frames: number,
  frameOf: () => Buffer,
  last: readonly Value[],
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = async (data: Buffer): Promise<void> => {
    const isTaken = response.write(Buffer.concat([Buffer.from('data: '), data, Buffer.from('\n\n')]));
    if (isTaken || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        response.off('drain', goOn);
        response.off('close', goOn);
        resolve();
      };
      response.on('drain', goOn);
      response.on('close', goOn);
    });
  };
  for (let left = frames; left > 0 && !response.destroyed; left--) await write(frameOf());
  for (const frame of last) await write(Buffer.from(JSON.stringify(frame)));
  response.end();
}

function json(response: ServerResponse, value: Value): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export const spokenParts: { readonly [name: string]: (frames: number, random: Random) => Promise<Batch> } = {
  'MCP, Streamable HTTP, client': (frames, random) =>
    spoken('mcp_client', frames, random, async ({ id = null, method }, response) => {
      if (method === 'initialize') {
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        };
        json(response, { jsonrpc: '2.0', id, result });
      } else if (method === 'tools/list')
        await stream(response, frames, () => mutatedLine(random.pick(mcpFromServer), random), [
          { jsonrpc: '2.0', id, result: { tools: [] } },
        ]);
      else if (method === 'tools/call') json(response, { jsonrpc: '2.0', id, result: { content: [] } });
      else if (method === 'server/discover')
        json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
      else response.writeHead(202).end();
    }),
  'A2A, JSON-RPC, client': (frames, random) =>
    spoken('a2a_client', frames, random, async ({ id = null }, response) => {
      const framed = (result: Value): Value => ({ jsonrpc: '2.0', id, result });
      await stream(response, frames, () => mutatedItem(framed, random), [
        framed({
          kind: 'status-update',
          taskId: 't1',
          contextId: 'c1',
          status: { state: 'completed' },
          final: true,
        }),
      ]);
    }),
  'AG-UI, client': (frames, random) =>
    spoken('ag_ui_client', frames, random, (_, response) =>
      stream(response, frames, () => mutatedLine(random.pick(agUiEvents), random), [
        { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
      ]),
    ),
};

/** The envelope stays whole more often than not: without one an answer ends the stream. */
function mutatedItem(framed: (result: Value) => Value, random: Random): Buffer {
  const item = random.pick(a2aItems);
  return random.chance(0.02)
    ? mutatedLine(framed(item), random)
    : Buffer.from(`${JSON.stringify(framed('R')).replace('"R"', () => safeJson(mutatedLine(item, random)))}`);
}

function safeJson(written: Buffer): string {
  const text = written.toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
