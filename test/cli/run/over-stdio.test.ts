import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { createStdioPlayOptions } from '../../../src/cli/run/addresses/stdio-actor.ts';
import { documentWith } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

// The SDKs' clients hang up, wait two seconds, and then kill the server.
test.each([
  ['at once', undefined, undefined, 50],
  ['after the document’s grace period', '30s', undefined, 30_050],
  ['after the caller’s grace period', '30s', 1_000, 1_050],
])('createStdioPlayOptions ends a run whose client has disconnected %s', async (_, grace_period, graceMs, expected) => {
  const document = documentWith({
    execution: { mode: 'mcp_server', state: { tools: [] } },
    ...(grace_period !== undefined && { grace_period }),
  });
  const [actor] = document.attack.execution.actors;
  if (actor === undefined) throw new Error('there is no actor');
  const input = new PassThrough();
  const other = () => {
    throw new Error('the actor has another transport');
  };
  const { modes, limits, control } = createStdioPlayOptions(
    { actor: actor.name, input, output: new PassThrough() },
    document,
    { modes: [{ binding: mcpServer, transport: other }], limits: { graceMs } },
  );
  const ends: string[] = [];
  control?.({ end: (reason) => ends.push(reason) });
  const transport = await modes[0]?.transport(actor);
  await transport?.open(() => {});
  input.end();
  await new Promise((resolve) => input.once('close', resolve));
  expect(limits?.graceMs).toBe(expected - 50);
  vi.advanceTimersByTime(expected - 1);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ends).toEqual(['idle']);
  await transport?.close();
});
