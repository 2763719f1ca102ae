import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Value } from '../../src/format/model/value.ts';
import { answer, isMindName, type MindName, policies } from './answer.ts';
import { chatCompletions } from './chat-completions.ts';
import type { Dialect } from './dialect.ts';
import { generateContent } from './generate-content.ts';
import { mapOf } from './read-value.ts';

const dialects: readonly Dialect[] = [chatCompletions, generateContent];

const largestBody = 32 * 1024 * 1024;

export interface ScriptedModel {
  readonly url: string;
  close(): void;
}

/** Serves the minds of the built-in agents as models, on loopback. */
export async function serveScriptedModel(port = 0): Promise<ScriptedModel> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const refuse = (status: number, message: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, code: status } }));
    };
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://model');
      const dialect = dialects.find(({ speaksAt }) => speaksAt(pathname));
      if (dialect === undefined) return refuse(404, `nothing is served at ${pathname}`);
      const body = mapOf(JSON.parse(await textOf(request)) as Value);
      const policy = mindOf(pathname, body.model);
      if (policy === undefined) return refuse(404, `the models here are ${Object.keys(policies).join(' and ')}`);
      count += 1;
      const about = { id: `scripted-${count}`, model: policy };
      const { text, toolCalls } = await answer(policy, dialect.read(body));
      const calls = toolCalls.map((call, index) => ({ ...call, id: `call-${count}-${index + 1}` }));
      const output = { text, toolCalls: calls };
      if (dialect.isStreamed(pathname, body)) {
        response.setHeader('content-type', 'text/event-stream');
        const events = dialect.streamed(output, about).map((data) => `data: ${data}\n\n`);
        response.end(events.join(''));
      } else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(dialect.whole(output, about)));
      }
    } catch (thrown) {
      refuse(400, `the request cannot be read: ${thrown}`);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Finds the mind by the model's name, which some services have in the path. */
function mindOf(path: string, model: Value | undefined): MindName | undefined {
  return [model, ...path.split(/[/:]/)].find(isMindName);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > largestBody) throw new Error('it is too large');
  }
  return text;
}
