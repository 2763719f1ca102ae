import { resolve } from 'node:path';
import type { McpConfig, ServedAgent } from '../../agents/adapters/agent-under-test.ts';
import { serveBuiltInAgent } from '../../agents/built-in/built-in-agents.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isLoopback } from '../../format/model/loopback.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { describeListenFailure } from '../run/addresses/listen.ts';

type Values = Arguments<'agent'>;

const standardHost = '127.0.0.1';

export const runAgentCommand: Command<'agent'> = async (values, io) => {
  const refuse = createRefusal('agent', io);
  const { name, host = standardHost, json } = values;
  const port = parsePort(values.port);
  if (port === undefined)
    return refuse(
      `--port cannot be "${values.port ?? ''}"`,
      'use a number up to 65535; 0, the default, takes a free port',
    );
  if (!isLoopback(host))
    return refuse(
      `--host: "${host}" is not a loopback address, and a built-in agent obeys every client that can reach it`,
      'serve on 127.0.0.1, localhost or ::1',
    );
  const read = await readMcpConfigFlag(values, io);
  if (read.kind === 'failed') return read.outcome;
  const interruption = io.interruption();
  let running: ServedAgent;
  try {
    const a2aCards = listCardUrls(values, io);
    running = await serveBuiltInAgent({ name, host, port, mcpConfig: read.config, a2aCards });
  } catch (thrown) {
    const reason = describeListenFailure(thrown);
    if (reason === undefined) throw thrown;
    const hint = 'use another --port; 0, the default, takes a free one';
    return complain(io, 'unavailable', `agent: ${host}:${port} ${reason}`, hint);
  }
  try {
    const { ag_ui = '', mcp = '', a2a = '' } = running.addresses;
    await io.stdout.write(json ? `${JSON.stringify({ name, ag_ui, mcp, a2a })}\n` : `${ag_ui}\n`);
    await io.stderr.write(
      `oatf: ${name} speaks AG-UI there, MCP at ${mcp} and A2A at ${a2a}, to this machine only; Ctrl-C ends\n`,
    );
    return { exit: await interruption };
  } finally {
    await running.stop();
  }
};

async function readMcpConfigFlag({ mcpConfig }: Values, io: Io): ReturnType<typeof readMcpConfig> {
  const none: McpConfig = { mcpServers: {} };
  return mcpConfig === undefined ? { kind: 'read', config: none } : readMcpConfig(mcpConfig, io);
}

/** The cards that flags give, or else those of the environment. */
function listCardUrls({ a2aCard }: Values, { environment }: Pick<Io, 'environment'>): readonly string[] {
  if (a2aCard.length > 0) return a2aCard;
  return (environment.OATF_A2A_CARDS ?? '').split(',').filter((url) => url.trim() !== '');
}

function parsePort(typed = '0'): number | undefined {
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}

type ReadMcpConfig =
  | { readonly kind: 'read'; readonly config: McpConfig }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** The servers for an agent, from a file in the shape that MCP clients share; `-` is standard input. */
async function readMcpConfig(file: string, io: Io): Promise<ReadMcpConfig> {
  const name = file === '-' ? '<stdin>' : escapeInvisible(file);
  const read = await readSourceDocument(
    file === '-' ? { kind: 'stdin', name } : { kind: 'file', name, path: resolve(io.cwd, file) },
    io,
  );
  if (read.kind === 'unreadable')
    return { kind: 'failed', outcome: await complain(io, 'unreadable', `${name}: ${read.reason}`) };
  const parsed =
    read.kind === 'invalid' ? refuseMcpConfig(escapeInvisible(read.diagnostic.message)) : parseMcpConfig(read.text);
  return 'problem' in parsed
    ? {
        kind: 'failed',
        outcome: await complain(io, 'invalid', `${name}: ${parsed.problem}`, parsed.hint),
      }
    : { kind: 'read', config: parsed };
}

interface Wrong {
  readonly problem: string;
  readonly hint: string;
}

const example = 'such as {"mcpServers": {"shop": {"type": "http", "url": "http://127.0.0.1:8080/mcp"}}}';

function refuseMcpConfig(problem: string, hint = example): Wrong {
  return { problem, hint };
}

export function parseMcpConfig(text: string): McpConfig | Wrong {
  let value: Value;
  try {
    value = JSON.parse(text);
  } catch {
    return refuseMcpConfig('this is not JSON');
  }
  if (!isValueMap(value) || !isValueMap(value.mcpServers))
    return refuseMcpConfig('"mcpServers" is missing or not an object');
  const servers: [string, { readonly type: 'http'; readonly url: string }][] = [];
  for (const [server, entry] of Object.entries(value.mcpServers)) {
    const url = readServerUrl(entry);
    if (typeof url !== 'string') return { ...url, problem: `mcpServers.${server}: ${url.problem}` };
    servers.push([server, { type: 'http', url }]);
  }
  return { mcpServers: Object.fromEntries(servers) };
}

/** Names that clients have for Streamable HTTP; a server without a type is one if it has a `url`. */
const streamable = new Set<Value | undefined>([undefined, 'http', 'streamable-http', 'streamableHttp', 'url']);

function readServerUrl(entry: Value): string | Wrong {
  if (!isValueMap(entry)) return refuseMcpConfig('this is no object');
  const { type, url, command } = entry;
  if (!streamable.has(type) || command !== undefined) {
    const kind = command === undefined ? `type ${JSON.stringify(type)}` : 'a server that is started by a command';
    return refuseMcpConfig(
      `${kind} is not what a built-in agent can use`,
      `built-in agents connect to servers over Streamable HTTP, ${example}`,
    );
  }
  if (typeof url !== 'string') return refuseMcpConfig('"url" is missing');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return refuseMcpConfig(`${JSON.stringify(url)} is not an http or https address`);
  return url;
}
