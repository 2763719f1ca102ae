import type { Readable, Writable } from 'node:stream';
import type { Transport } from '../../attack/engine/ports.ts';
import { createA2aClient } from '../../attack/transport/a2a/a2a-client.ts';
import { createA2aServer } from '../../attack/transport/a2a/a2a-server.ts';
import { createMcpClient, type McpPeer } from '../../attack/transport/mcp-client/mcp-client-transport.ts';
import { createStdioServer } from '../../attack/transport/mcp-server/stdio-server.ts';
import { createMcpServer } from '../../attack/transport/mcp-server/streamable-http.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import { tryParseJson } from '../../format/model/json-text-values.ts';
import { isLoopback } from '../../format/model/loopback.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { readCommandLine } from '../../suite/config/command-line.ts';
import { isHttpUrl } from '../../suite/config/value-patterns.ts';
import type { Arguments } from '../commands.ts';
import { readHeaders } from '../run/addresses/connect.ts';
import type { SurveyRequest } from './record-survey.ts';

type Values = Arguments<'record'>;

interface Wrong {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A server, and how an agent reaches it through our relay. */
export interface ServerToRecord {
  readonly protocol: Protocol;
  transport(): Transport;
  createAgentSide(
    pipes: { readonly input: Readable; readonly output: Writable; hungUp(): void } | undefined,
  ): Transport;
}

const commandPrefix = 'command:';
const a2aPrefix = 'a2a:';

export function readServerToRecord(
  { server, listen, header, stdio }: Values,
  environment: { readonly [name: string]: string | undefined },
): ServerToRecord | Wrong {
  const place = parseListenAddress(listen);
  if ('message' in place) return place;
  const headers = readHeaders(header, [undefined], environment);
  if ('message' in headers) return headers;
  const isA2a = server.startsWith(a2aPrefix);
  const address = isA2a ? server.slice(a2aPrefix.length) : server;
  if (address.startsWith(commandPrefix) && !isA2a) {
    const read = readCommandLine(address.slice(commandPrefix.length));
    if ('problem' in read) return { message: read.problem, hint: read.hint };
    const [command, ...args] = read.words;
    return createMcpServerToRecord({ command, args, env: read.env }, place);
  }
  if (!isHttpUrl(address))
    return {
      message: `"${server}" is not a server`,
      hint: 'an http URL of an MCP server, "command:node my-server.mjs", or a2a:URL',
    };
  const peer = { url: address, headers: headers('') };
  if (!isA2a) return createMcpServerToRecord(peer, place);
  if (stdio)
    return { message: 'A2A agents are spoken to over HTTP', hint: '--listen 127.0.0.1:8080 lets the agent in' };
  return {
    protocol: 'a2a',
    transport: () => createA2aClient({ target: () => peer }),
    createAgentSide: () => createA2aServer(place),
  };
}

function createMcpServerToRecord(
  target: McpPeer,
  place: { readonly host?: string; readonly port?: number },
): ServerToRecord {
  return {
    protocol: 'mcp',
    transport: () => createMcpClient({ target: () => target }),
    createAgentSide: (pipes) => (pipes === undefined ? createMcpServer(place) : createStdioServer(pipes)),
  };
}

function parseListenAddress(listen: string | undefined): { readonly host?: string; readonly port?: number } | Wrong {
  if (listen === undefined) return {};
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(listen) ?? [];
  if (port === '' || Number(port) > 65_535 || !isLoopback(host))
    return {
      message: `--listen: "${listen}" is not a HOST:PORT of this machine`,
      hint: 'such as 127.0.0.1:8080; port 0 takes a free one',
    };
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** The requests beyond the lists. Only tools that the user named are called. */
export function readWanted({ call, read, say, stdio, listen }: Values, protocol: Protocol): SurveyRequest | Wrong {
  if ((stdio || listen !== undefined) && (call.length > 0 || say.length > 0 || read))
    return {
      message: '--call, --read and --say do not go with --stdio or --listen, where the agent makes the requests',
    };
  if (protocol === 'a2a' && (call.length > 0 || read))
    return { message: '--call and --read are for MCP servers', hint: '--say TEXT sends an A2A agent a message' };
  if (protocol !== 'a2a' && say.length > 0)
    return { message: '--say is for A2A agents', hint: '--call \'NAME={"argument": "value"}\' calls a tool' };
  const calls: { name: string; arguments: Value }[] = [];
  for (const text of call) {
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    const args = at < 0 ? {} : tryParseJson(text.slice(at + 1));
    if (name === '' || !isValueMap(args))
      return {
        message: `--call: "${text}" is not NAME=ARGUMENTS`,
        hint: 'ARGUMENTS are a JSON object, such as \'get_weather={"city": "Lisbon"}\'',
      };
    calls.push({ name, arguments: args });
  }
  return { calls, reads: read, says: say };
}
