import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Era, eras, mcpFromServer } from './frames.ts';
import { honestAnswer } from './honest-answer.ts';
import { mutatedLine } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { beginEvents, json, spoken, spokenOverHttp, writeEvents } from './spoken.ts';

const mode = 'mcp_client';

export const mcpSpoken: readonly FrameRow[] = [
  { protocol: 'mcp', wire: 'Streamable HTTP', role: 'client', eras, play: overStreamableHttp },
  { protocol: 'mcp', wire: 'HTTP+SSE', role: 'client', eras: ['legacy'], play: overSse },
  { protocol: 'mcp', wire: 'stdio', role: 'client', eras, play: overStdio },
];

function overStreamableHttp(frames: number, random: Random, era: Era): Promise<Batch> {
  return spokenOverHttp(mode, era, async ({ verb, body, response }) => {
    const answer = honestAnswer(body, era);
    if (verb !== 'POST') response.writeHead(405).end();
    else if (answer === undefined) response.writeHead(202).end();
    else if (body.method === 'tools/list') {
      beginEvents(response);
      await writeEvents(response, frames, frameFrom(random, era), [answer]);
      response.end();
    } else json(response, answer);
  });
}

function frameFrom(random: Random, era: Era): () => Buffer {
  return () => mutatedLine(random.pick(mcpFromServer[era]), random);
}

function overSse(frames: number, random: Random, era: Era): Promise<Batch> {
  let stream: ServerResponse | undefined;
  return spokenOverHttp(mode, era, async ({ verb, path, body, response }) => {
    if (verb === 'GET') {
      stream = response;
      beginEvents(response);
      response.write('event: endpoint\ndata: /messages\n\n');
    } else if (path !== '/messages' || stream === undefined) response.writeHead(405).end();
    else {
      response.writeHead(202).end();
      const answer = honestAnswer(body, era);
      const isAsked = body.method === 'tools/list';
      if (answer !== undefined) await writeEvents(stream, isAsked ? frames : 0, frameFrom(random, era), [answer]);
    }
  });
}

/** A client of stdio launches its server, so the hostile server is a program. */
function overStdio(frames: number, random: Random, era: Era): Promise<Batch> {
  const program = fileURLToPath(new URL('./stdio-peer.ts', import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), program, String(frames), String(random.int(2 ** 31)), era];
  return spoken(mode, { command: process.execPath, args }, era);
}
