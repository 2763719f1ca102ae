import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mcpServer } from '../../../src/bindings/mcp/server.ts';
import type { Value } from '../../../src/index.ts';
import { createStdioServer } from '../../../src/transport/stdio-server.ts';
import type { Peer } from '../row.ts';

const program = fileURLToPath(new URL('../programs/mcp-client.mjs', import.meta.url));

/** A program at the other end of our standard streams. */
export function lineClient(steps: readonly Value[], how = 'leaves'): Peer {
  return {
    over: 'stdio',
    open(stage) {
      const child = spawn(process.execPath, [program, JSON.stringify(steps), how], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.on('error', () => {});
      void stage.work(() => new Promise((resolve) => child.on('close', resolve)));
      const transport = () => createStdioServer({ input: child.stdout, output: child.stdin });
      return { modes: [{ binding: mcpServer, transport }] };
    },
  };
}
