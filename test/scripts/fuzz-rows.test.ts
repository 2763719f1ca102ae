import { expect, test } from 'vitest';
import { randomFrom } from '../../scripts/fuzz/random.ts';
import { type FrameRow, frameRows, nameOf } from '../../scripts/fuzz/rows.ts';
import { a2aTransports } from '../../src/registry/a2a/transports.ts';
import { knownModes, protocolOf, roleOf } from '../../src/registry/modes.ts';
import { type Carrier, carriersOf } from '../../src/suite/modes.ts';
import { streamTypes } from '../../src/transport/sse-client.ts';

// The fuzzer has a row for each transport of the product, so a new transport needs a new row.

/** The framings of messages over a socket. */
const overSockets: { readonly [protocol: string]: readonly string[] } = {
  mcp: ['Streamable HTTP', 'HTTP+SSE'],
  a2a: a2aTransports,
  ag_ui: [...streamTypes],
};

function wiresOver(protocol: string, carrier: Carrier): readonly string[] {
  if (carrier === 'socket') return overSockets[protocol] ?? ['a socket'];
  return [carrier === 'grpc' ? 'GRPC' : carrier];
}

test('every transport of every mode has a row', () => {
  const reachable = knownModes().flatMap((mode) =>
    carriersOf(mode).flatMap((carrier) =>
      wiresOver(protocolOf(mode), carrier).map((wire) =>
        nameOf({ protocol: protocolOf(mode), wire, role: roleOf(mode) } as FrameRow),
      ),
    ),
  );
  expect(frameRows.map(nameOf).toSorted()).toEqual([...new Set(reachable)].toSorted());
});

test('both eras of MCP and A2A are broken, except over what only one of them has', () => {
  const inOne = frameRows.filter(({ protocol, eras }) => protocol !== 'ag_ui' && eras.length < 2);
  expect(inOne.map(nameOf)).toEqual(['MCP, HTTP+SSE, server', 'MCP, HTTP+SSE, client']);
});

test.each(frameRows.flatMap((row) => row.eras.map((era) => ({ name: nameOf(row), era, row }))))(
  'a few frames: $name, $era',
  async ({ row, era }) => {
    const { recorded, violations } = await row.play(40, randomFrom(5), era);
    expect(violations).toEqual([]);
    expect(recorded).toBeGreaterThan(20);
  },
);
