import type { McpConfig, ServedAgent } from '../../agents/adapters/agent-under-test.ts';
import { serveBuiltInAgent } from '../../agents/built-in/built-in-agents.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isLoopback } from '../../format/model/loopback.ts';
import { readMcpConfig } from '../agent/read-mcp-config.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { describeListenFailure } from '../run/addresses/listen-failure.ts';

type Values = Arguments<'agent'>;

const standardHost = '127.0.0.1';

export const runAgentCommand: Command<'agent'> = async (values, io) => {
  const { name, host = standardHost, json } = values;
  const port = parsePort(values.port);
  if (port === undefined)
    return complain(
      io,
      'usage',
      `agent: --port cannot be "${escapeInvisible(values.port ?? '')}"`,
      'use a number up to 65535; 0, the default, takes a free port',
    );
  if (!isLoopback(host))
    return complain(
      io,
      'usage',
      `agent: --host: "${escapeInvisible(host)}" is not a loopback address, and a built-in agent obeys every client that can reach it`,
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
