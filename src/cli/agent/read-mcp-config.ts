import { resolve } from 'node:path';
import type { McpConfig } from '../../agents/adapters/agent-under-test.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';

export type ReadMcpConfig =
  | { readonly kind: 'read'; readonly config: McpConfig }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** The servers for an agent, from a file in the shape that MCP clients share; `-` is standard input. */
export async function readMcpConfig(file: string, io: Io): Promise<ReadMcpConfig> {
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
        outcome: await complain(io, 'invalid', `${name}: ${escapeInvisible(parsed.problem)}`, parsed.hint),
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
