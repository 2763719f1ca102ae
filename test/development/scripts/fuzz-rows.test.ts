import { expect, test } from 'vitest';
import { randomFrom } from '../../../scripts/fuzz/random.ts';
import { type FrameRow, frameRows, nameOf } from '../../../scripts/fuzz/rows.ts';
import { streamTypes } from '../../../src/attack/transport/ag-ui-client/ag-ui-client.ts';
import { a2aTransports } from '../../../src/format/registry/a2a/a2a-era.ts';
import { getProtocol, getRole, knownModes } from '../../../src/format/registry/known-modes.ts';
import { listTransports, type TransportKind } from '../../../src/suite/play/playable-modes.ts';

// The fuzzer has a row for each transport of the product, so a new transport needs a new row.

/** The framings of messages over a socket. */
const overSockets: { readonly [protocol: string]: readonly string[] } = {
  mcp: ['Streamable HTTP', 'HTTP+SSE'],
  a2a: a2aTransports,
  ag_ui: [...streamTypes],
};

function wiresOver(protocol: string, carrier: TransportKind): readonly string[] {
  if (carrier === 'socket') return overSockets[protocol] ?? ['a socket'];
  return [carrier === 'grpc' ? 'GRPC' : carrier];
}

test('the frame fuzzer has a row for every transport of every mode', () => {
  const reachable = knownModes().flatMap((mode) =>
    listTransports(mode).flatMap((carrier) =>
      wiresOver(getProtocol(mode), carrier).map((wire) =>
        nameOf({ protocol: getProtocol(mode), wire, role: getRole(mode) } as FrameRow),
      ),
    ),
  );
  expect(frameRows.map(nameOf).toSorted()).toEqual([...new Set(reachable)].toSorted());
});

test('the frame fuzzer plays both eras of MCP and A2A, except over HTTP+SSE, which only one era has', () => {
  const inOne = frameRows.filter(({ protocol, eras }) => protocol !== 'ag_ui' && eras.length < 2);
  expect(inOne.map(nameOf)).toEqual(['MCP, HTTP+SSE, server', 'MCP, HTTP+SSE, client']);
});

test.each(frameRows.flatMap((row) => row.eras.map((era) => ({ name: nameOf(row), era, row }))))(
  'the frame fuzzer finds no violation in 40 frames: $name, $era',
  async ({ row, era }) => {
    const { recorded, violations } = await row.play(40, randomFrom(5), era);
    expect(violations).toEqual([]);
    expect(recorded).toBeGreaterThan(20);
  },
);
