import type { McpConfig, ServedAgent } from '../../agent/agent.ts';
import { serveBuiltInAgent } from '../../built-in/built-in-agents.ts';
import { visible } from '../../report/visible.ts';
import { readMcpConfig } from '../agent/read-mcp-config.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { isLoopback } from '../run/places/listen.ts';
import { listenFailureOf } from '../run/places/listen-failure.ts';

type Values = Arguments<'agent'>;

const standardHost = '127.0.0.1';

export const agent: Command<'agent'> = async (values, io) => {
  const { name, host = standardHost, json } = values;
  const port = portOf(values.port);
  if (port === undefined)
    return complain(
      io,
      'usage',
      `agent: --port cannot be "${visible(values.port ?? '')}"`,
      'use a number up to 65535; 0, the default, takes a free port',
    );
  if (!isLoopback(host))
    return complain(
      io,
      'usage',
      `agent: --host: "${visible(host)}" is not a loopback address, and a built-in agent obeys every client that can reach it`,
      'serve on 127.0.0.1, localhost or ::1',
    );
  const read = await mcpConfigOf(values, io);
  if (read.kind === 'failed') return read.outcome;
  const interruption = io.interruption();
  let running: ServedAgent;
  try {
    const a2aCards = cardsOf(values, io);
    running = await serveBuiltInAgent({ name, host, port, mcpConfig: read.config, a2aCards });
  } catch (thrown) {
    const reason = listenFailureOf(thrown);
    if (reason === undefined) throw thrown;
    const hint = 'use another --port; 0, the default, takes a free one';
    return complain(io, 'unavailable', `agent: ${host}:${port} ${reason}`, hint);
  }
  try {
    const { ag_ui = '', mcp = '', a2a = '' } = running.doors;
    await io.stdout.write(json ? `${JSON.stringify({ name, ag_ui, mcp, a2a })}\n` : `${ag_ui}\n`);
    await io.stderr.write(
      `oatf: ${name} speaks AG-UI there, MCP at ${mcp} and A2A at ${a2a}, to this machine only; Ctrl-C ends\n`,
    );
    return { exit: await interruption };
  } finally {
    await running.stop();
  }
};

async function mcpConfigOf({ mcpConfig }: Values, io: Io): ReturnType<typeof readMcpConfig> {
  const none: McpConfig = { mcpServers: {} };
  return mcpConfig === undefined ? { kind: 'read', config: none } : readMcpConfig(mcpConfig, io);
}

/** The cards that flags give, or else those of the environment. */
function cardsOf({ a2aCard }: Values, { environment }: Pick<Io, 'environment'>): readonly string[] {
  if (a2aCard.length > 0) return a2aCard;
  return (environment.OATF_A2A_CARDS ?? '').split(',').filter((url) => url.trim() !== '');
}

function portOf(typed = '0'): number | undefined {
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN;
  return port <= 65_535 ? port : undefined;
}
