import { resolve } from 'node:path';
import type { McpConfig } from '../../agent/agent.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { visible } from '../../report/visible.ts';
import { complain, type Io } from '../io.ts';
import type { CommandOutcome } from '../outcome.ts';

export type ReadMcpConfig =
  | { readonly kind: 'read'; readonly config: McpConfig }
  | { readonly kind: 'failed'; readonly outcome: CommandOutcome };

/** The servers that an agent is told of, from a file in the shape that MCP clients share; `-` is standard input. */
export async function readMcpConfig(file: string, io: Io): Promise<ReadMcpConfig> {
  const name = file === '-' ? '<stdin>' : visible(file);
  const read = await readDocument(
    file === '-' ? { kind: 'stdin', name } : { kind: 'file', name, path: resolve(io.cwd, file) },
    io,
  );
  if (read.kind === 'unreadable')
    return { kind: 'failed', outcome: await complain(io, 'unreadable', `${name}: ${read.reason}`) };
  const parsed =
    read.kind === 'invalid' ? wrong(visible(read.diagnostic.message)) : parseMcpConfig(read.text);
  return 'problem' in parsed
    ? {
        kind: 'failed',
        outcome: await complain(io, 'invalid', `${name}: ${visible(parsed.problem)}`, parsed.hint),
      }
    : { kind: 'read', config: parsed };
}

interface Wrong {
  readonly problem: string;
  readonly hint: string;
}

const example = 'such as {"mcpServers": {"shop": {"type": "http", "url": "http://127.0.0.1:8080/mcp"}}}';

function wrong(problem: string, hint = example): Wrong {
  return { problem, hint };
}

export function parseMcpConfig(text: string): McpConfig | Wrong {
  let value: Value;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('this is not JSON');
  }
  if (!isValueMap(value) || !isValueMap(value.mcpServers))
    return wrong('"mcpServers" is missing or not an object');
  const servers: [string, { readonly type: 'http'; readonly url: string }][] = [];
  for (const [server, entry] of Object.entries(value.mcpServers)) {
    const url = urlOf(entry);
    if (typeof url !== 'string') return { ...url, problem: `mcpServers.${server}: ${url.problem}` };
    servers.push([server, { type: 'http', url }]);
  }
  return { mcpServers: Object.fromEntries(servers) };
}

/** Names that clients have for Streamable HTTP; a server without a type is one if it has a `url`. */
const streamable = new Set<Value | undefined>([
  undefined,
  'http',
  'streamable-http',
  'streamableHttp',
  'url',
]);

function urlOf(entry: Value): string | Wrong {
  if (!isValueMap(entry)) return wrong('this is no object');
  const { type, url, command } = entry;
  if (!streamable.has(type) || command !== undefined) {
    const kind =
      command === undefined ? `type ${JSON.stringify(type)}` : 'a server that is started by a command';
    return wrong(
      `${kind} is not what a built-in agent can use`,
      `built-in agents connect to servers over Streamable HTTP, ${example}`,
    );
  }
  if (typeof url !== 'string') return wrong('"url" is missing');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return wrong(`${JSON.stringify(url)} is not an http or https address`);
  return url;
}
