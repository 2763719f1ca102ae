import { Agent, request } from 'node:http';
import { mcpServerMode } from '../../src/suite/play/playable-modes.ts';
import { type Finding, judgedRun } from './judged-run.ts';

const patienceMs = 30_000;

/** Connects many clients at once. Each must be answered or refused, and none may wait for ever. */
export async function fuzzSessions(count: number): Promise<Finding> {
  let end: (() => void) | undefined;
  const tally = new Map<string, number>();
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'many', version: '1' } },
  });
  const { recorded, violations } = await judgedRun('mcp_server', {
    modes: [mcpServerMode()],
    limits: { sessionMs: 600_000, graceMs: 0 },
    control: (run) => {
      end = () => run.end('operator');
    },
    ready(endpoints) {
      const { url = '' } = [...endpoints.values()][0] ?? {};
      void Promise.all(Array.from({ length: count }, () => open(url, body))).then((all) => {
        for (const each of all) tally.set(each, (tally.get(each) ?? 0) + 1);
        setImmediate(() => end?.());
      });
    },
  });
  const hung = tally.get('hung') ?? 0;
  const words = [...tally].map(([each, number]) => `${number} × ${each}`).join(', ');
  return {
    name: `sessions at once (${words})`,
    count: recorded,
    unit: 'records',
    violations: hung === 0 ? violations : [...violations, `${hung} sessions were never answered`],
  };
}

function open(url: string, body: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const agent = new Agent({ keepAlive: true });
    const sent = request(url, { method: 'POST', agent, headers, timeout: patienceMs }, (response) => {
      response.resume();
      response.on('close', () => {
        agent.destroy();
        resolve(String(response.statusCode));
      });
    });
    sent.on('timeout', () => {
      resolve('hung');
      sent.destroy();
    });
    sent.on('error', () => resolve('refused'));
    sent.end(body);
  });
}
