import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { mcp2026 } from '../../../src/format/registry/mcp-2026.ts';
import type { Value } from '../../../src/index.ts';
import type { Peer } from '../row.ts';

const program = fileURLToPath(new URL('../programs/mcp-client.mjs', import.meta.url));

/** A program at the other end of our standard streams. */
export function lineClient(steps: readonly Value[]): Peer {
  return { ...launchedIn('with sessions', steps), modern: launchedIn(mcp2026, steps) };
}

function launchedIn(era: 'with sessions' | typeof mcp2026, steps: readonly Value[]): Peer {
  return {
    over: era === mcp2026 ? `stdio, ${mcp2026}` : 'stdio',
    open(stage) {
      const child = spawn(process.execPath, [program, JSON.stringify(steps), era], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.on('error', () => {});
      void stage.work(() => new Promise((resolve) => child.on('close', resolve)));
      const transport = () => createStdioServer({ input: child.stdout, output: child.stdin });
      return { modes: [{ binding: mcpServer, transport }] };
    },
  };
}
